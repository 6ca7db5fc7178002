/** Whether the portal can be reached: told by the browser, and by the stream of events when the server is gone. */
import type { QueryClient } from '@tanstack/react-query';
import { Refusal } from '@recodery/contract/errors';
import { useSyncExternalStore } from 'react';
import { onStreamState, streamIsUp } from '../../api/events.ts';
import { statusQuery } from './service-status.ts';

/** `offline`: this computer has no network. `unreachable`: the network is there and the portal does not answer. */
export type Connection = 'up' | 'offline' | 'unreachable';

/** Milliseconds between two looks while the portal does not answer. */
const lookAgain = 2000;

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
  return queries.fetchQuery({ ...statusQuery, staleTime: 0, retry: false }).then(
    () => true,
    (thrown: unknown) => thrown instanceof Refusal,
  );
}

/**
 * Looks whether the portal answers each time the stream of events breaks, and until it does. Gives back how to stop.
 * While the browser has no network nothing is asked; once it is back, everything is asked again at once.
 */
export function watchConnection(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    if (!navigator.onLine) return;
    const isUp = await answers(queries);
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
