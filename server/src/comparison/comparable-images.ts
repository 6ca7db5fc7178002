/** The images of an organisation's jobs that another image can be compared with: those of the same size. */
import { type ComparableImage, comparablePage } from '@recodery/contract/features/comparison';
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import { isThere, type StoredFile } from '../slots/stored-files.ts';

/** Images of the same size that are searched for a response, at most: the next page continues after the last image. */
const mostSearched = 5000;

type Row = Omit<ComparableImage, 'createdOn'> & { readonly createdOn: Date };

/** Which images to list. */
export interface ComparableQuestion {
  /** What a user searches in their jobs, as on the list of jobs. */
  readonly search?: string | undefined;
  /** Only those older than this image; absent: the newest. */
  readonly before?: string | undefined;
}

/**
 * The query for the images of the same size, newest first. An encoded file is sealed: its content is the image that it was
 * made from, which names it.
 */
export function comparableImages(
  image: Pick<StoredFile, 'organisationId' | 'guid' | 'size'>,
  { search = '', before }: ComparableQuestion,
) {
  const { organisationId, guid, size } = image;
  const found =
    search.trim() === ''
      ? sql``
      : sql`and slot.search @@ search_query(${organisationId}, ${search})`;
  const older =
    before === undefined
      ? sql``
      : sql`and (created_on, guid) < (
          select created_on, guid from stored_file where organisation_guid = ${organisationId} and guid = ${before})`;
  return sql<Row>`
    with found as materialized (
      select stored_file.*
      from (
        select * from stored_file
        where organisation_guid = ${organisationId} and size = ${size}
          and role in ('decoded', 'modified', 'original') and deleted_on is null and guid <> ${guid} ${older}
        order by created_on desc, guid desc limit ${mostSearched}) stored_file
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

/** A page of the images that an image can be compared with, the newest first. */
export async function findComparable(
  db: Db,
  image: StoredFile,
  question: ComparableQuestion,
): Promise<ComparableImage[]> {
  const { rows } = await comparableImages(image, question).execute(db);
  return rows.map((row) => ({ ...row, createdOn: row.createdOn.toISOString() }));
}
