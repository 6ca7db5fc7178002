/** Turns off the server's time limits for work that takes as long as it takes. */
import { sql } from 'kysely';
import type { Db } from './tables/schema.ts';

/** Not every version of PostgreSQL has all of them. */
const limits = [
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'lock_timeout',
  'statement_timeout',
  'transaction_timeout',
];

/** Turns them off for a connection, or for the rest of a transaction. */
export async function removeTimeLimits(db: Db): Promise<void> {
  await sql`
    select set_config(name, '0', ${db.isTransaction}) from pg_settings
    where name = any(${limits}::text[])`.execute(db);
}
