/** Retry delays for rows of a queue, and when to give up; pure, on plain values. */

/** Milliseconds for which a delivery to another server is retried. */
const patience = 86_400_000;

/** What to do with a row after a failed attempt. */
export type Retry =
  | { readonly decision: 'again'; readonly afterSeconds: number }
  | { readonly decision: 'fail' };

/** Seconds before the second attempt, and the maximum before later ones; each pause is twice the previous one. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/** Seconds to wait after the given attempt, which counts from 1. */
export function pauseAfter(attempt: number, { first, longest }: Pauses): number {
  return Math.min(longest, first * 2 ** Math.min(attempt - 1, 20));
}

/** Retries a delivery for a day after `since`, with increasing pauses. `attempt` counts from 1. */
export function retryForADay(pauses: Pauses, attempt: number, since: Date, now: Date): Retry {
  return now.getTime() - since.getTime() >= patience
    ? { decision: 'fail' }
    : { decision: 'again', afterSeconds: pauseAfter(attempt, pauses) };
}
