/**
 * Limits how much work runs at once, in total and for each key, so that slow work of one key leaves room for others.
 */

/** How many run at once. */
export interface ConcurrencyBounds {
  readonly total: number;
  readonly perKey: number;
}

/** Runs `work` as soon as there is a place; until then, an aborted `signal` ends the wait. */
export type ConcurrencyLimit = <T>(
  key: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

interface Waiting {
  readonly key: string;
  enter(): void;
}

/** Creates a limit. The longest waiting work that has a place for its key enters next. */
export function createConcurrencyLimit({ total, perKey }: ConcurrencyBounds): ConcurrencyLimit {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let free = total;
  const count = (key: string): number => running.get(key) ?? 0;
  const letIn = (): void => {
    for (const one of waiting) {
      if (free === 0) return;
      if (count(one.key) >= perKey) continue;
      waiting.delete(one);
      free -= 1;
      running.set(one.key, count(one.key) + 1);
      one.enter();
    }
  };
  const leave = (key: string): void => {
    free += 1;
    const left = count(key) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    letIn();
  };
  return async (key, signal, work) => {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one = { key, enter: resolve };
    const giveUp = (): void => {
      if (waiting.delete(one)) reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp);
    waiting.add(one);
    letIn();
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
    return work().finally(() => leave(key));
  };
}
