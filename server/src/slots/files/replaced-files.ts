/**
 * The versions of uploaded images that are no longer in the draft of an encode: who replaced them, and which of them make
 * room when the storage is full. Another owner of the table stored_file.
 */
import type { Changes } from '@recodery/contract/features/recoding/recoding';
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import type { Doer, OrganisationId } from '../../organisations/caller.ts';
import { bytesBeyond, readStorageUse, type StorageUse } from '../../organisations/storage-quota.ts';
import type { Db } from '../../postgres/tables/schema.ts';

/** A version stays at least this long after it was replaced: someone may still undo that. */
const leastStay = sql`interval '1 day'`;

/**
 * Whether a version may be deleted to make room: no operation has used it, it was replaced a while ago, and its job is
 * neither kept nor imported. Of an imported one, it is not known which versions were used.
 */
const isSpare = sql<boolean>`stored_file.replaced_on < now() - ${leastStay} and stored_file.deleted_on is null
  and not exists (
    select from slot where slot.guid = stored_file.slot_guid and (slot.is_kept or slot.imported_on is not null))
  and not exists (
    select from operation where operation.slot_guid = stored_file.slot_guid
      and position(stored_file.guid::text in operation.request::text) > 0)`;

/** Records that files of a slot have left its draft, and who did that. */
export async function markReplaced(
  trx: Db,
  guids: readonly string[],
  { organisationId, accountGuid, clientGuid }: Doer,
): Promise<void> {
  if (guids.length === 0) return;
  await trx
    .updateTable('stored_file')
    .set({
      replaced_on: sql`now()`,
      replaced_account_guid: accountGuid,
      replaced_client_guid: clientGuid,
    })
    .where('organisation_guid', '=', organisationId)
    .where(sql<boolean>`guid = any(${guids}::uuid[])`)
    .execute();
}

/** Records that files are in the draft of their slot again; returns whether all of them still exist. */
export async function markCurrent(
  trx: Db,
  organisationId: OrganisationId,
  guids: readonly string[],
): Promise<boolean> {
  if (guids.length === 0) return true;
  const rows = await trx
    .updateTable('stored_file')
    .set({ replaced_on: null, replaced_account_guid: null, replaced_client_guid: null })
    .where('organisation_guid', '=', organisationId)
    .where(sql<boolean>`guid = any(${guids}::uuid[])`)
    // another transaction may be making room
    .where('deleted_on', 'is', null)
    .returning('guid')
    .execute();
  return rows.length === guids.length;
}

/** What is known about a file that may no longer exist. */
export interface Replacement {
  readonly slotGuid: string;
  readonly role: string;
  readonly component: string | null;
  readonly name: string;
  readonly replacedOn: Date;
  readonly replacedBy: string | null;
}

/** By whom and when a file was replaced, deleted files included; null: it was not. */
export async function findReplacement(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<Replacement | null> {
  const { rows } = await sql<Replacement>`
    select slot_guid as "slotGuid", role, component, stored_file.name, replaced_on as "replacedOn",
      coalesce(account.display_name, client_application.name) as "replacedBy"
    from stored_file
      left join account on account.guid = replaced_account_guid
      left join client_application on client_application.guid = replaced_client_guid
    where stored_file.organisation_guid = ${organisationId} and stored_file.guid = ${guid}
      and replaced_on is not null`.execute(db);
  return rows[0] ?? null;
}

/** An uploaded file that still exists, and who uploaded it. */
interface FoundUpload {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly changes: Changes | null;
  readonly createdOn: Date;
  readonly userDisplayName: string | null;
}

/** An uploaded file of the organisation, or null if it was deleted. */
export async function findUpload(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<FoundUpload | null> {
  const { rows } = await sql<FoundUpload>`
    select stored_file.name, size, changes, stored_file.created_on as "createdOn",
      coalesce(account.display_name, client_application.name) as "userDisplayName"
    from stored_file
      left join account on account.guid = stored_file.account_guid
      left join client_application on client_application.guid = stored_file.client_guid
    where stored_file.organisation_guid = ${organisationId} and stored_file.guid = ${guid}
      and stored_file.deleted_on is null`.execute(db);
  return rows[0] ?? null;
}

/** Bytes of the versions of an organisation that make room when they are needed. */
export async function readSpareBytes(db: Db, organisationId: OrganisationId): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from stored_file
    where organisation_guid = ${organisationId} and ${isSpare}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/**
 * Whether `bytes` more fit into `organisationBytes`, if need be after all versions that can make room were deleted.
 * `use`: what is in use, if it has just been read.
 */
export async function fitsQuota(
  db: Db,
  organisationId: OrganisationId,
  bytes: number,
  organisationBytes: number,
  use?: StorageUse,
): Promise<boolean> {
  const present = use ?? (await readStorageUse(db, organisationId));
  const missing = bytesBeyond(present, bytes, organisationBytes);
  return missing <= 0 || missing <= (await readSpareBytes(db, organisationId));
}

/**
 * Makes room for `bytes` more: where the organisation would use more than `organisationBytes`, its oldest spare versions
 * are deleted; the sweep then deletes their bytes. Refuses with STORAGE_QUOTA_REACHED, and deletes nothing, when that is
 * not enough. `trx` must be a transaction that locks the organisation's row, so that the sum is final. `use`: the
 * sum, if it was read after the lock. An organisation's own quota takes precedence over `organisationBytes`.
 */
export async function makeRoom(
  trx: Db,
  organisationId: OrganisationId,
  bytes: number,
  organisationBytes: number,
  use?: StorageUse,
): Promise<void> {
  const present = use ?? (await readStorageUse(trx, organisationId));
  let missing = bytesBeyond(present, bytes, organisationBytes);
  if (missing <= 0) return;
  const { rows } = await sql<{ guid: string; size: number }>`
    select guid, size from stored_file
    where organisation_guid = ${organisationId} and ${isSpare}
    order by replaced_on, guid
    for update skip locked`.execute(trx);
  const gone: string[] = [];
  for (const { guid, size } of rows) {
    if (missing <= 0) break;
    gone.push(guid);
    missing -= size;
  }
  if (missing > 0) throw new Refusal('STORAGE_QUOTA_REACHED');
  await trx
    .updateTable('stored_file')
    .set({ deleted_on: sql`now()`, made_room: true })
    .where(sql<boolean>`guid = any(${gone}::uuid[])`)
    .execute();
}
