/** Finds out whether a notification shares a file with an organisation. */
import { downloadDays } from '@recodery/contract/features/notifications';
import { sql } from 'kysely';
import { mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** The owner of a file that is shared with the recipient and still available, and the file's name there; or null. */
export async function findSharer(
  db: Db,
  receiver: OrganisationId,
  fileGuid: string,
): Promise<{ readonly owner: OrganisationId; readonly fileName: string } | null> {
  const row = await db
    .selectFrom('notification')
    .select(['sender_organisation_guid', 'target_file_name'])
    .where('target_file_guid', '=', fileGuid)
    .where('receiver_organisation_guid', '=', receiver)
    .where('revoked_on', 'is', null)
    .where('completed_on', '>', sql<Date>`now() - make_interval(days => ${downloadDays})`)
    .executeTakeFirst();
  if (row === undefined || row.target_file_name === null) return null;
  // the row is the proof that its owner lets the recipient read the file
  const owner = mintOrganisationId(row.sender_organisation_guid);
  return { owner, fileName: row.target_file_name };
}
