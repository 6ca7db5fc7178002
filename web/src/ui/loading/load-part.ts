/** Loads parts of the page, and retries until they are loaded. */

/** Milliseconds between two attempts, at first and after {@link longestStreak} failures. */
const retryInterval = { first: 4000, later: 60_000 } as const;
/** Failed attempts after which only a reload may help: after an upgrade, the server no longer has the old parts. */
const longestStreak = 5;

/** Waits until the time has passed or the browser is back online; while it is offline, only for the latter. */
function pause(interval: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = navigator.onLine ? setTimeout(done, interval) : undefined;
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/**
 * Loads a part, and retries until it is loaded: a portal that restarts must not end what the user is doing. Resolves to
 * null once `signal` aborts. Calls `onStuck` once, after several failures.
 */
export async function loadPart<T>(
  load: () => Promise<T>,
  signal: AbortSignal,
  onStuck: () => void,
): Promise<T | null> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      return await load();
    } catch {
      if (signal.aborted) break;
      if (navigator.onLine) {
        failures += 1;
        if (failures === longestStreak) onStuck();
      }
      const { first, later } = retryInterval;
      await pause(failures < longestStreak ? first : later, signal);
    }
  }
  return null;
}
