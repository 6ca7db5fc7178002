/** The connection to PostgreSQL: one pool per process, with Kysely on top. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../config/log.ts';
import type { Database, Db } from './schema.ts';

/** The database of this process; `end` waits for running queries, then closes the pool. */
export interface OpenDatabase {
  readonly db: Db;
  readonly url: string;
  end(): Promise<void>;
}

// Our bigint columns count bytes or rows and stay below 2^53: parse them as numbers, not as pg's strings.
const bigintOid = 20;

/** How values of PostgreSQL are parsed; also for pools and clients created elsewhere. */
export const databaseTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
};

/** Opens a pool. It connects with the first query. `size` is its maximum number of connections. */
export function openDatabase(url: string, log: Log, size = 20): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: databaseTypes,
    application_name: 'recodery',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  });
  // The pool replaces an idle connection that breaks; without a listener, the event would end the process.
  let isEnding = false;
  pool.on('error', (error) => {
    if (!isEnding) log.warn({ error }, 'lost a database connection');
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
