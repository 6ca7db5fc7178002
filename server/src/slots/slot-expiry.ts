/** Deletes slots: which have expired, and what is left of a deleted one. A third owner of the table slot. */
import { logDays } from '@recodery/contract/features/operations-log';
import { sql } from 'kysely';
import { mintOrganisationId } from '../organisations/caller.ts';
import { retentionInterval } from '../organisations/retention.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findSlot, type Slot } from './slots.ts';

/** Operations that keep their slot and its files. */
const unfinished = sql`status in ('waiting', 'running')`;

/**
 * Whether a slot is neither deleted nor kept, by a user or for a link, and older than its organisation's retention, by
 * default `days`.
 */
function isExpired(days: number) {
  const limit = sql`now() - ${retentionInterval(days)}`;
  return sql`slot.deleted_on is null and not is_kept and slot.created_on < ${limit}
    and coalesce(retained_since, slot.created_on) < ${limit} and coalesce(kept_until < now(), true)`;
}

/**
 * The oldest slots of all organisations that are older than their retention, are not kept and have no unfinished
 * operation. `days`: the retention of organisations that have not chosen one.
 */
export async function listExpiredSlots(db: Db, days: number, count: number): Promise<string[]> {
  const { rows } = await sql<{ guid: string }>`
    select slot.guid from organisation cross join lateral (
      select guid, created_on from slot
      where organisation_guid = organisation.guid and ${isExpired(days)}
        and not exists (select from operation where slot_guid = slot.guid and ${unfinished})
      order by created_on, guid limit ${count}) slot
    order by slot.created_on limit ${count}`.execute(db);
  return rows.map(({ guid }) => guid);
}

/**
 * Locks a slot of any organisation until the transaction ends; null when it is already locked, or no longer one of
 * those that {@link listExpiredSlots} returns, apart from the check for operations.
 */
export async function lockExpiredSlot(trx: Db, guid: string, days: number): Promise<Slot | null> {
  const { rows } = await sql<{ organisation: string }>`
    select slot.organisation_guid as organisation
    from slot join organisation on organisation.guid = slot.organisation_guid
    where slot.guid = ${guid} and ${isExpired(days)} for update of slot skip locked`.execute(trx);
  const [row] = rows;
  return row === undefined ? null : findSlot(trx, mintOrganisationId(row.organisation), guid);
}

/** Deletes a slot together with its vehicle data; `hide` removes it from the file name. */
export async function forgetVehicle(
  trx: Db,
  { guid, readFileName }: Slot,
  hide: (text: string) => string,
): Promise<void> {
  await trx
    .updateTable('slot')
    .set({
      deleted_on: sql`now()`,
      vin: null,
      facts: null,
      draft: null,
      check_limits: null,
      user_code: null,
      engine_context: null,
      remote_slot_guid: null,
      note: null,
      note_account_guid: null,
      noted_on: null,
      customer_label: null,
      past_labels: [],
      plate: null,
      vehicle_make: null,
      vehicle_model: null,
      is_kept: false,
      read_file_name: hide(readFileName),
    })
    .where('guid', '=', guid)
    .execute();
}

/**
 * Deletes at most `count` rows of deleted slots with their files and operations, once the log no longer needs them and
 * all their bytes are deleted; returns how many.
 */
export async function deleteExpiredSlotRows(db: Db, count: number): Promise<number> {
  const { rows } = await sql<{ guid: string }>`
    delete from slot
    where guid in (
      select guid from slot
      where deleted_on is not null and created_on < now() - make_interval(days => ${logDays})
        and not exists (
          select from stored_file where slot_guid = slot.guid and swept_on is null)
        and not exists (
          select from operation
          where slot_guid = slot.guid
            and (${unfinished} or created_on > now() - make_interval(days => ${logDays})))
      limit ${count}
      for update skip locked)
    returning guid`.execute(db);
  return rows.length;
}
