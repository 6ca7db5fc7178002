/** The images of an organisation's jobs that another image can be compared with: those of the same size. */
import type { ComparableImage } from '@recodery/contract/features/comparison';
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import { isThere, type StoredFile } from '../slots/stored-files.ts';

/** Images in a response, at most. */
const mostImages = 50;

type Row = Omit<ComparableImage, 'createdOn'> & { readonly createdOn: Date };

/**
 * The query for the images of the same size, newest first. `search` finds their jobs, as on the list of jobs. An encoded
 * file is sealed: its content is the image that it was made from, which names it.
 */
export function comparableImages(
  image: Pick<StoredFile, 'organisationId' | 'guid' | 'size'>,
  search: string | undefined,
) {
  const { organisationId, guid, size } = image;
  const found =
    search === undefined || search.trim() === ''
      ? sql``
      : sql`and slot.search @@ search_query(${organisationId}, ${search})`;
  return sql<Row>`
    with found as materialized (
      select stored_file.*
      from stored_file join slot on slot.guid = stored_file.slot_guid
      where stored_file.organisation_guid = ${organisationId} and stored_file.size = ${size}
        and stored_file.role in ('decoded', 'modified', 'original') and stored_file.deleted_on is null
        and stored_file.guid <> ${guid} and ${isThere} and slot.deleted_on is null ${found}
      order by stored_file.created_on desc, stored_file.guid desc limit ${mostImages})
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

/** The images that an image can be compared with, the newest first. */
export async function findComparable(
  db: Db,
  image: StoredFile,
  search: string | undefined,
): Promise<ComparableImage[]> {
  const { rows } = await comparableImages(image, search).execute(db);
  return rows.map((row) => ({ ...row, createdOn: row.createdOn.toISOString() }));
}
