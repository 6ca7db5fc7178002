/** Repeats a request while the service is unavailable, until an operation's time has passed. */
import { setTimeout as wait } from 'node:timers/promises';
import { EngineUnavailable } from '../engine.ts';
import { VendorUnavailable } from './client.ts';

/** How long to retry, and what to call while the service is unavailable. */
export interface RetryBounds {
  /** The `performance.now()` after which no request is begun. */
  readonly until: number;
  /** Milliseconds of the first and the longest pause; each is twice as long as the previous one. */
  readonly pauses: { readonly first: number; readonly longest: number };
  readonly signal: AbortSignal;
  /** Called before each pause with the reason, and with null when the service is back. */
  onUnavailable(reason: string | null): void;
}

/**
 * Runs `request` until it succeeds. Waits at least as long as the vendor asks.
 * @throws {EngineUnavailable} when the time has passed
 * @throws any other error of the request, immediately
 */
export async function retryWhileUnavailable<T>(
  bounds: RetryBounds,
  request: () => Promise<T>,
): Promise<T> {
  const { until, pauses, signal } = bounds;
  for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
    try {
      const answer = await request();
      bounds.onUnavailable(null);
      return answer;
    } catch (error) {
      if (!(error instanceof VendorUnavailable)) throw error;
      const left = until - performance.now();
      if (left <= 0) throw new EngineUnavailable(error.message);
      bounds.onUnavailable(error.message);
      await wait(Math.min(left, Math.max(pause, error.retryAfterMs ?? 0)), undefined, { signal });
    }
  }
}
