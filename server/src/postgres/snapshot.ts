/** Reads rows that belong together from one moment. */
import type { Db } from './tables/schema.ts';

/**
 * Calls `read` with a database in which nothing changes while it is being read. Separate queries can see an operation
 * that has ended and not yet what it stored, which no later event then corrects.
 */
export function readSnapshot<T>(db: Db, read: (snapshot: Db) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(read);
}
