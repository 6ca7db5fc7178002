/** Owns the table stored_file: every file of a slot, its storage location and its expiry. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import type { Changes } from '@recodery/contract/features/recoding/recoding';
import { sql } from 'kysely';
import { type Doer, mintOrganisationId, type OrganisationId } from '../../organisations/caller.ts';
import { retentionIntervalOf } from '../../organisations/retention.ts';
import { keepPlan } from '../../postgres/database.ts';
import type { Database, Db } from '../../postgres/tables/schema.ts';
import { NothingStored } from '../../storage/storage.ts';
import { isKnownDamaged } from './damaged-files.ts';
import { fileColumns, type SelectedFile } from './file-columns.ts';
import { makeRoom } from './replaced-files.ts';

/**
 * `restore`: the image as it was read, encoded to restore it. `plain`: an image as it was given to a maker's service whose
 * files expire, which seals it again from there.
 */
export type FileRole = Database['stored_file']['role'];

/** A row of the stored_file table. */
export interface StoredFile {
  readonly guid: string;
  readonly organisationId: OrganisationId;
  readonly slotGuid: string;
  readonly role: FileRole;
  /** null if the file is not a single component: read files, ID files, encoded files. */
  readonly component: ComponentName | null;
  /** The name under which it is downloaded. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly storageKey: string;
  readonly isDamaged: boolean;
  /** Where a modified image differs from the decoded one; null when they were not compared. */
  readonly changes: Changes | null;
  /** NUMB of a file that the built-in engine encoded; otherwise null. */
  readonly number: number | null;
  /** Of a `plain` image, and of a file that was sealed from it again: the file that the encode made; otherwise null. */
  readonly firstDeliveryGuid: string | null;
  readonly createdOn: Date;
  readonly expiresOn: Date;
}

/**
 * A file to record. It expires after the organisation's retention, or by default `retentionDays` days after the
 * database's current time.
 */
export interface NewStoredFile
  extends Omit<
    StoredFile,
    'isDamaged' | 'changes' | 'number' | 'firstDeliveryGuid' | 'createdOn' | 'expiresOn'
  > {
  readonly changes?: Changes | null;
  readonly number?: number | null;
  readonly firstDeliveryGuid?: string | null;
  /** Who uploaded it; absent: an operation makes it. */
  readonly uploader?: Pick<Doer, 'accountGuid' | 'clientGuid'>;
  /** Of an imported file: when it was stored first, and when it left the draft of the encode; absent: now, and not. */
  readonly imported?: { readonly createdOn: Date; readonly replacedOn: Date | null };
  /** Of a repair: the file as it came, and what was wrong with it. */
  readonly repaired?: {
    readonly fileGuid: string;
    readonly kind: string;
    readonly details: Diagnosis['details'];
  };
  readonly retentionDays: number;
}

/** A row as callers see it. */
export function readFileRow(row: SelectedFile): StoredFile {
  return {
    guid: row.guid,
    organisationId: mintOrganisationId(row.organisation_guid),
    slotGuid: row.slot_guid,
    role: row.role,
    component: row.component as ComponentName | null,
    name: row.name,
    size: row.size,
    sha256: row.sha256,
    storageKey: row.storage_key,
    isDamaged: row.is_damaged,
    // Written by `writeRow`.
    changes: row.changes as Changes | null,
    number: row.number,
    firstDeliveryGuid: row.first_delivery_guid,
    createdOn: row.created_on,
    expiresOn: row.expires_on,
  };
}

/** Whether the storage must contain a file. */
export async function hasStoredFiles(db: Db): Promise<boolean> {
  const file = db.selectFrom('stored_file').select('guid').where('deleted_on', 'is', null);
  return (await file.limit(1).executeTakeFirst()) !== undefined;
}

/** Files of jobs that are kept do not expire. */
const isOfKeptSlot = sql<boolean>`exists (
  select from slot where slot.guid = stored_file.slot_guid and slot.is_kept and slot.deleted_on is null)`;

/** Whether a row's file is neither deleted nor expired. */
export const isThere = sql<boolean>`stored_file.deleted_on is null
  and (stored_file.expires_on > now() or ${isOfKeptSlot})`;

/** The organisation's files that are neither deleted nor expired. */
function livingFiles(db: Db, organisationId: OrganisationId) {
  return db
    .selectFrom('stored_file')
    .modifyFront(keepPlan)
    .select(fileColumns)
    .select(isKnownDamaged(sql.ref('stored_file.storage_key')).as('is_damaged'))
    .where('organisation_guid', '=', organisationId)
    .where(isThere);
}

function writeRow(file: NewStoredFile) {
  return {
    guid: file.guid,
    organisation_guid: file.organisationId,
    slot_guid: file.slotGuid,
    role: file.role,
    component: file.component,
    name: file.name,
    size: file.size,
    sha256: file.sha256,
    storage_key: file.storageKey,
    changes: file.changes ? JSON.stringify(file.changes) : null,
    account_guid: file.uploader?.accountGuid ?? null,
    client_guid: file.uploader?.clientGuid ?? null,
    number: file.number ?? null,
    first_delivery_guid: file.firstDeliveryGuid ?? null,
    repaired_from: file.repaired?.fileGuid ?? null,
    repair_kind: file.repaired?.kind ?? null,
    repair_details: file.repaired ? JSON.stringify(file.repaired.details) : null,
    created_on: file.imported?.createdOn ?? sql<Date>`now()`,
    replaced_on: file.imported?.replacedOn ?? null,
    expires_on: sql<Date>`greatest(
      now() + ${retentionIntervalOf(sql`${file.organisationId}`, file.retentionDays)},
      (select kept_until from slot where guid = ${file.slotGuid}))`,
  };
}

/** Records files. */
export async function insertStoredFiles(db: Db, files: readonly NewStoredFile[]): Promise<void> {
  if (files.length > 0) await storedFilesInsert(db, files).execute();
}

/** The statement that records files; there must be one. */
export function storedFilesInsert(db: Db, files: readonly NewStoredFile[]) {
  return db.insertInto('stored_file').values(files.map(writeRow));
}

/**
 * Records an uploaded file. Replaced versions make room for it. Refuses with STORAGE_QUOTA_REACHED when the organisation
 * still uses more than `organisationBytes`. `trx` must be a transaction that locks its row, so that the sum is final.
 */
export async function insertUploadedFile(
  trx: Db,
  file: NewStoredFile,
  organisationBytes: number,
  use?: Parameters<typeof makeRoom>[4],
): Promise<void> {
  await makeRoom(trx, file.organisationId, file.size, organisationBytes, use);
  await storedFilesInsert(trx, [file]).modifyEnd(keepPlan).execute();
}

/** Records the files of an imported job, like {@link insertUploadedFile}. */
export async function insertImportedFiles(
  trx: Db,
  organisationId: OrganisationId,
  files: readonly NewStoredFile[],
  organisationBytes: number,
): Promise<void> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  await makeRoom(trx, organisationId, size, organisationBytes);
  await insertStoredFiles(trx, files);
}

/** A file of the organisation that is neither deleted nor expired, or null. */
export async function findStoredFile(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<StoredFile | null> {
  const row = await livingFiles(db, organisationId).where('guid', '=', guid).executeTakeFirst();
  return row === undefined ? null : readFileRow(row);
}

/** A file that must exist. @throws {NothingStored} when it was deleted or has expired */
export async function getStoredFile(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<StoredFile> {
  const file = await findStoredFile(db, organisationId, guid);
  if (file === null) throw new NothingStored(guid);
  return file;
}

/** The files of a slot that are neither deleted nor expired, in the order in which they were recorded. */
export async function listStoredFiles(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly StoredFile[]> {
  return listFilesOfSlots(db, organisationId, [slotGuid]);
}

/** The same for several slots. */
export async function listFilesOfSlots(
  db: Db,
  organisationId: OrganisationId,
  slotGuids: readonly string[],
): Promise<readonly StoredFile[]> {
  const rows = await livingFiles(db, organisationId)
    .where(sql<boolean>`slot_guid = any(${slotGuids}::uuid[])`)
    .orderBy('guid')
    .execute();
  return rows.map(readFileRow);
}

/** The newest decoded file of a slot that contains a given image. */
export interface KnownImage {
  readonly sha256: string;
  /** Decoded files with that image. */
  readonly count: number;
  readonly slotGuid: string;
  readonly readFileName: string;
  readonly slaveSerialNumber: string | null;
  readonly createdOn: Date;
}

/** The decoded files of the organisation's other slots that have these hashes; each hash at most once. */
export async function findDecodedElsewhere(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  sha256s: readonly string[],
): Promise<readonly KnownImage[]> {
  if (sha256s.length === 0) return [];
  return db
    .selectFrom('stored_file')
    .innerJoin('slot', 'slot.guid', 'stored_file.slot_guid')
    .distinctOn('sha256')
    .select(['sha256', 'slot_guid as slotGuid', 'stored_file.created_on as createdOn'])
    .select(sql<number>`(count(*) over (partition by sha256))::integer`.as('count'))
    .select([
      'slot.read_file_name as readFileName',
      'slot.slave_serial_number as slaveSerialNumber',
    ])
    .where('stored_file.organisation_guid', '=', organisationId)
    .where('role', '=', 'decoded')
    .where('sha256', 'in', [...new Set(sha256s)])
    .where('slot_guid', '<>', slotGuid)
    .where(isThere)
    .where('slot.deleted_on', 'is', null)
    .orderBy('sha256')
    .orderBy('stored_file.created_on', 'desc')
    .execute();
}

/** What remains known of a file after it was deleted. */
export interface PastFile
  extends Pick<StoredFile, 'guid' | 'role' | 'component' | 'name' | 'size' | 'sha256'> {
  readonly isDeleted: boolean;
}

/** The files that a slot has or had: users may have downloaded files under their names. */
export async function listPastFiles(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly PastFile[]> {
  const rows = await db
    .selectFrom('stored_file')
    .select(['guid', 'role', 'component', 'name', 'size', 'sha256', 'deleted_on'])
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .execute();
  return rows.map(({ deleted_on, component, ...row }) => ({
    ...row,
    component: component as ComponentName | null,
    isDeleted: deleted_on !== null,
  }));
}

/** Marks a file as deleted; the caller then deletes its bytes from the storage. */
export async function deleteStoredFile(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<void> {
  await db
    .updateTable('stored_file')
    .set({ deleted_on: sql`now()` })
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .where('deleted_on', 'is', null)
    .execute();
}

/** Marks all files of a slot as deleted; returns where their bytes are. */
export async function deleteSlotFiles(
  trx: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly Pick<StoredFile, 'guid' | 'storageKey'>[]> {
  return trx
    .updateTable('stored_file')
    .set({ deleted_on: sql`now()` })
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .where('deleted_on', 'is', null)
    .returning(['guid', 'storage_key as storageKey'])
    .execute();
}

/** The storage keys among these that a row uses and that are not deleted; for sweeps, which cover all organisations. */
export async function findKeysInUse(
  db: Db,
  storageKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('stored_file')
    .select('storage_key')
    .where(sql<boolean>`storage_key = any(${storageKeys}::text[])`)
    .where('deleted_on', 'is', null)
    .execute();
  return new Set(rows.map(({ storage_key }) => storage_key));
}

/**
 * Marks expired files as deleted, at most `count`, unless an operation still runs on their slot; returns how many. Their
 * slots are locked too, so that no user keeps a job while its files are deleted.
 */
export async function deleteExpiredFiles(db: Db, count: number): Promise<number> {
  const { rows } = await sql<{ guid: string }>`
    update stored_file set deleted_on = now()
    where guid in (
      select stored_file.guid from stored_file join slot on slot.guid = slot_guid
      where stored_file.deleted_on is null and expires_on <= now()
        and not (is_kept and slot.deleted_on is null)
        and not exists (
          select from operation
          where operation.slot_guid = stored_file.slot_guid and status in ('waiting', 'running'))
      limit ${count}
      for no key update of stored_file, slot skip locked)
    returning guid`.execute(db);
  return rows.length;
}

/** Deleted files whose bytes may still be in the storage, by guid from `after` on, at most `count`. */
export async function listUnsweptFiles(
  db: Db,
  after: string | null,
  count: number,
): Promise<readonly Pick<StoredFile, 'guid' | 'storageKey'>[]> {
  let query = db
    .selectFrom('stored_file')
    .select(['guid', 'storage_key as storageKey'])
    .where('deleted_on', 'is not', null)
    .where('swept_on', 'is', null);
  if (after !== null) query = query.where('guid', '>', after);
  return query.orderBy('guid').limit(count).execute();
}

/** Records that the bytes of these files are deleted. */
export async function markSwept(db: Db, guids: readonly string[]): Promise<void> {
  await sql`update stored_file set swept_on = now() where guid = any(${guids}::uuid[])`.execute(db);
}

/** Marks files as deleted whose bytes a backup does not contain. */
export async function forgetMissingFiles(db: Db, storageKeys: readonly string[]): Promise<void> {
  await sql`
    update stored_file set deleted_on = now(), swept_on = now()
    where storage_key = any(${storageKeys}::text[]) and deleted_on is null`.execute(db);
}

/** Changes the names of a slot's files, deleted ones included, to remove vehicle data. */
export async function hideInFileNames(
  trx: Db,
  slotGuid: string,
  hide: (text: string) => string,
): Promise<void> {
  const files = await trx
    .selectFrom('stored_file')
    .select(['guid', 'name'])
    .where('slot_guid', '=', slotGuid)
    .execute();
  for (const { guid, name } of files.filter((file) => hide(file.name) !== file.name)) {
    await trx
      .updateTable('stored_file')
      .set({ name: hide(name) })
      .where('guid', '=', guid)
      .execute();
  }
}
