/** The images of an organisation's jobs that another image can be compared with: those of the same size. */
import {
  type ComparableImage,
  type ComparableImages,
  comparablePage,
} from '@recodery/contract/features/comparison';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { isThere, type StoredFile } from '../slots/files/stored-files.ts';

/** Images of the same size that are searched for a response, at most: the next page continues after the last of them. */
const mostSearched = 5000;

type Row = Omit<ComparableImage, 'createdOn'> & { readonly createdOn: Date };

/** Which images to list. */
export interface ComparableQuestion {
  /** What a user searches in their jobs, as on the list of jobs. */
  readonly search?: string | undefined;
  /** Only those older than this image; absent: the newest. */
  readonly before?: string | undefined;
}

/** The images of the same size, newest first, whether their jobs are there or not. */
function searched(
  { organisationId, guid, size }: Compared,
  { before }: Pick<ComparableQuestion, 'before'>,
) {
  const older =
    before === undefined
      ? sql``
      : sql`and (created_on, guid) < (
          select created_on, guid from stored_file where organisation_guid = ${organisationId} and guid = ${before})`;
  return sql`from stored_file
        where organisation_guid = ${organisationId} and size = ${size}
          and role in ('decoded', 'modified', 'original') and deleted_on is null and guid <> ${guid} ${older}
        order by created_on desc, guid desc`;
}

type Compared = Pick<StoredFile, 'organisationId' | 'guid' | 'size'>;

/**
 * The query for the images of the same size, newest first. An encoded file is sealed: its content is the image that it was
 * made from, which names it.
 */
export function comparableImages(image: Compared, { search = '', before }: ComparableQuestion) {
  const { organisationId } = image;
  const found =
    search.trim() === ''
      ? sql``
      : sql`and slot.search @@ search_query(${organisationId}, ${search})`;
  return sql<Row>`
    with found as materialized (
      select stored_file.*
      from (
        select * ${searched(image, { before })} limit ${mostSearched}) stored_file
        cross join lateral (
          select from slot where slot.guid = stored_file.slot_guid and slot.deleted_on is null ${found} limit 1) of_job
      where ${isThere}
      order by stored_file.created_on desc, stored_file.guid desc limit ${comparablePage})
    select found.guid as "fileGUID", found.role, found.component, found.name, found.created_on as "createdOn",
      slot.guid as "slotGUID", slot.workflow, slot.read_file_name as "fileName", slot.vin,
      slot.slave_serial_number as "slaveSerialNumber",
      (select encoded.name
        from operation join stored_file as encoded on encoded.guid::text = operation.result ->> 'fileGuid'
        where operation.slot_guid = found.slot_guid and encoded.slot_guid = found.slot_guid
          and operation.status = 'succeeded' and encoded.role = 'encoded'
          and operation.request -> 'modified' @> jsonb_build_array(jsonb_build_object('fileGuid', found.guid::text))
        order by encoded.created_on desc, encoded.guid desc limit 1) as "encodedAs"
    from found join slot on slot.guid = found.slot_guid
    order by found.created_on desc, found.guid desc`;
}

/** The last of the images that were searched for a page; null: there are none after them. */
async function findLastSearched(db: Db, ...asked: Parameters<typeof searched>) {
  const { rows } = await sql<{ guid: string }>`
    select guid ${searched(...asked)} offset ${mostSearched - 1} limit 1`.execute(db);
  return rows[0]?.guid ?? null;
}

/** A page of the images that an image can be compared with, the newest first. */
export function findComparable(
  db: Db,
  image: StoredFile,
  question: ComparableQuestion,
): Promise<ComparableImages> {
  return readSnapshot(db, async (snapshot) => {
    const { rows } = await comparableImages(image, question).execute(snapshot);
    const isFull = rows.length === comparablePage;
    return {
      images: rows.map((row) => ({ ...row, createdOn: row.createdOn.toISOString() })),
      next: isFull
        ? (rows.at(-1)?.fileGUID ?? null)
        : await findLastSearched(snapshot, image, question),
    };
  });
}

/** Whether the organisation has or had an image with this GUID: one that was searched may expire before the next page. */
export async function isSearchable(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from stored_file
    where organisation_guid = ${organisationId} and guid = ${guid}
      and role in ('decoded', 'modified', 'original')`.execute(db);
  return rows.length > 0;
}
