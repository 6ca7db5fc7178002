/** The account names that an organisation can see. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOperation } from '../../src/operations/operations.ts';
import { findStarterNames } from '../../src/organisations/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';
import { addColleague, createWorkspace, type Workspace } from '../operations/workspace.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function start(operation: ReturnType<Workspace['operation']>): Promise<string> {
  const { db } = database;
  const row = await db.transaction().execute((trx) => insertOperation(trx, operation, 3));
  return row.guid;
}

test('an organisation sees the names of the users of its own operations, and no others', async () => {
  const [own, foreign] = [await createWorkspace(database.db), await createWorkspace(database.db)];
  const { accountGuid } = await addColleague(database.db, own);
  const guids = [
    await start(own.operation()),
    await start(own.operation({ accountGuid })),
    await start(foreign.operation()),
  ];
  const names = await findStarterNames(database.db, own.organisationId, guids);
  expect([...names.keys()].toSorted()).toEqual(guids.slice(0, 2).toSorted());
  expect(names.get(guids[1] ?? '')).toBe('A colleague');
  expect(await findStarterNames(database.db, own.organisationId, [])).toEqual(new Map());
});
