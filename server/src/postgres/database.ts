/** The way to PostgreSQL: one pool a process, with Kysely over it. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../config/log.ts';
import type { Database } from './schema.ts';

/** The database of this process; `end` waits for running queries, then closes the pool. */
export interface OpenDatabase {
  readonly db: Kysely<Database>;
  readonly url: string;
  end(): Promise<void>;
}

// A bigint of ours counts bytes or rows and stays below 2^53: a number, not pg's string.
const bigintOid = 20;

/** How values of PostgreSQL become ours; for a pool or a client made elsewhere too. */
export const databaseTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
};

/** Opens a pool. Nothing is connected before the first query. `size` is its largest number of connections. */
export function openDatabase(url: string, log: Log, size = 20): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: databaseTypes,
    application_name: 'recodery',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
  let isEnding = false;
  pool.on('error', (error) => {
    if (!isEnding) log.warn({ error }, 'a database connection broke');
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    url,
    async end() {
      isEnding = true;
      await db.destroy();
    },
  };
}
