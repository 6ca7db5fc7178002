/** Sends several writes of a transaction in one round trip. */
import { type CompiledQuery, ExpressionWrapper, type OperationNodeSource, sql } from 'kysely';
import { planNote } from './database.ts';
import type { Database, Db } from './tables/schema.ts';

/** A statement that changes rows and has not been sent: a query builder before its `execute`. */
export type PendingWrite = OperationNodeSource;

/** A pending write that returns rows. */
export type PendingRows<R> = PendingWrite & { compile(...by: never[]): CompiledQuery<R> };

const node = (write: PendingWrite) =>
  new ExpressionWrapper<Database, never, unknown>(write.toOperationNode());

/**
 * Parameters up to which a plan is kept: the text depends on the number of files, and few operations have many. The end of
 * a decode has 66 with an image and its ID file, and 21 more for each other file: this is enough for four files.
 */
const mostParameters = 120;

/** The name by which the last write can read what the one at this place returns. */
export const nameOfWrite = (place: number): string => `write_${place}`;

/**
 * Sends writes as one statement, the others as common table expressions before the last, and returns the rows of the
 * last, whose columns must be named: the plan of a short statement is kept. All of them see the rows as they were before,
 * so none may depend on another, except the last one on rows that another returns ({@link nameOfWrite}); each row may be changed by one of them only. Foreign keys are checked, and triggers after a change run, when all have been made.
 */
export async function writeTogether<R>(
  db: Db,
  others: readonly PendingWrite[],
  last: PendingRows<R>,
): Promise<readonly R[]> {
  const parts = others.map(
    (write, place) => sql`${sql.raw(nameOfWrite(place))} as (${node(write)})`,
  );
  const first = parts.length === 0 ? sql`` : sql`with ${sql.join(parts)} `;
  const statement = sql<R>`${first}${node(last)}`;
  const compiled = statement.compile(db);
  const isKept = compiled.parameters.length <= mostParameters;
  // not compiled again: building the text of a long statement takes as long as sending it
  const kept = isKept ? { ...compiled, sql: `${compiled.sql} ${planNote}` } : compiled;
  const { rows } = await db.executeQuery(kept);
  return rows;
}
