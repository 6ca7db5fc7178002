/** The table `operation` on a real database: the quota under contention, ownership of rows, the claim and its lease. */
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimOperations,
  claimRemoteOperations,
  countCrash,
  endWithFault,
  endWithResult,
  release,
  renewLeases,
} from '../../src/operations/claim.ts';
import { lockEnd } from '../../src/operations/lock-end.ts';
import type { OperationRow } from '../../src/operations/operation-rules.ts';
import {
  findOperation,
  insertOperation,
  isSlotBusy,
  listLastOperations,
  listOwnActive,
  listOwnRecent,
} from '../../src/operations/operations.ts';
import { newGuid } from '../../src/config/guids.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';
import { addColleague, createWorkspace, type Workspace } from './workspace.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function insert(operation: ReturnType<Workspace['operation']>, limit = 3): Promise<OperationRow> {
  return database.db.transaction().execute((trx) => insertOperation(trx, operation, limit));
}

/** Claims everything that is due, so that a test starts with an empty queue. */
async function claimAll(worker = newGuid(), count = 100): Promise<readonly OperationRow[]> {
  return claimOperations(database.db, worker, ['KESSv2Decode'], count);
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

async function letLeasesRunOut(): Promise<void> {
  await database.db
    .updateTable('operation')
    .set({ lease_until: sql<Date>`now() - interval '1 second'` })
    .where('status', '=', 'running')
    .execute();
}

describe('operations of vendors’ engines', () => {
  const types = ['KESSv2Decode'] as const;
  const claim = (worker: string, perConnection: number) =>
    claimRemoteOperations(database.db, worker, types, perConnection);

  test('of one connection cannot take the places of another', async () => {
    const workspace = await createWorkspace(database.db);
    const [dead, alive] = [await addConnection(), await addConnection()];
    const add = (connectionGuid: string) => insert(workspace.operation({ connectionGuid }), 100);
    for (let left = 12; left > 0; left -= 1) await add(dead);
    const worker = newGuid();
    const first = await claim(worker, 8);
    expect(first.map(({ connectionGuid }) => connectionGuid)).toEqual(Array(8).fill(dead));
    const behind = await add(alive);
    expect((await claim(worker, 8)).map(({ guid }) => guid)).toEqual([behind.guid]);
    expect(await claim(worker, 8)).toEqual([]);
    // each worker has its own places
    expect(await claim(newGuid(), 3)).toHaveLength(3);
    const [ended] = first;
    if (ended !== undefined)
      await database.db.transaction().execute((trx) => endWithResult(trx, ended, {}));
    expect(await claim(worker, 8)).toHaveLength(1);
    await letLeasesRunOut();
    expect(await claim(newGuid(), 100)).toHaveLength(12);
  });

  test('are not claimed with those of the built-in engine', async () => {
    const workspace = await createWorkspace(database.db);
    const remote = await insert(workspace.operation({ connectionGuid: await addConnection() }));
    const own = await insert(workspace.operation());
    const claimed = (await claimAll()).map(({ guid }) => guid);
    expect(claimed).toContain(own.guid);
    expect(claimed).not.toContain(remote.guid);
    expect((await claim(newGuid(), 1)).map(({ guid }) => guid)).toEqual([remote.guid]);
  });
});

describe('background operations', () => {
  // promise j1.kit.background
  test('are claimed after those of users, and one at a time by each worker', async () => {
    await claimAll();
    const workspace = await createWorkspace(database.db);
    const add = (isBackground: boolean, reservedBytes = 0) =>
      insert({ ...workspace.operation(), isBackground, reservedBytes }, 1);
    const prepared = [await add(true), await add(true)];
    // a user waits for this one
    const kits = [await add(true, 1), ...prepared];
    const own = await add(false);
    const worker = newGuid();
    expect((await claimAll(worker, 1)).map(({ guid }) => guid)).toEqual([own.guid]);
    const [kit, ...others] = await claimAll(worker, 3);
    expect([kit?.guid, others]).toEqual([kits[0]?.guid, []]);
    expect(await claimAll(worker, 3)).toEqual([]);
    if (kit !== undefined)
      await database.db.transaction().execute((trx) => endWithResult(trx, kit, {}));
    expect((await claimAll(worker, 3)).map(({ guid }) => guid)).toEqual([kits[1]?.guid]);
    expect((await claimAll(newGuid(), 3)).map(({ guid }) => guid)).toEqual([kits[2]?.guid]);
  });

  test('that no user waits for are left until they have waited long, while users keep the worker busy', async () => {
    await claimAll();
    const workspace = await createWorkspace(database.db);
    const add = (reservedBytes: number) =>
      insert({ ...workspace.operation(), isBackground: true, reservedBytes }, 1);
    const [kit, requested] = [await add(0), await add(1)];
    const claimBusy = async () => {
      const claimed = await claimOperations(database.db, newGuid(), ['KESSv2Decode'], 3, false);
      return claimed.map(({ guid, isLast }) => ({ guid, isLast }));
    };
    expect(await claimBusy()).toEqual([{ guid: requested.guid, isLast: true }]);
    expect(await claimBusy()).toEqual([]);
    await database.db
      .updateTable('operation')
      .set({ created_on: sql<Date>`now() - interval '21 seconds'` })
      .where('guid', '=', kit.guid)
      .execute();
    expect(await claimBusy()).toEqual([{ guid: kit.guid, isLast: true }]);
  });
});

describe('the quota of parallel operations', () => {
  // promise 6.roles.quota, d8.queue.one-transaction
  test('admits no more than it allows, however many requests are concurrent', async () => {
    const workspace = await createWorkspace(database.db);
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, () => insert(workspace.operation())),
    );
    const refused = asked.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(9);
    expect(
      refused.every(
        ({ reason }) => reason instanceof Refusal && reason.code === 'API_ERROR_THROTTLING',
      ),
    ).toBe(true);
    expect(await listOwnActive(database.db, workspace)).toHaveLength(3);
  });

  // promise d6.quota.details
  test("returns the caller's own operations of that family, oldest first, and no others", async () => {
    const workspace = await createWorkspace(database.db);
    const colleague = await addColleague(database.db, workspace);
    const first = await insert(workspace.operation());
    await insert(workspace.operation({ accountGuid: colleague.accountGuid }));
    await insert(workspace.operation({ family: 'ktag', type: 'KTAGDecode' }));
    const last = await insert(workspace.operation(), 4);
    const refusal = await insert(workspace.operation(), 4).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    const { details } = refusal as Refusal & { details: readonly { guid: string }[] };
    expect(details.map(({ guid }) => guid)).toEqual([first.guid, last.guid]);
  });

  // promise 6.roles.quota
  test('is separate for each organisation', async () => {
    const [full, free] = [await createWorkspace(database.db), await createWorkspace(database.db)];
    await insert(full.operation(), 1);
    await expect(insert(full.operation(), 1)).rejects.toThrow('API_ERROR_THROTTLING');
    await expect(insert(free.operation(), 1)).resolves.toMatchObject({ status: 'waiting' });
  });
});

describe('an operation', () => {
  // promise d5.rights.not-there
  test('of another organisation is not found', async () => {
    const [own, other] = [await createWorkspace(database.db), await createWorkspace(database.db)];
    const { guid } = await insert(own.operation());
    expect(await findOperation(database.db, own.organisationId, guid)).toMatchObject({ guid });
    expect(await findOperation(database.db, other.organisationId, guid)).toBeNull();
    expect(await listLastOperations(database.db, other.organisationId, 50)).toEqual([]);
  });

  test('is not found by an invalid GUID', async () => {
    const own = await createWorkspace(database.db);
    expect(await findOperation(database.db, own.organisationId, "' or true --")).toBeNull();
  });

  test('keeps its slot busy until it has finished', async () => {
    const own = await createWorkspace(database.db);
    const isBusy = () => isSlotBusy(database.db, own.organisationId, own.slotGuid);
    expect(await isBusy()).toBe(false);
    const { guid } = await insert(own.operation());
    expect(await isBusy()).toBe(true);
    const claimed = (await claimAll()).find((row) => row.guid === guid);
    if (claimed !== undefined) await endWithResult(database.db, claimed, {});
    expect(await isBusy()).toBe(false);
  });

  test('stays in the recent list for the given time after its end', async () => {
    const own = await createWorkspace(database.db);
    const [ended, running] = [await insert(own.operation()), await insert(own.operation())];
    await claimAll();
    await endWithResult(database.db, { ...ended, attempt: 1 }, {});
    const recent = async () => (await listOwnRecent(database.db, own, 60)).map(({ guid }) => guid);
    expect(await recent()).toEqual([ended.guid, running.guid]);
    await database.db
      .updateTable('operation')
      .set({ completed_on: sql<Date>`now() - interval '61 seconds'` })
      .where('guid', '=', ended.guid)
      .execute();
    expect(await recent()).toEqual([running.guid]);
  });
});

const noDevices = { slaveGuid: null, masterGuid: null };

describe('the claim', () => {
  // promise d8.queue.claim
  test('assigns each operation to only one worker, however many claim at once', async () => {
    const workspaces = await Promise.all(
      Array.from({ length: 10 }, () => createWorkspace(database.db)),
    );
    await claimAll();
    const guids = await Promise.all(
      workspaces.flatMap((workspace) =>
        Array.from({ length: 3 }, async () => (await insert(workspace.operation())).guid),
      ),
    );
    const claims = await Promise.all(Array.from({ length: 15 }, () => claimAll(newGuid(), 2)));
    const claimed = claims.flat().map(({ guid }) => guid);
    expect(claimed.toSorted()).toEqual(guids.toSorted());
  });

  test('takes the oldest first, and only types that the worker supports', async () => {
    await claimAll();
    const own = await createWorkspace(database.db);
    const first = await insert(own.operation());
    const other = await insert(own.operation({ type: 'KESS3Decode', family: 'kess3' }));
    await insert(own.operation());
    const [claimed] = await claimAll(newGuid(), 1);
    expect(claimed).toMatchObject({ guid: first.guid, attempt: 1, status: 'running' });
    await claimAll();
    expect(await findOperation(database.db, own.organisationId, other.guid)).toMatchObject({
      status: 'waiting',
    });
  });

  // promise d8.queue.lease
  test('is taken over after its lease has expired, and the first worker’s result is discarded', async () => {
    await claimAll();
    const own = await createWorkspace(database.db);
    const operation = await insert(own.operation());
    const { guid } = operation;
    await claimAll();
    expect(await claimAll()).toEqual([]);
    await letLeasesRunOut();
    const second = (await claimAll()).find((row) => row.guid === guid);
    expect(second).toMatchObject({ attempt: 2 });
    expect(await lockEnd(database.db, { ...operation, attempt: 1 }, noDevices)).toBeNull();
    await expect(
      endWithResult(database.db, { ...operation, attempt: 1 }, { late: true }),
    ).rejects.toBeInstanceOf(Error);
    expect(await lockEnd(database.db, { ...operation, attempt: 2 }, noDevices)).not.toBeNull();
    expect(
      await endWithResult(database.db, { ...operation, attempt: 2 }, { late: false }),
    ).toMatchObject({
      status: 'succeeded',
      result: { late: false },
    });
    expect(
      await endWithFault(
        database.db,
        { ...operation, attempt: 2 },
        { errorName: 'GENERIC_ERROR', detail: null, internalCode: 'GENERIC_ERROR', sizes: null },
      ),
    ).toBeNull();
  });

  test('is renewed only for its own worker, and updates the progress', async () => {
    await claimAll();
    const own = await createWorkspace(database.db);
    const { guid } = await insert(own.operation());
    const worker = newGuid();
    await claimAll(worker);
    const held = [{ guid, attempt: 1, fraction: 0.5, stage: 'WAITING_FOR_ENGINE' }] as const;
    expect(await renewLeases(database.db, newGuid(), held)).toEqual(new Set());
    expect(await renewLeases(database.db, worker, held)).toEqual(new Set([guid]));
    expect(await findOperation(database.db, own.organisationId, guid)).toMatchObject({
      fraction: 0.5,
      stage: 'WAITING_FOR_ENGINE',
    });
  });

  test('makes the operation due immediately, or after the given time, when it is released', async () => {
    await claimAll();
    const own = await createWorkspace(database.db);
    const { guid } = await insert(own.operation());
    await claimAll();
    await release(database.db, { guid, attempt: 1 });
    expect(await claimAll()).toMatchObject([{ guid, attempt: 2 }]);
    await release(database.db, { guid, attempt: 2 }, 30);
    expect(await claimAll()).toEqual([]);
    expect(await countCrash(database.db, { guid, attempt: 2 })).toBeNull();
  });
});

test.each([false, true])(
  'a claim never exceeds its count, regardless of the plan that PostgreSQL chooses (remote: %s)',
  async (isRemote) => {
    await claimAll();
    const { operation } = await createWorkspace(database.db);
    const connectionGuid = isRemote ? await addConnection() : null;
    for (let count = 0; count < 4; count += 1) await insert({ ...operation(), connectionGuid }, 10);
    const types = ['KESSv2Decode'] as const;
    const claimed = await database.db.transaction().execute(async (trx) => {
      for (const method of [
        'hashjoin',
        'mergejoin',
        'hashagg',
        'sort',
        'material',
        'indexscan',
        'bitmapscan',
      ])
        await sql`set local ${sql.raw(`enable_${method}`)} = off`.execute(trx);
      return isRemote
        ? claimRemoteOperations(trx, newGuid(), types, 1)
        : claimOperations(trx, newGuid(), types, 1);
    });
    // other tests may have left operations of other connections
    const ours = claimed.filter((one) => one.connectionGuid === connectionGuid);
    expect(ours).toHaveLength(1);
  },
);
