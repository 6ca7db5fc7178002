/** Owns the table tray_file: the read files of a tray, and which operation decodes each of them. */
import { Refusal } from '@recodery/contract/refusal';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { mostTrayFiles, type NewTrayFile, type TrayError } from '@recodery/contract/features/trays';
import type { Workflow } from '@recodery/contract/families/registry';
import { type Kysely, sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { SelectedOperation } from '../operations/operation-row.ts';
import type { WrittenTogether } from '../operations/operations.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { buildOnce } from '../postgres/build-once.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { findTray, type TrayRow } from './trays.ts';

/** A row of the tray_file table, with the slot of its operation. */
export interface TrayFileRow {
  readonly guid: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string | null;
  readonly workflow: Workflow | null;
  readonly errorName: TrayError | null;
  readonly operationGuid: string | null;
  readonly slotGuid: string | null;
}

/** The rows of a tray's files with their operations and slots; a slot's name replaces that of its row. */
function filesOf(db: Db, organisationId: OrganisationId, trayGuid: string) {
  return db
    .selectFrom('tray_file')
    .innerJoin('tray', 'tray.guid', 'tray_file.tray_guid')
    .leftJoin('operation', 'operation.guid', 'tray_file.operation_guid')
    .leftJoin('slot', 'slot.guid', 'operation.slot_guid')
    .where('tray.organisation_guid', '=', organisationId)
    .where('tray.guid', '=', trayGuid)
    .select(['tray_file.guid', 'tray_file.size', 'tray_file.sha256', 'tray_file.workflow'])
    .select(({ fn }) => fn.coalesce('tray_file.name', 'slot.read_file_name').as('name'))
    .select('tray_file.error_name as errorName')
    .select('tray_file.operation_guid as operationGuid')
    .select('operation.slot_guid as slotGuid');
}

const selectFile = buildOnce(
  (db: Db, organisationId: OrganisationId, trayGuid: string, guid: string) =>
    filesOf(db, organisationId, trayGuid).modifyFront(keepPlan).where('tray_file.guid', '=', guid),
);

/** The files of a tray, in the order in which they were added. */
export async function listTrayFiles(
  db: Db,
  organisationId: OrganisationId,
  trayGuid: string,
): Promise<readonly TrayFileRow[]> {
  const rows = await filesOf(db, organisationId, trayGuid).orderBy('position').execute();
  return rows.map((row) => ({ ...row, name: row.name ?? '' }));
}

/** A file of a tray of the organisation. Refuses with NOT_FOUND. */
export async function requireTrayFile(
  db: Db,
  organisationId: OrganisationId,
  { trayGUID, trayFileGUID }: { readonly trayGUID: string; readonly trayFileGUID: string },
): Promise<TrayFileRow> {
  const [row] = await selectFile(db, organisationId, trayGUID, trayFileGUID);
  if (row === undefined) throw new Refusal('NOT_FOUND');
  return { ...row, name: row.name ?? '' };
}

/** The files that a tray does not have yet, each once. */
function withoutKnown(
  known: readonly TrayFileRow[],
  files: readonly NewTrayFile[],
): readonly NewTrayFile[] {
  const hashes = new Set(known.map(({ sha256 }) => sha256));
  return files.filter(({ sha256 }) => {
    if (sha256 === null) return true;
    const isNew = !hashes.has(sha256);
    hashes.add(sha256);
    return isNew;
  });
}

/**
 * Adds files to a tray, without those whose hash it already has. `trx` must be a transaction.
 * @throws {Refusal} NOT_FOUND; BAD_REQUEST when it would have too many
 */
export async function addTrayFiles(
  trx: Db,
  organisationId: OrganisationId,
  trayGuid: string,
  files: readonly NewTrayFile[],
): Promise<TrayRow> {
  const tray = await findTray(trx, organisationId, trayGuid, true);
  if (tray === null) throw new Refusal('NOT_FOUND');
  const known = await listTrayFiles(trx, organisationId, tray.guid);
  const added = withoutKnown(known, files);
  if (known.length + added.length > mostTrayFiles) throw new Refusal('BAD_REQUEST');
  if (added.length === 0) return tray;
  const { last } = await trx
    .selectFrom('tray_file')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('tray_guid', '=', tray.guid)
    .executeTakeFirstOrThrow();
  const rows = added.map(({ name, size, sha256, workflow, error }, index) => ({
    guid: newGuid(),
    tray_guid: tray.guid,
    position: (last ?? 0) + index + 1,
    name: makeFileNameSafe(name),
    size,
    sha256,
    workflow,
    error_name: error,
  }));
  await trx.insertInto('tray_file').values(rows).execute();
  return tray;
}

/**
 * Records which operation decodes a file, in the statement that inserts the operation, in a transaction that has locked the
 * organisation: two of them cannot start at the same time. From then on, the slot stores the name, and vehicle data is
 * removed there. It returns no row if the file has already been decoded, or was removed.
 */
export function linkDecode(fileGuid: string, sha256: string): WrittenTogether['link'] {
  return (inserted) => sql<SelectedOperation>`
    update tray_file set operation_guid = started.guid, name = null, error_name = null, sha256 = ${sha256}
    from ${sql.raw(inserted)} as started
    where tray_file.guid = ${fileGuid}
      and exists (
        select from tray
        where tray.guid = tray_file.tray_guid and tray.organisation_guid = started.organisation_guid)
      and not exists (
        select from operation where operation.guid = tray_file.operation_guid and operation.status <> 'failed')
    returning started.*`;
}

/** Removes a file that no operation decodes, or whose decode has failed. Refuses with NOT_FOUND. */
export async function removeTrayFile(
  db: Kysely<Database>,
  { guid }: Pick<TrayFileRow, 'guid'>,
): Promise<void> {
  const { rows } = await db.transaction().execute(async (trx) => {
    // the next statement sees a decode that was just started; one that has waited for the row itself would not
    await sql`select from tray_file where guid = ${guid} for update`.execute(trx);
    return sql<{ guid: string }>`
      delete from tray_file
      where guid = ${guid} and not exists (
        select from operation where operation.guid = operation_guid and status <> 'failed')
      returning guid`.execute(trx);
  });
  if (rows.length === 0) throw new Refusal('NOT_FOUND');
}
