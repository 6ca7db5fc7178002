/** Slots as jobs: their note, whether they are kept, and how they are found. A second owner of the table slot. */
import { sql } from 'kysely';
import type { Caller } from '../organisations/caller.ts';
import { retentionIntervalOf } from '../organisations/retention.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { expiresBefore } from './expiring-slots.ts';
import { changeSlotExpiry } from './files/file-expiry.ts';
import type { Slot } from './slots.ts';

function ownSlot(db: Db, { organisationId }: Caller, guid: string) {
  return db
    .updateTable('slot')
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .where('deleted_on', 'is', null);
}

/** Replaces the note of a slot; empty: none. Returns whether the organisation has that slot. */
export async function setNote(
  db: Db,
  caller: Caller,
  guid: string,
  text: string,
): Promise<boolean> {
  const note = text.trim();
  const { numUpdatedRows } = await ownSlot(db, caller, guid)
    .set(
      note === ''
        ? { note: null, note_account_guid: null, noted_on: null }
        : { note, note_account_guid: caller.accountGuid, noted_on: sql`now()` },
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What users knew about a job before it was imported. */
export interface ImportedMarks extends VehicleChange {
  readonly createdOn: Date;
  readonly isKept: boolean;
  readonly note: string | null;
  readonly notedOn: Date | null;
  /** The export that it comes from; null: not known. */
  readonly origin: { readonly customerCode: string; readonly exportedOn: Date } | null;
}

/** Records that a new slot was imported. Its retention begins now. `trx` must be the transaction that inserts it. */
export async function markImported(
  trx: Db,
  caller: Caller,
  guid: string,
  { createdOn, isKept, note, notedOn, origin, ...vehicle }: ImportedMarks,
): Promise<void> {
  await ownSlot(trx, caller, guid)
    .set({
      created_on: createdOn,
      imported_on: sql`now()`,
      imported_from: origin?.customerCode ?? null,
      exported_on: origin?.exportedOn ?? null,
      retained_since: sql`now()`,
      is_kept: isKept,
      note,
      noted_on: note === null ? null : notedOn,
    })
    .execute();
  await setVehicle(trx, caller, guid, vehicle);
}

/** What a user changes about the vehicle of a job; empty or null: nothing is entered; absent: it stays unchanged. */
export interface VehicleChange {
  readonly customerLabel?: string | null | undefined;
  readonly plate?: string | null | undefined;
  readonly vehicleMake?: string | null | undefined;
  readonly vehicleModel?: string | null | undefined;
}

/** Changes what users entered about the vehicle of a slot. Returns whether the organisation has that slot. */
export async function setVehicle(
  db: Db,
  caller: Caller,
  guid: string,
  change: VehicleChange,
): Promise<boolean> {
  const { numUpdatedRows } = await ownSlot(db, caller, guid)
    .set(({ ref }) => {
      const valueOf = <C extends 'customer_label' | 'plate' | 'vehicle_make' | 'vehicle_model'>(
        column: C,
        text: string | null | undefined,
      ) => (text === undefined ? ref(column) : text?.replace(/\s+/gu, ' ').trim() || null);
      return {
        customer_label: valueOf('customer_label', change.customerLabel),
        // only what is new: each row has a label at most once
        past_labels: sql`case when customer_label is null or customer_label = any(past_labels) then past_labels
          else past_labels || customer_label end`,
        plate: valueOf('plate', change.plate),
        vehicle_make: valueOf('vehicle_make', change.vehicleMake),
        vehicle_model: valueOf('vehicle_model', change.vehicleModel),
      };
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Keeps a slot with its files, or restarts its retention now, so that a job that was kept for years is not deleted
 * immediately. `defaultDays`: the retention of organisations that have not chosen one. Returns whether the organisation
 * has that slot.
 */
export async function setKept(
  db: Db,
  caller: Caller,
  guid: string,
  { isKept, defaultDays }: { readonly isKept: boolean; readonly defaultDays: number },
): Promise<boolean> {
  const { organisationId } = caller;
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await ownSlot(trx, caller, guid)
      .where('is_kept', '!=', isKept)
      .set(isKept ? { is_kept: true } : { is_kept: false, retained_since: sql`now()` })
      .executeTakeFirst();
    if (numUpdatedRows > 0n) {
      if (!isKept) await changeSlotExpiry(trx, organisationId, guid, defaultDays);
      return true;
    }
    const there = trx.selectFrom('slot').select('guid').where('guid', '=', guid);
    const own = there.where('organisation_guid', '=', organisationId);
    return (await own.where('deleted_on', 'is', null).executeTakeFirst()) !== undefined;
  });
}

/** Which slots to keep: those that are named, and those that the retention deletes up to a time. */
export interface SlotsToKeep {
  readonly guids: readonly string[];
  readonly until: string | null;
  /** The retention of organisations that have not chosen one. */
  readonly defaultDays: number;
}

/** Keeps slots with their files; returns how many of them are kept now: no deleted ones, and none of other organisations. */
export async function keepSlots(
  db: Db,
  { organisationId }: Caller,
  { guids, until, defaultDays }: SlotsToKeep,
): Promise<number> {
  // times in responses have milliseconds, those in the database microseconds
  const expires =
    until === null
      ? sql`false`
      : expiresBefore(
          organisationId,
          defaultDays,
          sql`${until}::timestamptz + interval '1 millisecond'`,
        );
  const { numAffectedRows } = await sql`
    update slot set is_kept = true
    where organisation_guid = ${organisationId} and deleted_on is null
      and (guid = any(${guids}::uuid[]) or ${expires})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Keeps a slot with its files at least until then, whatever the retention is or becomes: a link to one of them is valid
 * that long. `defaultDays`: the retention of organisations that have not chosen one.
 */
export async function keepUntil(
  trx: Db,
  { guid, organisationId }: Pick<Slot, 'guid' | 'organisationId'>,
  until: Date,
  defaultDays: number,
): Promise<void> {
  const retention = retentionIntervalOf(sql`${organisationId}`, defaultDays);
  await trx
    .updateTable('slot')
    .set({
      kept_until: sql`greatest(kept_until, ${until}::timestamptz)`,
      // for workers of version 0.9 during a rolling upgrade, which do not know kept_until
      retained_since: sql`greatest(retained_since, ${until}::timestamptz - ${retention})`,
    })
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .execute();
  await changeSlotExpiry(trx, organisationId, guid, defaultDays);
}

/**
 * Makes at most `count` slots searchable that earlier versions described by other rules or not at all, the newest first;
 * returns how many. The table's trigger fills an empty `search`; the condition is that of the index `slot_undescribed`.
 */
export async function describeOldSlots(db: Db, count: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update slot set search = ''
    where guid = any(array(
      select guid from slot
      where deleted_on is null and not search @@ '''::2'''::tsquery
      order by created_on desc
      limit ${count}
      for update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
