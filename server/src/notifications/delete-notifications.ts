/** Deletes notifications, expired ones and those of a deleted slot. A second owner of the table notification. */
import { logDays } from '@recodery/contract/operations-log';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/schema.ts';

/** Deletes the notifications of a slot with their emails: the links in them stop working. */
export async function deleteSlotNotifications(
  trx: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<void> {
  await sql`
    delete from notification
    where sender_organisation_guid = ${organisationId} and guid in (
      select guid from operation
      where organisation_guid = ${organisationId} and slot_guid = ${slotGuid})`.execute(trx);
}

/**
 * Deletes at most `count` notifications of operations that finished before the retention of slots and of the log, with
 * their emails, whose links have expired by then; returns how many.
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
      limit ${count}
      for update skip locked)
    returning guid`.execute(db);
  return rows.length;
}
