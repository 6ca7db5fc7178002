/**
 * Whether the portal is reachable: the browser reports its network, and the event stream or a request without a response
 * shows when the server is gone.
 */
import type { QueryClient } from '@tanstack/react-query';
import { Refusal } from '@recodery/contract/refusal';
import { getServiceStatus } from '@recodery/contract/features/service-status';
import { call } from '../../api/call.ts';
import { useSyncExternalStore } from 'react';
import { onStreamState, streamIsUp } from '../../api/events/events.ts';
import { onLostRequest } from '../../api/lost-requests.ts';
import { statusQuery } from './service-status.ts';

/** `offline`: this computer has no network. `unreachable`: the network is up but the portal does not respond. */
export type Connection = 'up' | 'offline' | 'unreachable';

/** Milliseconds between two checks while the portal does not respond. */
const retryInterval = 2000;
/** Milliseconds after which the portal counts as unreachable. */
const longestAnswer = 5000;

let isReachable = true;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function setReachable(next: boolean): void {
  if (next === isReachable) return;
  isReachable = next;
  notifyListeners();
}

/** Requests again what failed while the portal did not respond: a panel that says so would otherwise stay. */
function requestFailed(queries: QueryClient): void {
  void queries.refetchQueries({
    type: 'active',
    predicate: ({ state: { error } }) => error !== null && !(error instanceof Refusal),
  });
}

/** Whether the server responds at all: a refusal is also a response. */
async function answers(queries: QueryClient): Promise<boolean> {
  const signal = AbortSignal.timeout(longestAnswer);
  return call(getServiceStatus, {}, { signal }).then(
    (status) => {
      queries.setQueryData(statusQuery.queryKey, status);
      return true;
    },
    (thrown: unknown) => thrown instanceof Refusal,
  );
}

/**
 * Checks whether the portal responds each time the event stream breaks or a request has no response, and repeats until it
 * does; then, what failed meanwhile is requested again. Returns the function that stops it. While the browser is offline no
 * request is sent; once it is online, everything is requested again immediately.
 */
export function watchConnection(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStopped = false;
  let looks = 0;
  let wasLost = false;
  const found = (): void => {
    // not after each lost request: one that never gets a response would be repeated endlessly
    if (wasLost) requestFailed(queries);
    wasLost = false;
  };
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    if (!navigator.onLine) return;
    looks += 1;
    const isUp = await answers(queries);
    looks -= 1;
    if (hasStopped) return;
    setReachable(isUp);
    if (isUp) found();
    else wasLost = true;
    clearTimeout(timer);
    if (!isUp) timer = setTimeout(() => void look(), retryInterval);
  };
  const stopStream = onStreamState(() => {
    if (streamIsUp()) {
      setReachable(true);
      found();
    } else {
      wasLost = true;
      void look();
    }
  });
  // the stream seems to be up for up to 40 s after a network has failed silently
  const stopRequests = onLostRequest(() => {
    // a failed check is reported here, too; it is repeated anyway
    if (isReachable && looks === 0) void look();
  });
  const backOnline = (): void => {
    wasLost = true;
    notifyListeners();
    void look();
  };
  window.addEventListener('online', backOnline);
  window.addEventListener('offline', notifyListeners);
  return () => {
    hasStopped = true;
    clearTimeout(timer);
    stopStream();
    stopRequests();
    window.removeEventListener('online', backOnline);
    window.removeEventListener('offline', notifyListeners);
  };
}

function read(): Connection {
  if (!navigator.onLine) return 'offline';
  return isReachable ? 'up' : 'unreachable';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current state of the connection. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, read);
}
