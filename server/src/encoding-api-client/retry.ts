/** Repeats a request while the service is unavailable. */
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceUnavailable } from './errors.ts';

/** How long to retry, and what to call while the service is unavailable. */
export interface RetryBounds {
  /** Milliseconds of the first and the longest pause; each is twice as long as the previous one. */
  readonly pauses: { readonly first: number; readonly longest: number };
  readonly signal: AbortSignal;
  /** The milliseconds to pause, when the pause should have so many; null: give up. */
  choosePause(wanted: number): number | null;
  /** Called before each pause with the fault of the attempt, counted from 1, and with null when the service is back. */
  onUnavailable(fault: ServiceUnavailable | null, attempt: number): void;
}

/**
 * Runs `request` until it succeeds. Pauses for as long as the service asks, or longer.
 * @throws {ServiceUnavailable} the last one, when the bounds give up
 * @throws any other error of the request, immediately
 */
export async function retryWhileUnavailable<T>(
  bounds: RetryBounds,
  request: () => Promise<T>,
): Promise<T> {
  const { pauses, signal } = bounds;
  let pause = pauses.first;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await request();
      bounds.onUnavailable(null, attempt);
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error;
      const chosen = bounds.choosePause(Math.max(pause, error.retryAfterMs ?? 0));
      if (chosen === null) throw error;
      bounds.onUnavailable(error, attempt);
      await wait(chosen, undefined, { signal });
      pause = Math.min(2 * pause, pauses.longest);
    }
  }
}
