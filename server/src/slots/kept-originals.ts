/** The decoded images that users keep as originals. Another owner of the table stored_file. */
import type { KeptOriginal } from '@recodery/contract/features/originals';
import { type RawBuilder, sql } from 'kysely';
import type { Doer, OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { isThere } from './files/stored-files.ts';

/** An original, and where its bytes are. */
export interface StoredOriginal extends Omit<KeptOriginal, 'keptOn'> {
  readonly storageKey: string;
  readonly keptOn: Date;
}

/** Originals in a list, at most: one for each software of a workshop is far less. */
const mostOriginals = 1000;

async function selectOriginals(
  db: Db,
  organisationId: OrganisationId,
  condition: RawBuilder<unknown>,
  first: RawBuilder<unknown> = sql`original_on`,
): Promise<readonly StoredOriginal[]> {
  const { rows } = await sql<StoredOriginal>`
    select stored_file.guid as "fileGUID", slot_guid as "slotGUID", stored_file.name, slot.read_file_name as "readFileName",
      original_software as software, size::float8 as size, sha256, storage_key as "storageKey", original_on as "keptOn",
      coalesce(account.display_name, client_application.name) as "keptBy"
    from stored_file join slot on slot.guid = slot_guid
      left join account on account.guid = original_account_guid
      left join client_application on client_application.guid = original_client_guid
    where stored_file.organisation_guid = ${organisationId} and original_on is not null
      and slot.deleted_on is null and ${isThere} and ${condition}
    order by ${first} desc, original_on desc, stored_file.guid limit ${mostOriginals}`.execute(db);
  return rows;
}

/** The originals of an organisation, newest first. */
export function listKeptOriginals(
  db: Db,
  organisationId: OrganisationId,
): Promise<readonly StoredOriginal[]> {
  return selectOriginals(db, organisationId, sql`true`);
}

/** An image, as originals are found for it. */
export interface ImageOfSoftware {
  readonly guid: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Null: only originals with the same content are found. */
  readonly software: string | null;
}

/** The originals for an image, itself included: first those with its content, then those with its software and size. */
export function findOriginalsFor(
  db: Db,
  organisationId: OrganisationId,
  { size, sha256, software }: ImageOfSoftware,
): Promise<readonly StoredOriginal[]> {
  return selectOriginals(
    db,
    organisationId,
    sql`size = ${size} and (sha256 = ${sha256} or original_software = ${software})`,
    sql`sha256 = ${sha256}`,
  );
}

/** Whether a job has an original, which is there for as long as the job is kept. */
export async function hasOriginal(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<boolean> {
  const found = await selectOriginals(db, organisationId, sql`slot_guid = ${slotGuid}`);
  return found.length > 0;
}

/** Keeps a file as an original, unless it already is one. */
export async function markOriginal(
  trx: Db,
  { organisationId, accountGuid, clientGuid }: Doer,
  { guid, software }: Pick<ImageOfSoftware, 'guid' | 'software'>,
): Promise<void> {
  await trx
    .updateTable('stored_file')
    .set({
      original_on: sql`now()`,
      original_account_guid: accountGuid,
      original_client_guid: clientGuid,
      original_software: software,
    })
    .where('organisation_guid', '=', organisationId)
    .where('guid', '=', guid)
    .where('original_on', 'is', null)
    .execute();
}

/** Removes a file from the originals. Returns whether it was one. */
export async function unmarkOriginal(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stored_file')
    .set({
      original_on: null,
      original_account_guid: null,
      original_client_guid: null,
      original_software: null,
    })
    .where('organisation_guid', '=', organisationId)
    .where('guid', '=', guid)
    .where('original_on', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
