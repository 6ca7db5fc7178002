/** Retry delays for emails that could not be sent, and when to give up; pure, on plain values. */

/** Seconds before the second attempt, and the maximum delay of later ones. */
const firstDelay = 5;
const longestDelay = 600;
/** Milliseconds for which sending an email is retried. */
const patience = 86_400_000;

/** What to do with an email after a failed attempt. */
export type MailRetry =
  | { readonly decision: 'again'; readonly afterSeconds: number }
  | { readonly decision: 'fail' };

/** Retries an email for a day, with growing delays. `attempt` counts from 1. */
export function retryMail(attempt: number, createdOn: Date, now: Date): MailRetry {
  if (now.getTime() - createdOn.getTime() >= patience) return { decision: 'fail' };
  const afterSeconds = Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt - 1, 20));
  return { decision: 'again', afterSeconds };
}
