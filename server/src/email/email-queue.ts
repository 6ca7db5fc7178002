/** The worker's queue of emails: claims due emails, sends them, and records each result. */
import { pathOf } from '@recodery/contract/api';
import { receiptPage } from '@recodery/contract/features/receipts';
import type { Kysely } from 'kysely';
import type { Announce } from '../postgres/announce.ts';
import type { Clock } from '../config/clock.ts';
import type { Log } from '../config/log.ts';
import { emailAttempts } from '../metrics/metrics.ts';
import { traced } from '../traces/traces.ts';
import { type Runner, startQueue } from '../queue/queue.ts';
import { retryForADay } from '../queue/retry-rules.ts';
import { EmailRefused, type Mailer } from './smtp.ts';
import type { Database } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { negotiateLanguage } from '../texts/texts.ts';
import { writeEmail } from './file-email.ts';
import {
  type ClaimedMail,
  claimEmails,
  emailLeaseSeconds,
  type EmailNews,
  failMail,
  mailPauses,
  markSent,
  postpone,
} from './emails.ts';
import { getToken, writeShareLink } from './link-token.ts';

/** Milliseconds between two polls for due emails, when no announcement arrives earlier. */
const pollMs = 10_000;
/** Emails sent concurrently. */
const atOnce = 4;
/** Milliseconds before sending times out: well before another process can claim the email. */
export const sendingMs = (emailLeaseSeconds - 10) * 1000;
/** Maximum characters of an error that are stored. */
const longestError = 500;
/** Milliseconds that emails in progress have when the worker stops. */
const drainMs = 5000;

export interface DeliveryDependencies {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly news: EmailNews;
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** The time zone that emails show in addition to UTC, such as `Europe/Rome`. */
  readonly timeZone: string;
}

/** Starts to send due emails. Failures are logged and retried. */
export function startDelivery(deps: DeliveryDependencies): Runner {
  return startQueue(deps, {
    noun: 'email',
    due: 'mail-due',
    pollMs,
    atOnce,
    drainMs,
    claim: (count) => claimEmails(deps.db, count),
    run: (mail, signal) => deliver(deps, mail, signal),
  });
}

/** Sends one email and records the result. */
async function deliver(
  deps: DeliveryDependencies,
  mail: ClaimedMail,
  signal: AbortSignal,
): Promise<void> {
  const { guid, organisation, attempt } = mail;
  const log = deps.log.child({ mail: guid, organisation, attempt });
  const attributes = { 'recodery.email': guid, 'recodery.organisation': organisation };
  await traced('send email', attributes, () => send(deps, mail, signal)).then(
    async () => {
      const { way } = deps.mailer;
      await markSent(deps.db, mail, way, deps.news);
      emailAttempts.inc({ outcome: way === 'outbox' ? 'stored' : 'sent' });
      log.info(
        way === 'outbox'
          ? 'email stored in the outbox: no mail server is configured'
          : 'email sent',
      );
    },
    async (error: unknown) => {
      if (!signal.aborted) await decide(deps, mail, error, log);
    },
  );
}

async function send(
  deps: DeliveryDependencies,
  mail: ClaimedMail,
  stopping: AbortSignal,
): Promise<void> {
  const token = await getToken(deps.secrets, mail.guid, mail.shareKeyId);
  const link = writeShareLink(deps.publicUrl, token);
  const language = negotiateLanguage(undefined, [mail.culture]);
  const code = mail.receiptCode;
  const receipt = code === null ? null : `${deps.publicUrl}${pathOf(receiptPage, { code })}`;
  const email = writeEmail(mail, language, { file: link, receipt }, mail.timeZone ?? deps.timeZone);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendingMs)]);
  await deps.mailer.send(email, signal);
}

/** An error in one line, for the row: any response of a mail server can be stored this way. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longestError)
    .toWellFormed();
}

async function decide(
  deps: DeliveryDependencies,
  mail: ClaimedMail,
  error: unknown,
  log: Log,
): Promise<void> {
  if (error instanceof EmailRefused) {
    log.warn({ error }, 'email refused');
    emailAttempts.inc({ outcome: 'refused' });
    return failMail(deps.db, mail, 'refused', describeError(error), deps.news);
  }
  const retry = retryForADay(mailPauses, mail.attempt, mail.triedSince, deps.clock.now());
  log.warn({ error, retry }, 'could not send email');
  emailAttempts.inc({ outcome: retry.decision === 'fail' ? 'undeliverable' : 'postponed' });
  return retry.decision === 'fail'
    ? failMail(deps.db, mail, 'undeliverable', describeError(error), deps.news)
    : postpone(deps.db, mail, retry.afterSeconds, describeError(error));
}
