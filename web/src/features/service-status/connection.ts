/** Whether the portal can be reached: told by the browser, and by the stream of events when the server is gone. */
import type { QueryClient } from '@tanstack/react-query';
import { Refusal } from '@recodery/contract/errors';
import { getServiceStatus } from '@recodery/contract/service-status';
import { call } from '../../api/call.ts';
import { useSyncExternalStore } from 'react';
import { onStreamState, streamIsUp } from '../../api/events.ts';
import { statusQuery } from './service-status.ts';

/** `offline`: this computer has no network. `unreachable`: the network is there and the portal does not answer. */
export type Connection = 'up' | 'offline' | 'unreachable';

/** Milliseconds between two looks while the portal does not answer. */
const lookAgain = 2000;
/** Milliseconds after which the portal counts as not answering. */
const longestAnswer = 5000;

let isReachable = true;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function setReachable(next: boolean): void {
  if (next === isReachable) return;
  isReachable = next;
  tell();
}

/** Whether the server answers, with whatever: a refusal is an answer too. */
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
 * Looks whether the portal answers each time the stream of events breaks, and until it does. Gives back how to stop.
 * While the browser has no network nothing is asked; once it is back, everything is asked again at once.
 */
export function watchConnection(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStopped = false;
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    if (!navigator.onLine) return;
    const isUp = await answers(queries);
    if (hasStopped) return;
    setReachable(isUp);
    clearTimeout(timer);
    if (!isUp) timer = setTimeout(() => void look(), lookAgain);
  };
  const stopStream = onStreamState(() => {
    if (streamIsUp()) setReachable(true);
    else void look();
  });
  const backOnline = (): void => {
    tell();
    void look();
  };
  window.addEventListener('online', backOnline);
  window.addEventListener('offline', tell);
  return () => {
    hasStopped = true;
    clearTimeout(timer);
    stopStream();
    window.removeEventListener('online', backOnline);
    window.removeEventListener('offline', tell);
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

/** The connection as it is now. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, read);
}
