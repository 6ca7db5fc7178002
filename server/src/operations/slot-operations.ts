/**
 * The operations of a slot: what they reveal about it, and the removal of their data. Another owner of the table
 * operation.
 */
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { announcing } from '../postgres/announce.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { JsonObject, OperationRow } from './operation-rules.ts';
import { readOperationRow } from './operation-row.ts';
import { dueOf, findAnyOperation, type NewOperation } from './operations.ts';

/** The newest operation that prepared a restore kit of a slot, or null. */
export async function findBackgroundOperation(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<OperationRow | null> {
  const row = await db
    .selectFrom('operation')
    .selectAll()
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .where('is_background', '=', true)
    .where(sql<boolean>`request -> 'sealsAgain' is null`)
    .orderBy('created_on', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : readOperationRow(row);
}

/**
 * How many background operations that users requested in an organisation are unfinished. Only those reserve space.
 */
export async function countRequestedBackground(
  db: Db,
  organisationId: OrganisationId,
): Promise<number> {
  const { count } = await db
    .selectFrom('operation')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organisation_guid', '=', organisationId)
    .where('is_background', '=', true)
    .where('reserved_bytes', '>', 0)
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Makes the restore kit of a slot that waits until a worker is quiet one that a user has requested: it reserves `bytes`,
 * and is announced. Returns whether there was one. To be called before the slot is locked, as {@link cancelBackground}.
 */
export async function requestWaitingKit(
  trx: Db,
  {
    organisationId,
    slotGuid,
    connectionGuid,
  }: Pick<NewOperation, 'organisationId' | 'slotGuid' | 'connectionGuid'>,
  bytes: number,
): Promise<boolean> {
  const due = dueOf({ guid: slotGuid, organisationId, connectionGuid, isBackground: true });
  const row = await trx
    .updateTable('operation')
    .set({ reserved_bytes: bytes })
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .where('is_background', '=', true)
    .where('reserved_bytes', '=', 0)
    .where('status', '=', 'waiting')
    .where(sql<boolean>`request -> 'sealsAgain' is null`)
    .returning(announcing(due).as('announced'))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes unfinished background operations, because their slot is deleted. A worker that runs one loses its claim: it
 * records nothing, and deletes what it has stored. To be called before the slot is locked: the end of an operation
 * takes its locks in this order.
 */
export async function cancelBackground(trx: Db, slotGuid: string): Promise<void> {
  await trx
    .deleteFrom('operation')
    .where('slot_guid', '=', slotGuid)
    .where('is_background', '=', true)
    .where('status', 'in', ['waiting', 'running'])
    .execute();
}

/** Removes vehicle data from what the operations of a slot received and returned. */
export async function forgetRequests(
  trx: Db,
  slotGuid: string,
  forget: (json: JsonObject) => JsonObject,
): Promise<void> {
  const operations = await trx
    .selectFrom('operation')
    .select(['guid', 'request', 'result'])
    .where('slot_guid', '=', slotGuid)
    .execute();
  for (const { guid, request, result } of operations) {
    const write = (json: unknown) => JSON.stringify(forget(json as JsonObject));
    await trx
      .updateTable('operation')
      .set({
        request: write(request),
        result: result === null ? null : write(result),
        context_data: null,
        user_info: null,
      })
      .where('guid', '=', guid)
      .execute();
  }
}

/** The operation that made a file of a slot, with its request and result; null: it is not known. */
export async function findEncodeOf(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  fileGuid: string,
): Promise<OperationRow | null> {
  const guid = await findMaker(db, organisationId, slotGuid, fileGuid);
  return guid === null ? null : findAnyOperation(db, organisationId, guid);
}

/** The GUID of the operation that made a file of a slot, or null. */
export async function findMaker(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  fileGuid: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('operation')
    .select('guid')
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .where(sql<boolean>`result ->> 'fileGuid' = ${fileGuid}`)
    .executeTakeFirst();
  return row?.guid ?? null;
}
