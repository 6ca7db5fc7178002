/** Makes a client application expire. */
import { sql } from 'kysely';
import type { RunningPortal } from '../fixtures/running-portal.ts';

/** Makes a client application's expiry one second ago. */
export async function expireClient({ platform }: RunningPortal, guid: string): Promise<void> {
  await platform.db
    .updateTable('client_application')
    .set({ expires_on: sql<Date>`now() - interval '1 second'` })
    .where('guid', '=', guid)
    .execute();
}
