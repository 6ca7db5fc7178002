/** Finds out whether a notification shares a file with an organisation. */
import { downloadDays } from '@recodery/contract/features/notifications';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';

/**
 * The condition for a notification that shares a file with an organisation, which can still download it: also a later
 * delivery of the same file.
 */
export function sharesWith(receiver: OrganisationId, fileGuid: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`target_file_guid in (
      ${fileGuid}, (select first_delivery_guid from stored_file where guid = ${fileGuid} and role = 'encoded')) and receiver_organisation_guid = ${receiver}
    and revoked_on is null and completed_on > now() - make_interval(days => ${downloadDays})`;
}

/** The owner of a file that is shared with the recipient and still available, and the file's name there; or null. */
export async function findSharer(
  db: Db,
  receiver: OrganisationId,
  fileGuid: string,
): Promise<{ readonly owner: OrganisationId; readonly fileName: string } | null> {
  const row = await db
    .selectFrom('notification')
    .select(['sender_organisation_guid', 'target_file_name'])
    .where(sharesWith(receiver, fileGuid))
    .executeTakeFirst();
  if (row === undefined || row.target_file_name === null) return null;
  // the row is the proof that its owner lets the recipient read the file
  const owner = mintOrganisationId(row.sender_organisation_guid);
  return { owner, fileName: row.target_file_name };
}
