/** Lets a function that needs a transaction also join its caller's. */
import type { Db } from './schema.ts';

/** Does the work in a transaction: the one that `db` is, or a new one. */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
