/** Reads related rows as they were at one moment. */
import type { Db } from './tables/schema.ts';

/**
 * Calls `read` with a database in which nothing changes while it is being read. Separate queries can return an
 * operation that has finished without the data that it stored, and no later event corrects that.
 */
export function readSnapshot<T>(db: Db, read: (snapshot: Db) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(read);
}
