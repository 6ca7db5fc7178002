/** The time of the database: that of the transaction, which the rows it writes have too. */
import { sql } from 'kysely';
import type { Db } from './tables/schema.ts';

/** When the transaction began; outside of one, the current time. */
export async function readNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not report its time');
  return row.now;
}
