/** Owns the table mail: the outbox, from which emails are claimed like operations, and the link in each email. */
import { emailsPerDay } from '@recodery/contract/features/notifications';
import { sql } from 'kysely';
import { mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import { notify } from '../postgres/announce.ts';
import type { Claim } from '../queue/queue.ts';
import type { Pauses } from '../queue/retry-rules.ts';
import type { MailWay } from './smtp.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { hashToken } from './link-token.ts';
import { sealedFiles } from '../postgres/sealed-files.ts';
import type { FileOrigin } from './file-origin.ts';

/** The status of an email; `revoked` means withdrawn by its sender. */
export type MailStatus = 'waiting' | 'sent' | 'failed' | 'revoked';
/** Why an email failed: daily limit exceeded, refused by the mail server, or undeliverable for a whole day. */
export type MailFailure = 'limit' | 'refused' | 'undeliverable';

/** Seconds that a claim lasts: a process that has not recorded a result by then is considered dead. */
export const emailLeaseSeconds = 60;
/**
 * Whether a row is due before a claim of this moment would end. Not `now()`, the beginning of the transaction: the row
 * may have been claimed since then.
 */
export const isSoon = sql<boolean>`due_on <= clock_timestamp() + make_interval(secs => ${emailLeaseSeconds})`;
/** Seconds between the attempts to send an email. */
export const mailPauses: Pauses = { first: 5, longest: 600 };

/** An email to send; its notification must already exist. */
export interface NewMail {
  /** The notification's. */
  readonly guid: string;
  readonly organisationId: OrganisationId;
  readonly email: string;
  readonly culture: string;
  readonly shareKeyId: number;
  readonly tokenHash: Buffer;
  readonly expiresOn: Date;
}

/**
 * Adds an email to the outbox. Beyond the organisation's limit it is recorded as failed, so that its sender sees it.
 * `trx` must be a transaction: it keeps the organisation's row locked until it commits, so that concurrent calls
 * respect the limit.
 */
export async function insertMail(trx: Db, mail: NewMail): Promise<void> {
  await lockOrganisation(trx, mail.organisationId);
  const { count } = await trx
    .selectFrom('mail')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_guid', '=', mail.organisationId)
    .where('created_on', '>', sql<Date>`now() - interval '1 day'`)
    .where(sql<boolean>`failure is distinct from 'limit'`)
    .executeTakeFirstOrThrow();
  const isTooMuch = count >= emailsPerDay;
  await trx
    .insertInto('mail')
    .values({
      guid: mail.guid,
      organisation_guid: mail.organisationId,
      email: mail.email,
      culture: mail.culture,
      status: isTooMuch ? 'failed' : 'waiting',
      failure: isTooMuch ? 'limit' : null,
      share_key_id: mail.shareKeyId,
      token_hash: mail.tokenHash,
      expires_on: mail.expiresOn,
    })
    .execute();
  if (!isTooMuch) await notify(trx, { kind: 'mail-due', guid: mail.guid, organisation: null });
}

/** The {@link FileOrigin} of the file that a notification is about; null: its slot is no longer stored. */
const originOfFile = sql<FileOrigin | null>`
  (select jsonb_build_object('family', slot.family, 'isDouble', slot.is_double, 'sealedOn', (
      select sealed_on from ${sealedFiles} as sealed
      where sealed.slot_guid = slot.guid and file_guid = notification.target_file_guid::text
      limit 1))
    from slot where slot.guid = notification.slot_guid)`;

/** A claimed email with all its data. */
export interface ClaimedMail extends Claim {
  /** The sending organisation's GUID. */
  readonly organisation: string;
  readonly email: string;
  readonly culture: string;
  readonly createdOn: Date;
  /** When the day began for which the email is retried. */
  readonly triedSince: Date;
  readonly expiresOn: Date;
  readonly shareKeyId: number;
  readonly senderName: string;
  readonly senderEmail: string | null;
  readonly fileName: string;
  readonly slaveSerialNumber: string | null;
  readonly note: string | null;
  /** The time zone of the sending organisation, or of the sender's browser; null: unknown. */
  readonly timeZone: string | null;
  /** Null for files that were encoded before receipts existed. */
  readonly receiptCode: string | null;
  readonly origin: FileOrigin | null;
}

/** Claims up to `count` due emails, the longest due first. A claim increments the attempt and is also the lease. */
export async function claimEmails(db: Db, count: number): Promise<readonly ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    update mail
    set attempt = attempt + 1, due_on = now() + make_interval(secs => ${emailLeaseSeconds})
    from notification, organisation
    -- as an array: a subquery could run once for each row, and lock more rows every time
    where mail.guid = any(array(
        select guid from mail
        where status = 'waiting' and due_on <= now()
          and not exists (select from notification where notification.guid = mail.guid and revoked_on is not null)
        order by due_on
        limit ${count}
        for update skip locked))
      and notification.guid = mail.guid
      and organisation.guid = mail.organisation_guid
    returning mail.guid, mail.attempt, mail.organisation_guid as organisation, mail.email, mail.culture, mail.created_on as "createdOn",
      coalesce(mail.retried_on, mail.created_on) as "triedSince",
      mail.expires_on as "expiresOn", mail.share_key_id as "shareKeyId",
      notification.sender_name as "senderName", organisation.email as "senderEmail",
      notification.file_name as "fileName", notification.slave_serial_number as "slaveSerialNumber",
      notification.note,
      coalesce(
        (select time_zone from organisation_preferences where organisation_guid = mail.organisation_guid),
        (select time_zone from account where account.guid = notification.sender_account_guid)) as "timeZone",
      (select code from receipt
        where receipt.organisation_guid = mail.organisation_guid and receipt.slot_guid = notification.slot_guid
          and receipt.file_guid = notification.target_file_guid) as "receiptCode",
      ${originOfFile} as "origin"`.execute(db);
  return rows;
}

/** Notifies the sender about an email, in the transaction that records the change; `guid` is the notification's. */
export interface EmailNews {
  /** It was sent, or its file was downloaded for the first time. */
  changed(trx: Db, guid: string): Promise<void>;
  /** It will never be sent. */
  failed(trx: Db, guid: string): Promise<void>;
}

function claimedEmail(db: Db, claim: Claim) {
  return db
    .updateTable('mail')
    .where('guid', '=', claim.guid)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'waiting');
}

/** Records that an email was sent, and how. */
export function markSent(db: Db, claim: Claim, way: MailWay, news: EmailNews): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await claimedEmail(trx, claim)
      .set({ status: 'sent', sent_on: sql`now()`, way, last_error: null })
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await news.changed(trx, claim.guid);
  });
}

/** Schedules the next attempt of an email. */
export async function postpone(
  db: Db,
  claim: Claim,
  afterSeconds: number,
  error: string,
): Promise<void> {
  await claimedEmail(db, claim)
    .set({ due_on: sql`now() + make_interval(secs => ${afterSeconds})`, last_error: error })
    .execute();
}

/** Records that an email will not be sent. */
export function failMail(
  db: Db,
  claim: Claim,
  failure: MailFailure,
  error: string,
  news: EmailNews,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await claimedEmail(trx, claim)
      .set({ status: 'failed', failure, last_error: error })
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await news.failed(trx, claim.guid);
  });
}

/**
 * Sends a failed email again, and a waiting one at once, unless its sender has withdrawn it or its link has expired.
 * One that is due within the lease of a claim may be on its way, and is left to it. Returns whether it will be sent.
 */
export async function retryMail(trx: Db, guid: string, news: EmailNews): Promise<boolean> {
  const row = await trx
    .selectFrom('mail')
    .where('guid', '=', guid)
    .where('status', 'in', ['waiting', 'failed'])
    .where('expires_on', '>', sql<Date>`now()`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notification')
            .select('notification.guid')
            .whereRef('notification.guid', '=', 'mail.guid')
            .where('revoked_on', 'is not', null),
        ),
      ),
    )
    .select(['status', isSoon.as('isSoon')])
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.status === 'waiting' && row.isSoon) return true;
  await trx
    .updateTable('mail')
    .set({ status: 'waiting', failure: null, due_on: sql`now()`, retried_on: sql`now()` })
    .where('guid', '=', guid)
    .execute();
  await notify(trx, { kind: 'mail-due', guid, organisation: null });
  if (row.status === 'failed') await news.changed(trx, guid);
  return true;
}

/** The target of a link. */
export interface Share {
  readonly guid: string;
  readonly senderOrganisationId: OrganisationId;
  readonly senderName: string;
  readonly culture: string;
  readonly slaveSerialNumber: string | null;
  readonly note: string | null;
  readonly fileGuid: string | null;
  /** The public name of the file. */
  readonly fileName: string;
  readonly expiresOn: Date;
  /** Null for a file that was encoded before receipts existed. */
  readonly receiptCode: string | null;
  readonly origin: FileOrigin | null;
  readonly state: 'open' | 'expired' | 'revoked';
}

/** The target of the link with that token, or null if there is no such link. */
export async function findShare(db: Db, token: string): Promise<Share | null> {
  const row = await db
    .selectFrom('mail')
    .innerJoin('notification', 'notification.guid', 'mail.guid')
    .leftJoin('receipt', (join) =>
      join
        .onRef('receipt.organisation_guid', '=', 'mail.organisation_guid')
        .onRef('receipt.slot_guid', '=', 'notification.slot_guid')
        .onRef('receipt.file_guid', '=', 'notification.target_file_guid'),
    )
    .where('mail.token_hash', '=', hashToken(token))
    .select([
      'mail.guid',
      'mail.culture',
      'mail.expires_on',
      'notification.sender_organisation_guid',
      'notification.sender_name',
      'notification.slave_serial_number',
      'notification.note',
      'notification.file_name',
      'notification.target_file_guid',
      'notification.revoked_on',
      'receipt.code as receipt_code',
      originOfFile.as('origin'),
      sql<boolean>`mail.expires_on <= now()`.as('is_expired'),
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    guid: row.guid,
    // anyone with the link may read the file
    senderOrganisationId: mintOrganisationId(row.sender_organisation_guid),
    senderName: row.sender_name,
    culture: row.culture,
    slaveSerialNumber: row.slave_serial_number,
    note: row.note,
    fileGuid: row.target_file_guid,
    fileName: row.file_name,
    expiresOn: row.expires_on,
    receiptCode: row.receipt_code,
    origin: row.origin,
    state: row.revoked_on !== null ? 'revoked' : row.is_expired ? 'expired' : 'open',
  };
}

/** The code of the receipt of an encoded file; null: it was encoded before receipts existed. */
export async function findReceiptCode(
  db: Db,
  file: { guid: string; slotGuid: string; organisationId: OrganisationId },
): Promise<string | null> {
  const row = await db
    .selectFrom('receipt')
    .select('code')
    .where('organisation_guid', '=', file.organisationId)
    .where('slot_guid', '=', file.slotGuid)
    .where('file_guid', '=', file.guid)
    .executeTakeFirst();
  return row?.code ?? null;
}

/** Records the first download by a link. Later ones change nothing. */
export function recordDownload(db: Db, guid: string, news: EmailNews): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('mail')
      .set({ first_download_on: sql`now()` })
      .where('guid', '=', guid)
      .where('first_download_on', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await news.changed(trx, guid);
  });
}

/** Withdraws an email that has not been sent yet: it no longer needs to be. */
export async function revokeMail(trx: Db, guid: string): Promise<void> {
  await trx
    .updateTable('mail')
    .set({ status: 'revoked' })
    .where('guid', '=', guid)
    .where('status', '=', 'waiting')
    .execute();
}

/**
 * Deletes what emails contain, and disables their links; returns those of the last day, whose rows must stay as long as
 * they count toward the limit.
 */
export async function eraseEmails(trx: Db, guids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ guid: string }>`
    update mail
    set status = 'revoked', email = '', last_error = null, expires_on = now(), token_hash = uuid_send(gen_random_uuid())
    where guid = any(${guids}::uuid[]) and created_on > now() - interval '1 day'
      and failure is distinct from 'limit'
    returning guid`.execute(trx);
  return rows.map(({ guid }) => guid);
}
