/** Owns the table tray: read files that a user dropped together. */
import { Refusal } from '@recodery/contract/refusal';
import { mostListedTrays, type TraySummary } from '@recodery/contract/features/trays';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Doer, OrganisationId } from '../organisations/caller.ts';
import { retentionInterval } from '../organisations/retention.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** A row of the tray table. */
export interface TrayRow {
  readonly guid: string;
  /** Null until a user gives it one. */
  readonly name: string | null;
  readonly createdOn: Date;
}

/** Maximum trays of an organisation without an upload; a program could otherwise add any number of them. */
export const mostUnusedTrays = 200;

/** Deletes the oldest trays of an organisation in which nothing was uploaded, so that there is room for one more. */
export async function deleteUnusedTrays(db: Db, organisationId: OrganisationId): Promise<void> {
  await sql`
    delete from tray where guid in (
      select guid from tray
      where guid in (
        select guid from tray
        where organisation_guid = ${organisationId} and not exists (
          select from tray_file where tray_guid = tray.guid and operation_guid is not null)
        order by created_on desc offset ${mostUnusedTrays - 1})
      for update skip locked)`.execute(db);
}

/** Inserts an empty tray and returns its guid. */
export async function insertTray(
  db: Db,
  { organisationId, accountGuid, clientGuid }: Doer,
): Promise<string> {
  const guid = newGuid();
  await db
    .insertInto('tray')
    .values({
      guid,
      organisation_guid: organisationId,
      account_guid: accountGuid,
      client_guid: clientGuid,
    })
    .execute();
  return guid;
}

/** A tray of the organisation, or null. `isLocked`: until the transaction ends. */
export async function findTray(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
  isLocked = false,
): Promise<TrayRow | null> {
  const row = await db
    .selectFrom('tray')
    .select(['guid', 'name', 'created_on as createdOn'])
    .where('organisation_guid', '=', organisationId)
    .where('guid', '=', guid)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  return row ?? null;
}

/** Gives a tray a name; null removes it. Refuses with NOT_FOUND. */
export async function nameTray(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
  name: string | null,
): Promise<void> {
  const named = await db
    .updateTable('tray')
    .set({ name: name?.trim() || null })
    .where('organisation_guid', '=', organisationId)
    .where('guid', '=', guid)
    .returning('guid')
    .executeTakeFirst();
  if (named === undefined) throw new Refusal('NOT_FOUND');
}

/** The caller's own trays with files, newest first. */
export async function listOwnTrays(
  db: Db,
  { organisationId, accountGuid, clientGuid }: Doer,
): Promise<TraySummary[]> {
  const rows = await db
    .selectFrom('tray')
    .innerJoin('tray_file', 'tray_file.tray_guid', 'tray.guid')
    .where('tray.organisation_guid', '=', organisationId)
    .$if(accountGuid !== null, (query) => query.where('tray.account_guid', '=', accountGuid))
    .$if(accountGuid === null, (query) => query.where('tray.client_guid', '=', clientGuid))
    .groupBy('tray.guid')
    .select(['tray.guid', 'tray.name', 'tray.created_on as createdOn'])
    .select(sql<number>`count(*)::integer`.as('fileCount'))
    // once it is uploaded, the slot has its name
    .select(
      sql<string | null>`(
        select coalesce(file.name, slot.read_file_name)
        from tray_file file
          left join operation on operation.guid = file.operation_guid
          left join slot on slot.guid = operation.slot_guid
        where file.tray_guid = tray.guid order by file.position limit 1)`.as('firstFileName'),
    )
    .orderBy('tray.created_on', 'desc')
    .limit(mostListedTrays)
    .execute();
  return rows.map((row) => ({ ...row, createdOn: row.createdOn.toISOString() }));
}

/**
 * Deletes at most `count` trays of all organisations that are older than their retention, with their files' rows;
 * returns how many. `days`: the retention of organisations that have not chosen one.
 */
export async function deleteExpiredTrays(db: Db, days: number, count: number): Promise<number> {
  const { rows } = await sql<{ guid: string }>`
    delete from tray where guid in (
      select tray.guid from tray join organisation on organisation.guid = tray.organisation_guid
      where tray.created_on < now() - ${retentionInterval(days)}
      limit ${count} for update of tray skip locked)
    returning guid`.execute(db);
  return rows.length;
}
