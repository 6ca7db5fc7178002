/** Deletes notifications, expired ones and those of a deleted slot, or what is personal in them. A second owner of the table notification. */
import { logDays } from '@recodery/contract/features/operations-log';
import { sql } from 'kysely';
import { eraseEmails } from '../email/emails.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Slot } from '../slots/slots.ts';

/**
 * Deletes the notifications of a slot with their emails: the links in them stop working. Those with an email that still
 * counts for the daily limit are emptied, and no one sees them; the sweep deletes them.
 */
export async function deleteSlotNotifications(
  trx: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<void> {
  const { rows } = await sql<{ guid: string }>`
    select guid from notification
    where sender_organisation_guid = ${organisationId} and slot_guid = ${slotGuid}`.execute(trx);
  const guids = rows.map(({ guid }) => guid);
  const counted = await eraseEmails(trx, guids);
  await sql`
    delete from notification
    where guid = any(${guids}::uuid[]) and guid <> all(${counted}::uuid[])`.execute(trx);
  await sql`
    update notification
    set sender_account_guid = null, sender_client_guid = null, sender_name = '', receiver_organisation_guid = null,
      receiver_name = null, completed_on = 'epoch', file_name = '', slave_serial_number = null, target = null,
      target_file_guid = null, target_file_name = null, error_name = null, error_detail = null, internal_code = null,
      is_private = true, note = null, revoked_on = now()
    where guid = any(${counted}::uuid[])`.execute(trx);
}

/** Changes the names in the notifications of a slot, which can outlive it, to remove personal data. */
export async function hideInNotifications(
  trx: Db,
  { guid, organisationId }: Pick<Slot, 'guid' | 'organisationId'>,
  hide: (text: string) => string,
): Promise<void> {
  const rows = await trx
    .selectFrom('notification')
    .select(['guid', 'file_name', 'target_file_name', 'error_detail', 'note'])
    .where('sender_organisation_guid', '=', organisationId)
    .where('slot_guid', '=', guid)
    .execute();
  const hideIn = (text: string | null) => (text === null ? null : hide(text));
  for (const row of rows)
    await trx
      .updateTable('notification')
      .set({
        file_name: hide(row.file_name),
        target_file_name: hideIn(row.target_file_name),
        error_detail: hideIn(row.error_detail),
        note: hideIn(row.note),
      })
      .where('guid', '=', row.guid)
      .execute();
}

/**
 * Deletes at most `count` notifications of operations that finished before the retention of slots and of the log, with
 * their emails, whose links have expired by then; returns how many. Those of sent files stay as long as their job, which
 * shows to whom they were sent.
 */
export async function deleteExpiredNotifications(
  db: Db,
  retentionDays: number,
  count: number,
): Promise<number> {
  const { rows } = await sql<{ guid: string }>`
    delete from notification
    where guid in (
      select guid from notification
      where completed_on < now() - make_interval(days => ${Math.max(retentionDays, logDays)})
        and not exists (
          select from mail where mail.guid = notification.guid and created_on > now() - interval '1 day')
        and not (
          (receiver_organisation_guid is not null
            or exists (select from mail where mail.guid = notification.guid))
          and exists (
            select from slot where slot.guid = notification.slot_guid and slot.deleted_on is null))
      limit ${count}
      for update skip locked)
    returning guid`.execute(db);
  return rows.length;
}
