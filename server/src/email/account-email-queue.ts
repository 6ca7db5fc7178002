/** The worker's queue of emails about accounts. */
import type { Log } from '../config/log.ts';
import { emailAttempts } from '../metrics/metrics.ts';
import { type Account, findAccount, findActiveAccount } from '../organisations/accounts.ts';
import { type Runner, startQueue } from '../queue/queue.ts';
import { retryForADay } from '../queue/retry-rules.ts';
import { negotiateLanguage } from '../texts/texts.ts';
import { writeAccountEmail } from './account-email.ts';
import {
  claimAccountEmails,
  type ClaimedAccountMail,
  markAccountMailFailed,
  markAccountMailSent,
  noReader,
} from './account-emails.ts';
import { type DeliveryDependencies, describeError, sendingMs } from './email-queue.ts';
import { mailPauses } from './emails.ts';
import { EmailRefused } from './smtp.ts';

/** The emails whose link sets a password. */
type LinkKind = 'invitation' | 'password';

/** The links in emails about accounts; `null`: users sign in at an external provider. */
export type AccountLinks = {
  /** A link that sets the account's password, which only the owner of its address receives. */
  create(account: Account, purpose: LinkKind, expiresOn: Date): Promise<string>;
} | null;

export interface AccountDeliveryDependencies
  extends Pick<
    DeliveryDependencies,
    'db' | 'log' | 'announce' | 'clock' | 'mailer' | 'publicUrl' | 'timeZone'
  > {
  readonly links: AccountLinks;
}

/** Starts to send due emails. Failures are logged and retried. */
export function startAccountDelivery(deps: AccountDeliveryDependencies): Runner {
  return startQueue(deps, {
    noun: 'account email',
    due: 'mail-due',
    pollMs: 10_000,
    atOnce: 2,
    drainMs: 5000,
    claim: (count) => claimAccountEmails(deps.db, count),
    run: (mail, signal) => deliver(deps, mail, signal),
  });
}

/** The account that gets the email, or null: a request for a new password can name any address. */
async function findReader(
  { db, links }: AccountDeliveryDependencies,
  { kind, accountGuid, email }: ClaimedAccountMail,
): Promise<Account | null> {
  if (kind === 'password') return links === null ? null : findActiveAccount(db, email);
  return accountGuid === null ? null : findAccount(db, accountGuid);
}

/** Whether the link would be of no use, as after a long outage; without links, emails do not expire. */
function isTooOld({ links, clock }: AccountDeliveryDependencies, mail: ClaimedAccountMail) {
  return links !== null && mail.expiresOn <= clock.now();
}

async function deliver(
  deps: AccountDeliveryDependencies,
  mail: ClaimedAccountMail,
  signal: AbortSignal,
): Promise<void> {
  const log = deps.log.child({ mail: mail.guid, attempt: mail.attempt, kind: mail.kind });
  const account = await findReader(deps, mail);
  if (isTooOld(deps, mail)) {
    emailAttempts.inc({ outcome: 'undeliverable' });
    return markAccountMailFailed(deps.db, mail, 'expired', null);
  }
  if (account === null) return markAccountMailFailed(deps.db, mail, noReader, null);
  try {
    await send(deps, mail, account, signal);
  } catch (error) {
    if (!signal.aborted) await decide(deps, mail, error, log);
    return;
  }
  await markAccountMailSent(deps.db, mail, deps.mailer.way);
  emailAttempts.inc({ outcome: deps.mailer.way === 'outbox' ? 'stored' : 'sent' });
  log.info('account email sent');
}

async function send(
  { links, mailer, publicUrl, timeZone }: AccountDeliveryDependencies,
  mail: ClaimedAccountMail,
  account: Account,
  stopping: AbortSignal,
): Promise<void> {
  const { kind, expiresOn } = mail;
  const isNews = kind !== 'invitation' && kind !== 'password';
  // news lead to the page on which the user changes the factors
  const own = isNews ? `${publicUrl}/account` : publicUrl;
  const link = links === null || isNews ? own : await links.create(account, kind, expiresOn);
  const language = negotiateLanguage(undefined, [account.culture ?? mail.culture]);
  const email = writeAccountEmail(
    // the account's own spelling: only its owner can receive the link
    { ...mail, email: account.email },
    { language, link, expires: links !== null && !isNews, timeZone },
  );
  await mailer.send(email, AbortSignal.any([stopping, AbortSignal.timeout(sendingMs)]));
}

async function decide(
  deps: AccountDeliveryDependencies,
  mail: ClaimedAccountMail,
  error: unknown,
  log: Log,
): Promise<void> {
  const isFinal = error instanceof EmailRefused;
  const retry = retryForADay(mailPauses, mail.attempt, mail.triedSince, deps.clock.now());
  const after = retry.decision === 'fail' ? null : retry.afterSeconds;
  const gaveUp = isFinal || after === null || isTooOld(deps, mail);
  log.warn({ error, gaveUp }, 'could not send account email');
  emailAttempts.inc({ outcome: isFinal ? 'refused' : gaveUp ? 'undeliverable' : 'postponed' });
  await markAccountMailFailed(deps.db, mail, describeError(error), gaveUp ? null : after);
}
