/**
 * Finds expired data in the database and marks it, one batch at a time. The only module that reads the slots and files
 * of all organisations; it serves no requests.
 */
import { logDays } from '@recodery/contract/operations-log';
import { type Kysely, sql } from 'kysely';
import type { JsonObject } from '../operations/operation-rules.ts';
import type { Database } from '../postgres/schema.ts';
import { forgetRead } from '../recoding/forget-read.ts';
import { vinHider } from '../texts/vin-rules.ts';

type Db = Kysely<Database>;

/** Rows of a batch: small enough that its locks do not delay other transactions. */
export const batchSize = 200;

/** Unfinished operations: their slots and files are kept. */
const unfinished = sql`status in ('waiting', 'running')`;

interface PastSlot {
  readonly guid: string;
  readonly read_file_name: string;
  readonly vin: string | null;
}

/**
 * Deletes slots older than `days` without running operations; returns how many. The vehicle data is removed at once
 * from the slot and its operations; the rows themselves stay for the log. Each slot has its own transaction, so that a
 * failure does not affect the others.
 * @throws {AggregateError} after the batch, the errors of slots that could not be deleted
 */
export async function deletePastSlots(db: Db, days: number): Promise<number> {
  const { rows } = await sql<{ guid: string }>`
    select guid from slot
    where deleted_on is null and created_on < now() - make_interval(days => ${days})
      and not exists (select from operation where slot_guid = slot.guid and ${unfinished})
    order by created_on limit ${batchSize}`.execute(db);
  const faults: unknown[] = [];
  let count = 0;
  for (const { guid } of rows) {
    await deleteIfIdle(db, guid).then(
      (isDeleted) => {
        if (isDeleted) count += 1;
      },
      (error: unknown) => faults.push(error),
    );
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} slots stay`);
  return count;
}

/** Deletes one slot unless an operation runs on it; returns whether it did. */
function deleteIfIdle(db: Db, guid: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<PastSlot>`
      select guid, read_file_name, vin from slot
      where guid = ${guid} and deleted_on is null
      for update skip locked`.execute(trx);
    const [slot] = rows;
    // checked again under the lock: an encode may have been inserted since the query
    if (slot === undefined || (await isBusy(trx, guid))) return false;
    await deletePastSlot(trx, slot);
    return true;
  });
}

async function isBusy(db: Db, slotGuid: string): Promise<boolean> {
  const { rows } = await sql<{ guid: string }>`
    select guid from operation where slot_guid = ${slotGuid} and ${unfinished} limit 1`.execute(db);
  return rows.length > 0;
}

async function deletePastSlot(trx: Db, { guid, read_file_name, vin }: PastSlot): Promise<void> {
  const hide = vinHider(vin);
  await trx
    .updateTable('slot')
    .set({
      deleted_on: sql<Date>`now()`,
      vin: null,
      facts: null,
      read_file_name: hide(read_file_name),
    })
    .where('guid', '=', guid)
    .execute();
  const files = await trx
    .selectFrom('stored_file')
    .select(['guid', 'name'])
    .where('slot_guid', '=', guid)
    .execute();
  for (const file of files.filter(({ name }) => hide(name) !== name)) {
    await trx
      .updateTable('stored_file')
      .set({ name: hide(file.name) })
      .where('guid', '=', file.guid)
      .execute();
  }
  const operations = await trx
    .selectFrom('operation')
    .select(['guid', 'request', 'result'])
    .where('slot_guid', '=', guid)
    .execute();
  for (const { guid: operation, request, result } of operations) {
    const forget = (json: unknown) => JSON.stringify(forgetRead(json as JsonObject, hide));
    await trx
      .updateTable('operation')
      .set({
        request: forget(request),
        result: result === null ? null : forget(result),
        context_data: null,
      })
      .where('guid', '=', operation)
      .execute();
  }
}

/** Marks expired files as deleted, unless an operation still runs on their slot; returns how many. */
export async function deletePastFiles(db: Db): Promise<number> {
  const { rows } = await sql<{ guid: string }>`
    update stored_file set deleted_on = now()
    where guid in (
      select guid from stored_file
      where deleted_on is null and expires_on <= now()
        and not exists (
          select from operation where operation.slot_guid = stored_file.slot_guid and ${unfinished})
      limit ${batchSize}
      for update skip locked)
    returning guid`.execute(db);
  return rows.length;
}

/** A deleted file whose bytes may still be in the storage. */
export interface UnsweptFile {
  readonly guid: string;
  readonly storageKey: string;
}

/** Deleted files whose bytes may still be in the storage, by guid from `after` on. */
export async function listUnsweptFiles(
  db: Db,
  after: string | null,
): Promise<readonly UnsweptFile[]> {
  let query = db
    .selectFrom('stored_file')
    .select(['guid', 'storage_key as storageKey'])
    .where('deleted_on', 'is not', null)
    .where('swept_on', 'is', null);
  if (after !== null) query = query.where('guid', '>', after);
  return query.orderBy('guid').limit(batchSize).execute();
}

/** Records that the bytes of these files are deleted. */
export async function markSwept(db: Db, guids: readonly string[]): Promise<void> {
  await sql`update stored_file set swept_on = now() where guid = any(${guids}::uuid[])`.execute(db);
}

/**
 * Deletes the rows of deleted slots with their files and operations, once the log no longer needs them and all their
 * bytes are deleted; returns how many.
 */
export async function forgetPastRows(db: Db): Promise<number> {
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
      limit ${batchSize}
      for update skip locked)
    returning guid`.execute(db);
  return rows.length;
}

/**
 * Deletes notifications of operations that finished before the retention of slots and of the log, with their emails,
 * whose links have expired by then; returns how many.
 */
export async function forgetPastNotifications(db: Db, retentionDays: number): Promise<number> {
  const days = Math.max(retentionDays, logDays);
  const { rows } = await sql<{ guid: string }>`
    delete from notification
    where guid in (
      select guid from notification
      where completed_on < now() - make_interval(days => ${days})
      limit ${batchSize}
      for update skip locked)
    returning guid`.execute(db);
  return rows.length;
}

/** Which of these operations are unfinished. */
export async function findUnfinished(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ guid: string }>`
    select guid from operation where guid = any(${guids}::uuid[]) and ${unfinished}`.execute(db);
  return new Set(rows.map(({ guid }) => guid));
}
