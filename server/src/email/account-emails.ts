/**
 * Owns the table account_mail: the outbox of emails about accounts, which are invitations, links for a new password, and
 * news about second factors.
 */
import { sql } from 'kysely';
import { findAccount } from '../organisations/accounts.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { foldEmail } from '../organisations/email-rules.ts';
import { newGuid } from '../config/guids.ts';
import { notify } from '../postgres/announce.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { AccountMailKind, FactorMailKind } from '../postgres/tables/sign-in-tables.ts';
import type { Claim } from '../queue/queue.ts';
import { emailLeaseSeconds, isSoon } from './emails.ts';
import type { MailWay } from './smtp.ts';

/** Emails with a link for a new password that one address gets in an hour. */
const mostAnHour = 3;
/** The error of an email that no user can get: a request for a new password can name any address. */
export const noReader = 'no such user';
/** Days that invitations are listed. */
const keptDays = 30;

/** An invitation to send. */
export interface InvitationMail {
  readonly accountGuid: string;
  readonly organisationId: OrganisationId;
  readonly email: string;
  readonly culture: string;
  readonly expiresOn: Date;
}

async function insert(
  trx: Db,
  values: {
    readonly kind: AccountMailKind;
    readonly account_guid: string | null;
    readonly organisation_guid: string | null;
    readonly email: string;
    readonly culture: string;
    readonly expires_on: Date;
  },
): Promise<void> {
  const guid = newGuid();
  await trx
    .insertInto('account_mail')
    .values({ guid, ...values })
    .execute();
  await notify(trx, { kind: 'mail-due', guid, organisation: null });
}

/** Adds an invitation to the outbox; it replaces an earlier one of the account. */
export async function insertInvitationMail(trx: Db, mail: InvitationMail): Promise<void> {
  const { accountGuid, organisationId, email, culture, expiresOn } = mail;
  await trx
    .deleteFrom('account_mail')
    .where('account_guid', '=', accountGuid)
    .where('kind', '=', 'invitation')
    .execute();
  await insert(trx, {
    kind: 'invitation',
    account_guid: accountGuid,
    organisation_guid: organisationId,
    email,
    culture,
    expires_on: expiresOn,
  });
}

/**
 * Adds a request for a new password to the outbox, even if no account has the address. Nothing is added if the
 * address has had enough of them.
 */
export async function insertPasswordMail(
  db: Db,
  { email, culture, expiresOn }: Pick<InvitationMail, 'email' | 'culture' | 'expiresOn'>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // of requests at the same time, each sees those before it
    await sql`select pg_advisory_xact_lock(hashtext(${`account_mail ${foldEmail(email)}`}))`.execute(
      trx,
    );
    const { count } = await trx
      .selectFrom('account_mail')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', 'password')
      .where(sql<boolean>`lower(email collate "C") = ${foldEmail(email)}`)
      .where('created_on', '>', sql<Date>`now() - interval '1 hour'`)
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostAnHour) return;
    const none = { account_guid: null, organisation_guid: null };
    await insert(trx, { kind: 'password', ...none, email, culture, expires_on: expiresOn });
  });
}

/** Milliseconds after which news are not sent any more. */
const newsMs = 86_400_000;

/** Tells a user that their second factors were changed or replaced by a recovery code. */
export async function insertFactorMail(
  trx: Db,
  { accountGuid, kind }: { readonly accountGuid: string; readonly kind: FactorMailKind },
): Promise<void> {
  const account = await findAccount(trx, accountGuid);
  if (account === null) return;
  await insert(trx, {
    kind,
    account_guid: accountGuid,
    organisation_guid: null,
    email: account.email,
    culture: account.culture ?? 'en-US',
    expires_on: new Date(Date.now() + newsMs),
  });
}

/** A claimed email with all its data. */
export interface ClaimedAccountMail extends Claim {
  readonly kind: AccountMailKind;
  /** Null for a new password: the address identifies the account. */
  readonly accountGuid: string | null;
  readonly email: string;
  readonly culture: string;
  readonly createdOn: Date;
  /** When the day began for which the email is retried. */
  readonly triedSince: Date;
  readonly expiresOn: Date;
  /** Of an invitation. */
  readonly organisationName: string | null;
  readonly inviterName: string | null;
}

/** Claims up to `count` due emails, the longest due first. A claim increments the attempt and is also the lease. */
export async function claimAccountEmails(
  db: Db,
  count: number,
): Promise<readonly ClaimedAccountMail[]> {
  const { rows } = await sql<ClaimedAccountMail>`
    update account_mail
    set attempt = attempt + 1, due_on = now() + make_interval(secs => ${emailLeaseSeconds})
    where guid = any(array(
        select guid from account_mail
        where status = 'waiting' and due_on <= now()
        order by due_on
        limit ${count}
        for update skip locked))
    returning guid, attempt, kind, account_guid as "accountGuid", email, culture,
      created_on as "createdOn", coalesce(retried_on, created_on) as "triedSince", expires_on as "expiresOn",
      (select name from organisation where guid = organisation_guid) as "organisationName",
      (select display_name from invitation join account on account.guid = invitation.invited_by
        where invitation.account_guid = account_mail.account_guid) as "inviterName"`.execute(db);
  return rows;
}

const claimed = (db: Db, { guid, attempt }: Claim) =>
  db
    .updateTable('account_mail')
    .where('guid', '=', guid)
    .where('attempt', '=', attempt)
    .where('status', '=', 'waiting');

/** Records that an email was sent, and how. */
export async function markAccountMailSent(db: Db, claim: Claim, way: MailWay): Promise<void> {
  await claimed(db, claim)
    .set({ status: 'sent', sent_on: sql`now()`, way, last_error: null })
    .execute();
}

/** Records why an attempt failed, and when the next one is due; null: there is none. */
export async function markAccountMailFailed(
  db: Db,
  claim: Claim,
  error: string,
  afterSeconds: number | null,
): Promise<void> {
  await claimed(db, claim)
    .set(
      afterSeconds === null
        ? { status: 'failed', last_error: error }
        : { due_on: sql`now() + make_interval(secs => ${afterSeconds})`, last_error: error },
    )
    .execute();
}

/**
 * Sends a failed email again, and a waiting one at once, as `retryMail` does, unless it has no reader. Returns whether
 * it will be sent. `isExternal`: users sign in at an external provider, so the email contains no link that expires.
 */
export async function retryAccountMail(
  trx: Db,
  guid: string,
  isExternal: boolean,
): Promise<boolean> {
  const row = await trx
    .selectFrom('account_mail')
    .where('guid', '=', guid)
    .where('status', 'in', ['waiting', 'failed'])
    .where('last_error', 'is distinct from', noReader)
    .where(sql<boolean>`(${isExternal} or expires_on > now())`)
    .select(['status', isSoon.as('isSoon')])
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.status === 'waiting' && row.isSoon) return true;
  await trx
    .updateTable('account_mail')
    .set({ status: 'waiting', due_on: sql`now()`, retried_on: sql`now()` })
    .where('guid', '=', guid)
    .execute();
  await notify(trx, { kind: 'mail-due', guid, organisation: null });
  return true;
}

/** Deletes emails whose outcome is no longer shown, and returns how many. The sweep calls it. */
export async function sweepAccountEmails(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('account_mail')
    .where(({ eb, and, or }) =>
      or([
        eb('created_on', '<', sql<Date>`now() - make_interval(days => ${keptDays})`),
        // anyone can create these
        and([
          eb('kind', '=', 'password'),
          eb('created_on', '<', sql<Date>`now() - interval '1 day'`),
        ]),
      ]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
