/** The connection to PostgreSQL: one pool per process, with Kysely on top. */
import { hash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../config/log.ts';
import { countStatement } from '../metrics/statements.ts';
import { recordQuery } from '../traces/traces.ts';
import { sendKnown } from './known-queries.ts';
import { shareConnections } from './share-connections.ts';
import type { Database, Db } from './tables/schema.ts';
import { DatabaseUnavailable, nameLoss } from './unavailable.ts';

/** A pool's connections in use and idle, and the queries that wait for one. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The database of this process; `end` waits for running queries, then closes the pool. */
export interface OpenDatabase {
  readonly db: Db;
  readonly url: string;
  countConnections(): ConnectionCounts;
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

/** What {@link keepPlan} adds to the text of a statement. */
export const planNote = '/* keep the plan */';

/**
 * Marks a statement, with `modifyFront` or anywhere in its text: each connection plans it once. For statements that come
 * with every request or operation and return only a few rows: planning takes longer than running them. Name all columns:
 * a plan with `*` fails when the table gets another column. A connection whose plan fails because a column has another
 * type is replaced. The text must not depend on how much a caller asks for, because a connection keeps each text.
 */
export const keepPlan = sql`${sql.raw(planNote)}`;

/** The names of kept plans by the texts of their statements: hashing a text with each call takes longer. */
const planNames = new Map<string, string>();
/** Texts whose names are known: more than there are, because a text does not depend on how much a caller asks for. */
const mostPlanNames = 1000;

/** The name of the plan that connections keep for a statement; undefined: they keep none. */
function planNameOf(text: string): string | undefined {
  const known = planNames.get(text);
  if (known !== undefined || !text.includes(planNote)) return known;
  const name = hash('sha1', text);
  if (planNames.size < mostPlanNames) planNames.set(text, name);
  return name;
}

/**
 * Milliseconds after which the server itself ends what a process has left behind: a frozen process, or one on a machine
 * that has vanished, must not hold locks that others wait for. A lock is waited for longer than its holder may be idle.
 */
export interface ServerLimits {
  /** For a transaction that waits for its process. */
  readonly idleInTransactionMs: number;
  /** For a query that waits for a lock. */
  readonly lockMs: number;
  readonly statementMs: number;
}

/** Options of a pool. */
export interface PoolOptions {
  /** Its maximum number of connections. */
  readonly size?: number;
  /** Milliseconds that a query may take; by default unlimited. A server that has vanished never responds. */
  readonly queryMs?: number;
  /** By default none. A pooler would not pass them on: its server needs them as settings of the role. */
  readonly limits?: ServerLimits | undefined;
  /** Milliseconds that connecting, or waiting for a free connection, may take. */
  readonly connectMs?: number;
  /**
   * Whether connections keep plans, which is the default. With a pooler in transaction mode, the next query can get a
   * different connection, which does not have the plan.
   */
  readonly keepsPlans?: boolean;
}

const defaultConnectMs = 10_000;
/** How idle connections notice within half a minute that the other machine has vanished. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Opens a pool. It connects with the first query, and replaces lost connections.
 * Its queries throw a {@link DatabaseUnavailable} while the database cannot be reached.
 */
export function openDatabase(
  url: string,
  log: Log,
  { size = 20, queryMs, limits, connectMs = defaultConnectMs, keepsPlans = true }: PoolOptions = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: databaseTypes,
    application_name: 'recodery',
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    ...keepAlive,
    ...(queryMs === undefined ? {} : { query_timeout: queryMs }),
    // not as parameters of the connection: some poolers refuse those
    ...(limits === undefined ? {} : { onConnect: describeOnConnect(limits) }),
  });
  let isEnding = false;
  pool.on('error', (error) => {
    if (!isEnding) log.warn({ error }, 'lost a database connection');
  });
  // Without a listener, the error of a connection in use would end the process. Its next query throws it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: guardPool(pool, log, { size, keepsPlans }) }),
    // the text has placeholders instead of values
    log: ({ level, query, queryDurationMillis }) =>
      recordQuery(query.sql, queryDurationMillis, level === 'error'),
  });
  return {
    db,
    url,
    countConnections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      // while there is room, a query waits only until its connection is open
      waiting: pool.totalCount < size ? 0 : pool.waitingCount,
    }),
    async end() {
      isEnding = true;
      await db.destroy();
    },
  };
}

/** Sets the limits for a session, before its first query. */
async function setLimits(
  client: pg.ClientBase,
  { idleInTransactionMs, lockMs, statementMs }: ServerLimits,
): Promise<void> {
  await client.query(
    `select set_config('idle_in_transaction_session_timeout', $1, false),
      set_config('lock_timeout', $2, false), set_config('statement_timeout', $3, false)`,
    [idleInTransactionMs, lockMs, statementMs],
  );
}

/** The pool waits for the promise, of which its types do not know. */
function describeOnConnect(limits: ServerLimits): (client: pg.ClientBase) => void {
  const onConnect: (client: pg.ClientBase) => unknown = (client) => setLimits(client, limits);
  return onConnect;
}

/** A pool whose errors are named, and which logs the beginning and the end of an outage. */
function guardPool(
  pool: pg.Pool,
  log: Log,
  { size, keepsPlans }: Pick<Required<PoolOptions>, 'size' | 'keepsPlans'>,
): PostgresPool {
  const sharing = shareConnections(pool, size);
  let isUnavailable = false;
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      await sharing.wait();
      const client = await pool.connect().catch((reason: unknown) => {
        const error = nameLoss(reason);
        if (error instanceof DatabaseUnavailable && !isUnavailable) {
          isUnavailable = true;
          log.error({ error }, 'the database is unavailable');
        }
        throw error;
      });
      if (isUnavailable) log.info('the database is available again');
      isUnavailable = false;
      return guardConnection(client, keepsPlans, sharing.returned);
    },
  };
}

/** What a statement that was not sent returns. */
const nothing = { command: '', rowCount: 0, rows: [] } as const;

/**
 * A connection that, once lost, sends nothing more and does not return to the pool. A transaction begins with its first
 * statement, in the same exchange.
 */
function guardConnection(
  client: pg.PoolClient,
  keepsPlans: boolean,
  returned: () => void,
): PostgresPoolClient {
  let loss: DatabaseUnavailable | null = null;
  let begins = false;
  const send = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    const name = keepsPlans ? planNameOf(text) : undefined;
    // without a plan and values, a text can contain several statements, which the server only takes alone
    const isSingle = name !== undefined || values.length > 0;
    if (begins && !isSingle) await client.query('begin');
    const config = { name, text, values, begins: begins && isSingle };
    begins = false;
    return isSingle ? sendKnown(client, config) : client.query(text);
  };
  const query = async (text: string, parameters: readonly unknown[]) => {
    if (loss !== null) throw loss;
    countStatement(text);
    if (text === 'begin') {
      begins = true;
      return nothing;
    }
    // a transaction without statements
    if (begins && (text === 'commit' || text === 'rollback')) {
      begins = false;
      return nothing;
    }
    return send(text, parameters).catch((reason: unknown) => {
      const error = nameLoss(reason);
      if (error instanceof DatabaseUnavailable) loss = error;
      throw error;
    });
  };
  return {
    // Kysely's type also has cursors, which need a separate package.
    query: query as unknown as PostgresPoolClient['query'],
    release(mustDestroy = false) {
      client.release(mustDestroy || loss !== null);
      returned();
    },
  };
}

/** Connects outside of the pool. A query of the connection throws its loss. */
export async function connectOnce(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: defaultConnectMs,
    ...keepAlive,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
