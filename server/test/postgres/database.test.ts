/** Migrations, announcements and keys on a real database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Announcement, notify, openAnnounce } from '../../src/postgres/announce.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { keepPlan, openDatabase } from '../../src/postgres/database.ts';
import { MigrationMismatch, migrate } from '../../src/postgres/migrate.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../fixtures/database/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a test database', () => {
  it('has every table of the migrations and returns bytes as numbers', async () => {
    const { rows } = await sql<{ many: unknown }>`select 5000000000::bigint as many`.execute(
      database.db,
    );
    expect(rows).toEqual([{ many: 5_000_000_000 }]);
    expect(await database.db.selectFrom('maintenance').select('is_on').execute()).toEqual([
      { is_on: false },
    ]);
  });
});

describe('a query whose plan is kept', () => {
  const plansOf = async (db: TestDatabase['db']) => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements`.execute(db);
    return rows.map(({ statement }) => statement);
  };

  it('is planned once for a connection, and other queries each time', async () => {
    await database.db.connection().execute(async (db) => {
      const find = (code: string) =>
        db.selectFrom('organisation').select('guid').where('customer_code', '=', code);
      await find('A').execute();
      expect(await plansOf(db)).toEqual([]);
      for (const code of ['A', 'B']) await find(code).modifyFront(keepPlan).execute();
      expect(await plansOf(db)).toEqual([find('A').modifyFront(keepPlan).compile().sql]);
    });
  });

  it('finds its row after a column was added to the table', async () => {
    const { url, drop } = await createEmptyDatabase();
    const { db, end } = openDatabase(url, silentLog);
    await sql`create table organisation (guid uuid, customer_code text)`.execute(db);
    await sql`insert into organisation values (gen_random_uuid(), 'A')`.execute(db);
    await db.connection().execute(async (one) => {
      const find = () =>
        one.selectFrom('organisation').modifyFront(keepPlan).select('customer_code').execute();
      expect(await find()).toHaveLength(1);
      await sql`alter table organisation add column name text`.execute(db);
      await sql`create index on organisation (customer_code)`.execute(db);
      expect(await find()).toHaveLength(1);
    });
    await end();
    await drop();
  });
});

describe('the migrations', () => {
  async function withFolder(work: (folder: string, url: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'recodery-migrations-'));
    const { url, drop } = await createEmptyDatabase();
    try {
      await writeFile(join(folder, '0001-one.sql'), 'create table one (n integer);');
      await writeFile(join(folder, '0002-two.sql'), 'create table two (n integer);');
      await work(folder, url);
    } finally {
      await drop();
      await rm(folder, { recursive: true });
    }
  }

  it('are applied in order, once, even if two processes start concurrently', () =>
    withFolder(async (folder, url) => {
      const applied = await Promise.all([migrate(url, folder), migrate(url, folder)]);
      expect(applied.flat()).toEqual(['0001-one.sql', '0002-two.sql']);
      expect(await migrate(url, folder)).toEqual([]);
    }));

  it('leave nothing of a file that fails midway, and continue there once it is fixed', () =>
    withFolder(async (folder, url) => {
      const broken = join(folder, '0003-three.sql');
      await writeFile(broken, 'create table three (n integer); select nonsense;');
      await expect(migrate(url, folder)).rejects.toThrow('nonsense');
      await writeFile(broken, 'create table three (n integer);');
      expect(await migrate(url, folder)).toEqual(['0003-three.sql']);
    }));

  it('refuse a file that was changed after it had been applied', () =>
    withFolder(async (folder, url) => {
      await migrate(url, folder);
      await writeFile(join(folder, '0001-one.sql'), 'create table one (n bigint);');
      await expect(migrate(url, folder)).rejects.toThrow(MigrationMismatch);
    }));

  it('refuse a database that a newer version has migrated', () =>
    withFolder(async (folder, url) => {
      await migrate(url, folder);
      await rm(join(folder, '0002-two.sql'));
      await expect(migrate(url, folder)).rejects.toThrow('newer version');
    }));
});

describe('an announcement', () => {
  const hint: Announcement = { kind: 'operation', guid: 'g', organisation: 'o' };

  function nextOf(announce: { subscribe: (listener: (a: Announcement) => void) => () => void }) {
    const { promise, resolve } = Promise.withResolvers<Announcement>();
    const end = announce.subscribe(resolve);
    return promise.finally(end);
  }

  // promise d6.push.between
  it('reaches another process when the transaction commits, and never if it does not', async () => {
    const announce = await openAnnounce(database.url, silentLog);
    const received = nextOf(announce);
    const failing = database.db.transaction().execute(async (trx) => {
      await notify(trx, { ...hint, guid: 'rolled back' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.db.transaction().execute((trx) => notify(trx, hint));
    expect(await received).toEqual(hint);
    await announce.stop();
  });

  it('is received again after the connection was lost, and the gap is reported', async () => {
    const announce = await openAnnounce(database.url, silentLog);
    const gap = Promise.withResolvers<void>();
    announce.subscribe(() => undefined, gap.resolve);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'recodery announce' and datname = current_database()`.execute(
      database.db,
    );
    await gap.promise;
    const received = nextOf(announce);
    await notify(database.db, hint);
    expect(await received).toEqual(hint);
    await announce.stop();
  });

  it('of an unknown kind is ignored', async () => {
    const announce = await openAnnounce(database.url, silentLog);
    const received = nextOf(announce);
    await sql`select pg_notify('recodery', '{"kind":"weather"}')`.execute(database.db);
    await notify(database.db, hint);
    expect(await received).toEqual(hint);
    await announce.stop();
  });
});

describe('a lost connection of the pool', () => {
  it('is replaced automatically', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await database.db.selectFrom('maintenance').select('is_on').execute();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'recodery' and datname = current_database()`,
    );
    await client.end();
    await expect
      .poll(() => database.db.selectFrom('maintenance').select('is_on').execute())
      .toHaveLength(1);
  });
});
