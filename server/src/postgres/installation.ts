/** What a database knows about its installation; only a migration writes it. */
import type { Db } from './tables/schema.ts';

/** Before the database knew it. */
const formerRetentionDays = 30;

/** Days that jobs are kept if neither the operator nor the organisation has chosen. A restored backup may not say. */
export async function readDefaultRetention(db: Db): Promise<number> {
  const row = await db.selectFrom('installation').select('retention_days').executeTakeFirst();
  return row?.retention_days ?? formerRetentionDays;
}
