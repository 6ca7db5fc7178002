/** The sessions of one account: lists and ends them, and announces changes to them. */
import type { Db } from '../postgres/tables/schema.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { announceSession, endSession, livingSessions } from './sessions.ts';

/** The sessions of an account that have not ended, those used last first. */
export async function listSessionsOf(db: Db, accountGuid: string) {
  return livingSessions(db)
    .where('session.account_guid', '=', accountGuid)
    .orderBy('session.last_active_on', 'desc')
    .orderBy('session.guid')
    .select(['session.guid', 'session.user_agent as device', 'session.address'])
    .select(['session.created_on as createdOn', 'session.last_active_on as lastSeenOn'])
    .execute();
}

/** Announces to the open pages of an account that what they show of it has changed. */
export async function announceSessionsOf(db: Db, accountGuid: string): Promise<void> {
  for (const { guid } of await listSessionsOf(db, accountGuid)) await announceSession(db, guid);
}

/**
 * Ends all sessions of an account, including those that would become valid again after a directory change; `kept` is the
 * GUID of one that goes on, or null.
 */
export async function endSessionsOf(
  db: Db,
  accountGuid: string,
  kept: string | null = null,
): Promise<void> {
  const open = await db
    .selectFrom('session')
    .where('account_guid', '=', accountGuid)
    .where('guid', 'is distinct from', kept)
    .where('ended_on', 'is', null)
    .select('guid')
    .execute();
  for (const { guid } of open) await endSession(db, guid);
}

/** Ends the sessions of an account under the customer code of one organisation. */
export async function endSessionsUnder(
  db: Db,
  accountGuid: string,
  organisationId: OrganisationId,
): Promise<void> {
  const open = await db
    .selectFrom('session')
    .where('account_guid', '=', accountGuid)
    .where('organisation_guid', '=', organisationId)
    .where('ended_on', 'is', null)
    .select('guid')
    .execute();
  for (const { guid } of open) await endSession(db, guid);
}
