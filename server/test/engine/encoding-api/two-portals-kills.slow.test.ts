/**
 * Two portals, the second with the first as its vendor: either is killed while it works, and nothing is lost or started
 * twice.
 */
import type { Operation } from '@recodery/contract/features/operations';
import { sql } from 'kysely';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { openValue } from '../../../src/secrets/sealed-value.ts';
import type { FamilyMode } from '../../fixtures/family-calls.ts';
import {
  findEngines,
  type RecoderyProcess,
  signalEngines,
} from '../../fixtures/recodery-process.ts';
import { type TwoPortals, startTwoPortals } from '../../fixtures/two-portals.ts';
import { vendorGroup } from '../../fixtures/vendor-portal.ts';
import {
  expectImages,
  type Images,
  imagesOf,
  seal,
} from '../../journeys/families/component-workflow.ts';
import {
  readDecoded,
  readWritten,
  type Side,
  startDecode,
  startPortalEncode,
} from '../portal-workflow.ts';

let portals: TwoPortals;
let there: Side;
let worker: RecoderyProcess;
/** The operations at the vendor before the test. */
let before: number;
beforeAll(async () => {
  portals = await startTwoPortals();
  there = { client: portals.customer.anna, query: vendorGroup };
  // from here on, a process that can be killed
  await portals.customer.portal.stopWorker();
  worker = await portals.customer.startWorkerProcess();
});
afterAll(() => portals.stop());
beforeEach(async () => {
  before = (await listVendorOperations()).length;
});

const dbOf = (side: 'vendor' | 'customer') => portals[side].portal.platform.db;

function listVendorOperations() {
  return dbOf('vendor')
    .selectFrom('operation')
    .selectAll()
    .where('is_background', '=', false)
    .orderBy('created_on')
    .execute();
}

/** The operations at the vendor since the beginning of the test. */
async function listStartedAtVendor() {
  return (await listVendorOperations()).slice(before);
}

const kind: FamilyMode = { family: 'kess3', mode: 'bootbench' };
const images = imagesOf(9000, 5, { flash: 65_536, micro: 16_384, eeprom: 4096, mapfile: 2048 });
const flash = (images.get('flash') ?? new Uint8Array()).toReversed();
const changes = { modified: new Map([['flash', flash]]) as Images };

function newRead(): Uint8Array {
  return seal(portals.vendor.slaves.kess3, { protocolId: 9000, mode: kind.mode, images });
}

/** Every slot at the vendor is closed, now or soon. */
async function expectAllClosed(): Promise<void> {
  const countOpen = async () => {
    const slots = dbOf('vendor').selectFrom('slot').where('opened_by_client_guid', 'is not', null);
    return (await slots.select('guid').execute()).length;
  };
  await expect.poll(countOpen).toBe(0);
}
afterEach(expectAllClosed);

let releaseVendor: () => void = () => undefined;
afterEach(() => releaseVendor());

/** Suspends the vendor's engines, so that operations that it accepts do not finish until `releaseVendor` is called. */
function holdVendor(): void {
  const { child } = portals.vendor.process();
  expect(findEngines(child).length).toBeGreaterThan(0);
  releaseVendor = signalEngines(child, 'SIGSTOP');
}

/** Waits until the vendor works on an operation of ours, and our portal knows it. */
async function waitForVendorWork({ guid }: Pick<Operation, 'guid'>): Promise<void> {
  await expect.poll(async () => (await listStartedAtVendor()).at(-1)?.status).toBe('running');
  const isKnown = async () => {
    const own = dbOf('customer').selectFrom('operation').where('guid', '=', guid);
    const { sealed } = await own.select('engine_context as sealed').executeTakeFirstOrThrow();
    const { secrets } = portals.customer.portal.platform;
    const sealedFor = { purpose: 'engine-context', row: `operation ${guid}` };
    return sealed === null ? null : openValue(secrets, sealedFor, sealed);
  };
  const there = (await listStartedAtVendor()).at(-1)?.guid;
  await expect.poll(isKnown).toMatchObject({ operationGuid: there });
}

/** Resolves when a page shows that the operation waits for the engine. */
async function waitUntilUnavailable({ guid }: Pick<Operation, 'guid'>): Promise<Operation> {
  const { promise, resolve } = Promise.withResolvers<Operation>();
  const look = (operation: Operation): void => {
    if (operation.guid === guid && operation.progress.stage === 'WAITING_FOR_ENGINE')
      resolve(operation);
  };
  const stop = await there.client.listen(({ name, record }) => {
    if (name === 'operation') look(record as Operation);
  });
  // this may already have been the case: only changes are announced
  look((await there.client.get(`/api/async-operations/${guid}`)).json as Operation);
  return promise.finally(stop);
}

/** Kills the vendor, waits until this is shown, and starts it again. */
async function killVendor(operation: Operation): Promise<void> {
  const unavailable = waitUntilUnavailable(operation);
  await portals.vendor.kill();
  expect(await unavailable).toMatchObject({ status: 'running', isCompleted: false });
  await portals.vendor.restart();
}

/** A decoded read. */
async function decodeOne() {
  const operation = await startDecode(there, kind, newRead());
  return readDecoded(there, kind, await there.client.follow(operation));
}

async function expectOneDecode(operation: Operation): Promise<void> {
  const ended = await there.client.follow(operation);
  expectImages((await readDecoded(there, kind, ended)).images, images);
  expect((await listStartedAtVendor()).map(({ status }) => status)).toEqual(['succeeded']);
}

async function expectOneEncode(operation: Operation): Promise<void> {
  const ended = await there.client.follow(operation);
  const written = await readWritten(there, portals.vendor.slaves.kess3, ended);
  expectImages(written, new Map([...images, ['flash', flash]]));
  const [decode, ...encodes] = await listStartedAtVendor();
  expect(decode?.status).toBe('succeeded');
  expect(encodes.map(({ status }) => status)).toEqual(['succeeded']);
}

// promise e3.work.killed
describe('the vendor is killed', () => {
  test('while it decodes: the operation waits, and then succeeds', async () => {
    holdVendor();
    const operation = await startDecode(there, kind, newRead());
    await waitForVendorWork(operation);
    await killVendor(operation);
    await expectOneDecode(operation);
  });

  test('while it encodes: the operation waits, and then succeeds', {
    tags: 'release',
  }, async () => {
    const { slotGuid } = await decodeOne();
    holdVendor();
    const operation = await startPortalEncode(there, kind, slotGuid, changes);
    await waitForVendorWork(operation);
    await killVendor(operation);
    await expectOneEncode(operation);
  });

  test('before it responds: the request is sent again, and starts one operation', {
    tags: 'release',
  }, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    // a failed test must not keep the lock, for which all later ones would wait
    onTestFinished(() => release());
    const locked = Promise.withResolvers<void>();
    // its transaction waits here, and is never committed
    const lock = dbOf('vendor')
      .transaction()
      .execute(async (trx) => {
        await sql`lock table operation in exclusive mode`.execute(trx);
        locked.resolve();
        await released;
      });
    await locked.promise;
    const operation = await startDecode(there, kind, newRead());
    // the beginning of the statement that inserts the operation too: the database shows 1,024 bytes of a statement
    await expect.poll(() => listBlocked('vendor', 'insert into "slot"')).toHaveLength(1);
    const unavailable = waitUntilUnavailable(operation);
    await portals.vendor.kill();
    release();
    await lock;
    await unavailable;
    await portals.vendor.restart();
    await expectOneDecode(operation);
  });
});

/** The server processes of statements that contain this and wait for a lock. */
async function listBlocked(side: 'vendor' | 'customer', statement: string): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and position(${statement} in query) > 0`.execute(
    dbOf(side),
  );
  return rows.map(({ pid }) => pid);
}

// promise e3.work.once
describe('our worker is killed', () => {
  test('while the vendor decodes: the next one continues', { tags: 'release' }, async () => {
    holdVendor();
    const operation = await startDecode(there, kind, newRead());
    await waitForVendorWork(operation);
    await worker.kill();
    releaseVendor();
    worker = await portals.customer.startWorkerProcess();
    await expectOneDecode(operation);
  });

  test('while the vendor encodes: the next one continues', { tags: 'release' }, async () => {
    const { slotGuid } = await decodeOne();
    holdVendor();
    const operation = await startPortalEncode(there, kind, slotGuid, changes);
    await waitForVendorWork(operation);
    await worker.kill();
    releaseVendor();
    worker = await portals.customer.startWorkerProcess();
    await expectOneEncode(operation);
  });

  test('before it has stored what the vendor has taken over: the vendor starts nothing again', async () => {
    const vendor = portals.vendor.process().child;
    vendor.kill('SIGSTOP');
    const operation = await startDecode(there, kind, newRead());
    const own = dbOf('customer').selectFrom('operation').where('guid', '=', operation.guid);
    const isRunning = async () => (await own.select('status').executeTakeFirstOrThrow()).status;
    await expect.poll(isRunning).toBe('running');
    await dbOf('customer')
      .transaction()
      .execute(async (trx) => {
        await trx
          .selectFrom('operation')
          .select('guid')
          .where('guid', '=', operation.guid)
          .forUpdate()
          .execute();
        vendor.kill('SIGCONT');
        const statement = 'update "operation" set "engine_context"';
        await expect.poll(() => listBlocked('customer', statement)).toHaveLength(1);
        await worker.kill();
        // a database finishes the statements of a client that has died
        for (const pid of await listBlocked('customer', ''))
          await sql`select pg_terminate_backend(${pid})`.execute(dbOf('customer'));
        await expect.poll(() => listBlocked('customer', '')).toEqual([]);
      });
    const stored = await own.select('engine_context').executeTakeFirstOrThrow();
    expect(stored).toEqual({ engine_context: null });
    worker = await portals.customer.startWorkerProcess();
    await expectOneDecode(operation);
  });
});
