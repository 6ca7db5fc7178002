/** Transactions that begin with their first statement, and plans whose columns a connection knows. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepPlan, openDatabase, type OpenDatabase } from '../../src/postgres/database.ts';
import { sendKnown } from '../../src/postgres/known-queries.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';
import { silentLog } from '../fixtures/silent-log.ts';

let direct: TestDatabase;
/** One connection, so that each statement meets what the last one has left. */
let one: OpenDatabase;
beforeAll(async () => {
  direct = await createTestDatabase();
  one = openDatabase(direct.url, silentLog, { size: 1 });
  await sql`create table note (id integer primary key, text text)`.execute(direct.db);
});
afterAll(async () => {
  await one.end();
  await direct.drop();
});

const insert = (db: Db, id: unknown, isKept = false) =>
  sql`insert into note values (${id}) returning id ${isKept ? keepPlan : sql``}`.execute(db);

async function idsOf(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from note order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many transactions wait for their process. */
async function countIdle(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(direct.db);
  return rows[0]?.count ?? 0;
}

describe('a transaction', () => {
  test.each([
    ['with values', false],
    ['with a plan', true],
  ])('begins with its first statement %s, and ends with its commit', async (_, isKept) => {
    await sql`delete from note`.execute(direct.db);
    for (const id of [1, 2]) {
      await one.db.transaction().execute(async (trx) => {
        expect(await countIdle()).toBe(0);
        expect((await insert(trx, id, isKept)).rows).toEqual([{ id }]);
        expect(await countIdle()).toBe(1);
        expect(await idsOf(direct.db)).not.toContain(id);
      });
      expect(await idsOf(direct.db)).toContain(id);
    }
  });

  test('can begin with several statements in one text', async () => {
    await sql`delete from note`.execute(direct.db);
    await one.db.transaction().execute(async (trx) => {
      await sql`insert into note values (3); insert into note values (4)`.execute(trx);
      expect(await idsOf(direct.db)).toEqual([]);
    });
    expect(await idsOf(direct.db)).toEqual([3, 4]);
  });

  test('without statements is not sent', async () => {
    await one.db.transaction().execute(async () => undefined);
    const stopped = one.db.transaction().execute(async () => {
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await idsOf(one.db)).toEqual(await idsOf(direct.db));
    expect(await countIdle()).toBe(0);
  });

  test('that the server does not begin can be tried again on the same connection', async () => {
    const client = new pg.Client(direct.url);
    await client.connect();
    const query = { text: 'select 1 as one', values: [], name: 'plan' };
    await client.query('begin');
    await expect(client.query('select from missing')).rejects.toThrow('missing');
    await expect(sendKnown(client, { ...query, begins: true })).rejects.toThrow('aborted');
    await client.query('rollback');
    const { rows } = await sendKnown(client, { ...query, begins: true });
    expect(rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  const circular: { self?: unknown } = {};
  circular.self = circular;
  test.each([
    ['that the server refuses', 'x', [false, true, true]],
    ['that cannot be written', circular, [false, false]],
  ])('whose first statement has a value %s changes nothing', async (_, wrong, kept) => {
    for (const isKept of kept) {
      await sql`delete from note`.execute(direct.db);
      const failed = one.db.transaction().execute((trx) => insert(trx, wrong, isKept));
      await expect(failed).rejects.toThrow(/invalid input syntax|circular/i);
      expect(await countIdle()).toBe(0);
      await insert(one.db, 5, isKept);
      expect(await idsOf(direct.db)).toEqual([5]);
    }
  });

  test('whose first statement fails keeps the changes of no statement', async () => {
    await sql`delete from note`.execute(direct.db);
    await insert(direct.db, 6);
    const failed = one.db.transaction().execute(async (trx) => {
      await insert(trx, 6, true).catch(() => undefined);
      await insert(trx, 7, true);
    });
    await expect(failed).rejects.toThrow('current transaction is aborted');
    expect(await idsOf(direct.db)).toEqual([6]);
  });
});

test('a plan whose columns are known returns the same values as before', async () => {
  const read = async (db: Db, isNull: boolean) => {
    const { rows } = await sql`
      select ${keepPlan} 12::bigint as count, 1.5::real as part, true as flag, '{"a": [1]}'::jsonb as json,
        '2026-01-02T03:04:05Z'::timestamptz as time, '\\x0102'::bytea as bytes,
        case when ${isNull} then null else 'text' end as text`.execute(db);
    return rows;
  };
  const row = {
    count: 12,
    part: 1.5,
    flag: true,
    json: { a: [1] },
    time: new Date('2026-01-02T03:04:05Z'),
    bytes: Buffer.from([1, 2]),
  };
  for (const isNull of [false, true, false])
    expect(await read(one.db, isNull)).toEqual([{ ...row, text: isNull ? null : 'text' }]);
  await one.db
    .transaction()
    .execute(async (trx) => expect(await read(trx, false)).toEqual([{ ...row, text: 'text' }]));
});

test('a plan without rows or columns reports what it has changed each time', async () => {
  await sql`delete from note`.execute(direct.db);
  for (const id of [1, 2, 3]) await insert(direct.db, id);
  const remove = (most: number) =>
    sql`delete from note where id <= ${most} ${keepPlan}`.execute(one.db);
  expect(await remove(0)).toEqual({ numAffectedRows: 0n, rows: [] });
  expect(await remove(2)).toEqual({ numAffectedRows: 2n, rows: [] });
  expect(await remove(9)).toEqual({ numAffectedRows: 1n, rows: [] });
});
