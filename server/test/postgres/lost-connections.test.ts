/** Connections of the pool that are terminated, reset, closed or frozen while they are in use, and what callers see. */
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../fixtures/silent-log.ts';
import { httpProblemOf } from '../../src/http/problem.ts';
import { isMachineFault } from '../../src/operations/operation-rules.ts';
import { keepPlan, openDatabase, type OpenDatabase } from '../../src/postgres/database.ts';
import type { Database } from '../../src/postgres/tables/schema.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';
import { type PostgresProxy, startPostgresProxy } from '../fixtures/database/postgres-proxy.ts';

/** Milliseconds that a query may take over connections that freeze. */
const queryMs = 300;

/** A database behind a proxy that cuts its connections. */
interface Line {
  readonly proxy: PostgresProxy;
  readonly database: OpenDatabase;
}

let direct: TestDatabase;
let line: Line;
/** Gives up a query soon. On a busy machine, every query can take that long: the other tests do not use it. */
let hasty: Line;
beforeAll(async () => {
  direct = await createTestDatabase();
  const [proxy, freezing] = [
    await startPostgresProxy(direct.url),
    await startPostgresProxy(direct.url),
  ];
  line = { proxy, database: openDatabase(proxy.url, silentLog, { connectMs: 300_000 }) };
  hasty = { proxy: freezing, database: openDatabase(freezing.url, silentLog, { queryMs }) };
});
afterAll(async () => {
  for (const { database, proxy } of [line, hasty]) {
    await database.end();
    await proxy.stop();
  }
  await direct.drop();
});

const ask = (db: Kysely<Database>) => db.selectFrom('maintenance').select('is_on').execute();

/** The process id of the server's side of a connection. */
async function backendOf(connection: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  return rows[0]?.pid ?? 0;
}

/** Terminates a connection, and waits until the server has closed it. */
async function terminate(pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid}, 10000)`.execute(direct.db);
}

/** What a lost connection means to a caller and to an operation. */
function meaningOf(error: unknown) {
  return { ...httpProblemOf(error), isRetried: isMachineFault(error) };
}
const unavailable = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  details: undefined,
  isRetried: true,
};

/** Reads a table's column with a plan that the connection keeps. */
const readPlanned = (db: Kysely<Database>) =>
  sql`select name ${keepPlan} from of_plans`.execute(db);

describe('a connection whose kept plan became invalid', () => {
  it.each([
    ['a column has changed its type', sql`alter table of_plans alter column name type varchar(20)`],
    ['the connection has forgotten its plans', sql`deallocate all`],
  ])('because %s is replaced', async (_why, change) => {
    const { db, end } = openDatabase(direct.url, silentLog, { size: 1, connectMs: 300_000 });
    await sql`create table of_plans (name text)`.execute(db);
    await readPlanned(db);
    const plans =
      await sql`select from pg_prepared_statements where statement like '%of_plans%'`.execute(db);
    expect(plans.rows).toHaveLength(1);
    await change.execute(db);
    const thrown = await readPlanned(db).catch((error: unknown) => error);
    expect(meaningOf(thrown)).toEqual(unavailable);
    expect((await readPlanned(db)).rows).toEqual([]);
    await sql`drop table of_plans`.execute(db);
    await end();
  });
});

/** Loses the connection of a transaction between two of its queries; returns the error of the transaction. */
function loseBetweenQueries(
  lose: (pid: number) => Promise<void> | void,
  { database } = line,
): Promise<unknown> {
  return database.db
    .transaction()
    .execute(async (trx) => {
      await lose(await backendOf(trx));
      // the driver notices the loss with an event, not with a query
      await new Promise((resolve) => setImmediate(resolve));
      await ask(trx);
      await sql`select pg_sleep(600)`.execute(trx);
    })
    .then(
      () => null,
      (error: unknown) => error,
    );
}

/** Loses a connection while it waits for the response to a query; returns the query's error. */
async function loseDuringQuery(
  lose: (pid: number) => Promise<void> | void,
  { database } = line,
): Promise<unknown> {
  return database.db.connection().execute(async (connection) => {
    const pid = await backendOf(connection);
    const query = sql`select pg_sleep(600)`.execute(connection).then(
      () => null,
      (error: unknown) => error,
    );
    await lose(pid);
    return query;
  });
}

describe('a connection in use', () => {
  it('that the server terminates between two queries fails its transaction, and is replaced', async () => {
    expect(meaningOf(await loseBetweenQueries(terminate))).toEqual(unavailable);
    expect(await ask(line.database.db)).toHaveLength(1);
  });

  it('that the server terminates during a query fails the query, and is replaced', async () => {
    expect(meaningOf(await loseDuringQuery(terminate))).toEqual(unavailable);
    expect(await ask(line.database.db)).toHaveLength(1);
  });

  it.each(['reset', 'close', 'freeze'] as const)(
    'that the network cuts by a %s means the same, and is replaced',
    async (how) => {
      const cut = how === 'freeze' ? hasty : line;
      const lose = () => cut.proxy[how]();
      expect(meaningOf(await loseBetweenQueries(lose, cut))).toEqual(unavailable);
      expect(meaningOf(await loseDuringQuery(lose, cut))).toEqual(unavailable);
      await expect.poll(() => ask(cut.database.db)).toHaveLength(1);
    },
  );

  it('that is idle outside of a transaction, as while a sweep deletes files, ends nothing else', async () => {
    const held = line.database.db.connection().execute(async (connection) => {
      await terminate(await backendOf(connection));
      expect(await ask(line.database.db)).toHaveLength(1);
      await expect.poll(() => ask(connection).catch(meaningOf)).toEqual(unavailable);
      return 'kept';
    });
    expect(await held).toBe('kept');
  });

  it('does not hide an error of the query itself', async () => {
    const failing = sql`select nonsense`.execute(line.database.db);
    await expect(failing).rejects.toMatchObject({ code: '42703' });
  });
});

describe('a server that cannot be reached', () => {
  it('means the same as a lost connection', async () => {
    const nowhere = openDatabase('postgresql://recodery@127.0.0.1:1/recodery', silentLog);
    const error = await ask(nowhere.db).catch((reason: unknown) => reason);
    expect(meaningOf(error)).toEqual(unavailable);
    await nowhere.end();
  });
});

describe('a server that has become a read-only standby', () => {
  it('is left for the primary that new connections reach', async () => {
    // sessions take such a setting when they begin: only a new connection can write again
    const name = sql.id(new URL(direct.url).pathname.slice(1));
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(direct.db);
    const { db, end } = openDatabase(line.proxy.url, silentLog, { size: 1 });
    const write = () => db.updateTable('maintenance').set({ is_on: true }).execute();
    expect(meaningOf(await write().catch((error: unknown) => error))).toEqual(unavailable);
    await sql`alter database ${name} reset default_transaction_read_only`.execute(direct.db);
    await write();
    expect(await ask(direct.db)).toEqual([{ is_on: true }]);
    await end();
  });
});
