/** How long a mail that could not be sent waits, and when it is given up; pure, on plain values. */

/** Seconds before the second attempt, and the most that later ones wait. */
const firstDelay = 5;
const longestDelay = 600;
/** Milliseconds for which a mail is tried. */
const patience = 86_400_000;

/** What becomes of a mail that could not be sent this time. */
export type MailRetry =
  | { readonly decision: 'again'; readonly afterSeconds: number }
  | { readonly decision: 'fail' };

/** A mail is tried for a day, ever less often. `attempt` counts from 1. */
export function retryMail(attempt: number, createdOn: Date, now: Date): MailRetry {
  if (now.getTime() - createdOn.getTime() >= patience) return { decision: 'fail' };
  const afterSeconds = Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt - 1, 20));
  return { decision: 'again', afterSeconds };
}
