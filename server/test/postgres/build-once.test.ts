/** Statements whose text is built once. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../../src/postgres/build-once.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a statement is built once, and returns the rows of the values of each call', async () => {
  let builds = 0;
  const read = buildOnce((db: Db, code: string, other: string) => {
    builds += 1;
    return db
      .selectNoFrom([
        sql<string>`${code}::text`.as('code'),
        sql<string>`${other}::text`.as('other'),
        sql<string>`${code} || ${'-'} || ${7}`.as('both'),
      ])
      .where(sql<boolean>`${code} <> ${'none'}`);
  });
  expect(await read(database.db, 'A', 'B')).toEqual([{ code: 'A', other: 'B', both: 'A-7' }]);
  expect(await read(database.db, 'C', 'A')).toEqual([{ code: 'C', other: 'A', both: 'C-7' }]);
  await database.db
    .transaction()
    .execute(async (trx) => expect(await read(trx, 'none', 'B')).toEqual([]));
  expect(builds).toBe(1);
});

test('a value that is not passed on as it is, is found when the statement is built', async () => {
  const read = buildOnce((db: Db, code: string) =>
    db.selectNoFrom(sql<string>`${code.toUpperCase()}::text`.as('code')),
  );
  await expect(read(database.db, 'a')).rejects.toThrow('does not pass on');
});
