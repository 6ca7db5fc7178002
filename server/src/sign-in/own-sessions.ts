/** Lists the sessions of an account, for its user. */
import type { Db } from '../postgres/tables/schema.ts';
import { livingSessions } from './sessions.ts';

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
