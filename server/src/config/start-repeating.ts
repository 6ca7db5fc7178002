/** Runs the same work at intervals. */

import { named } from './named-work.ts';

/** Work that is repeated. */
export interface Repeating {
  /** Aborts the signal of the running round, waits for its end, and does not start another. */
  stop(): Promise<void>;
}

/**
 * Runs rounds one after another until it is stopped. `name` says what they do, for what is counted. `first` and `every`: milliseconds before the first round, where 0
 * starts it immediately, and between the end of a round and the start of the next. A round must not reject.
 */
export function startRepeating(
  name: string,
  { first, every }: { readonly first: number; readonly every: number },
  round: (signal: AbortSignal) => Promise<void>,
): Repeating {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    running = named(name, () => round(stopping.signal)).then(() => {
      if (!stopping.signal.aborted) timer = setTimeout(run, every);
    });
  };
  if (first === 0) run();
  else timer = setTimeout(run, first);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
