/** An operation whose worker lets its lease expire: whether its process has died, and what may run next to it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noIsolation } from '../../src/engine/built-in/isolation.ts';
import { newGuid } from '../../src/config/guids.ts';
import {
  claimOperations,
  claimRemoteOperations,
  withdrawLoss,
} from '../../src/operations/claim.ts';
import type { OperationRow } from '../../src/operations/operation-rules.ts';
import { findOperation, insertOperation } from '../../src/operations/operations.ts';
import { removeWorker, reportWorker } from '../../src/service-status/workers.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let database: TestDatabase;
let workspace: Workspace;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('operation').execute();
  await database.db.deleteFrom('worker_report').execute();
  workspace = await createWorkspace(database.db);
});
afterAll(() => database.drop());

function insert(operation: ReturnType<Workspace['operation']>): Promise<OperationRow> {
  return database.db.transaction().execute((trx) => insertOperation(trx, operation, 100));
}

async function claimAll(worker = newGuid()): Promise<readonly OperationRow[]> {
  return claimOperations(database.db, worker, ['KESSv2Decode'], 100);
}

/** A connection to a vendor's engine. */
async function addConnection(): Promise<string> {
  const guid = newGuid();
  await database.db
    .insertInto('engine_connection')
    .values({ guid, name: guid, kind: 'encoding-api', url: 'https://vendor.test', client_guid: '' })
    .execute();
  return guid;
}

async function setLease({ guid }: OperationRow, until: string): Promise<void> {
  const lease_until = sql<Date>`now() + ${until}::interval`;
  await database.db
    .updateTable('operation')
    .set({ lease_until })
    .where('guid', '=', guid)
    .execute();
}

const letLeasesRunOut = (row: OperationRow) => setLease(row, '-1 second');

describe('an operation whose lease expires', () => {
  /** Claims a new operation, and lets its lease expire. */
  async function lose(worker: string): Promise<OperationRow> {
    const started = await insert(workspace.operation());
    await reportWorker(database.db, worker, 1, noIsolation);
    expect((await claimAll(worker)).map(({ guid }) => guid)).toEqual([started.guid]);
    await letLeasesRunOut(started);
    return started;
  }
  const deathsOf = async ({ guid, organisationId }: OperationRow) =>
    (await findOperation(database.db, organisationId, guid))?.deaths;

  test('has a death more, until its worker reports again', async () => {
    const worker = newGuid();
    const lost = await lose(worker);
    const [claimed] = await claimAll();
    expect(claimed).toMatchObject({ guid: lost.guid, deaths: 1 });
    await withdrawLoss(database.db, newGuid());
    expect(await deathsOf(lost)).toBe(1);
    await withdrawLoss(database.db, worker);
    expect(await deathsOf(lost)).toBe(0);
  });

  test('has no death if its worker claims it again, or has stopped in an orderly way', async () => {
    const worker = newGuid();
    const lost = await lose(worker);
    expect(await claimAll(worker)).toMatchObject([{ attempt: 2, deaths: 0 }]);
    await letLeasesRunOut(lost);
    await removeWorker(database.db, worker);
    expect(await claimAll()).toMatchObject([{ attempt: 3, deaths: 0 }]);
  });

  test('runs alone: its worker finishes everything before, and starts nothing next to it', async () => {
    const lost = await lose(newGuid());
    const { operation } = workspace;
    const busy = newGuid();
    const first = await insert(operation());
    const connectionGuid = await addConnection();
    const remote = await insert(operation({ connectionGuid }));
    const types = ['KESSv2Decode'] as const;
    await setLease(lost, '1 hour');
    expect((await claimAll(busy)).map(({ guid }) => guid)).toEqual([first.guid]);
    await letLeasesRunOut(lost);
    const waiting = await insert(operation());
    expect(await claimAll(busy)).toEqual([]);
    expect(await claimRemoteOperations(database.db, busy, types, 8)).toEqual([]);
    const idle = newGuid();
    expect((await claimAll(idle)).map(({ guid }) => guid)).toEqual([lost.guid]);
    expect(await claimAll(idle)).toEqual([]);
    expect(await claimRemoteOperations(database.db, idle, types, 8)).toEqual([]);
    // the others continue
    expect((await claimAll(busy)).map(({ guid }) => guid)).toEqual([waiting.guid]);
    const ofVendors = await claimRemoteOperations(database.db, busy, types, 8);
    expect(ofVendors.map(({ guid }) => guid)).toContain(remote.guid);
  });

  // promise d8.queue.suspects
  test('is waited for by one busy worker, while the others continue', async () => {
    const { operation } = workspace;
    const workers = [newGuid(), newGuid(), newGuid()].toSorted();
    for (const worker of workers) await reportWorker(database.db, worker, 1, noIsolation);
    const held = [];
    for (const worker of workers) {
      held.push(await insert(operation()));
      expect(await claimAll(worker)).toHaveLength(1);
    }
    const [, other = '', another = ''] = workers;
    // the first dies; its report is still recent
    for (const row of held.slice(0, 1)) await letLeasesRunOut(row);
    const connectionGuid = await addConnection();
    const remote = await insert(operation({ connectionGuid }));
    const waiting = await insert(operation());
    expect(await claimAll(other)).toEqual([]);
    expect(await claimRemoteOperations(database.db, other, ['KESSv2Decode'], 8)).toEqual([]);
    expect((await claimAll(another)).map(({ guid }) => guid)).toEqual([waiting.guid]);
    const taken = await claimRemoteOperations(database.db, another, ['KESSv2Decode'], 8);
    expect(taken.map(({ guid }) => guid)).toContain(remote.guid);
    // the one that waits takes it as soon as it has finished
    const finished = held[1]?.guid ?? '';
    await database.db.deleteFrom('operation').where('guid', '=', finished).execute();
    expect(await claimAll(other)).toMatchObject([{ guid: held[0]?.guid, deaths: 1 }]);
  });
});
