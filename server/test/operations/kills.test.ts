/** Ten SIGKILLs of workers and engines during operations: every accepted operation finishes once, and succeeds. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Slave } from '@recodery/codec/simulator/slave';
import type { DecodeResult } from '@recodery/contract/families/kessv2';
import type { Operation } from '@recodery/contract/operations';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFileStorage } from '../../src/storage/files.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { findEngines, spawnRecodery } from '../fixtures/recodery-process.ts';
import { sealImage, started, uploadRead } from '../journeys/kessv2-workflow.ts';

const secret = randomBytes(32).toString('hex');
/** Bytes of an image: large enough for an operation to take a while. */
const imageBytes = 6 * 1024 * 1024;
const firstReads = 12;
const kills = 10;

let portal: RunningPortal;
let anna: Client;
let slave: Slave;
const workers = new Set<ChildProcess>();
/** The workers that are ready, by the GUID with which they claim. */
const known = new Map<string, ChildProcess>();
const log: string[] = [];
beforeAll(async () => {
  const environment = { RECODERY_SECRET: secret, RECODERY_PARALLEL_OPERATIONS: '100' };
  portal = await startTestPortal(environment, false);
  anna = await portal.signIn('anna@demo.test');
  slave = await portal.getSlave('kessv2', 'KV2-000007');
});
afterAll(async () => {
  const gone = [...workers].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(gone);
  await portal.stop();
});

/** Starts a worker process with one engine; it is listed by its GUID as soon as it reports that it is ready. */
function startWorker(): ChildProcess {
  const worker = spawnRecodery(portal.platform, {
    RECODERY_ROLES: 'worker',
    RECODERY_SECRET: secret,
  });
  workers.add(worker);
  createInterface(worker.stderr).on('line', (line) => {
    log.push(line);
    const [, guid] = /"workerGuid":"([^"]+)"/.exec(line) ?? [];
    if (guid !== undefined) known.set(guid, worker);
  });
  worker.once('exit', () => workers.delete(worker));
  return worker;
}

interface AtWork {
  readonly operation: string;
  readonly worker: ChildProcess;
}

/** A running operation with its worker; null if there is none at the moment. `left` counts unfinished operations. */
async function findAtWork(): Promise<{ atWork: AtWork | null; left: number }> {
  const { rows } = await sql<{
    guid: string;
    status: string;
    worker_guid: string;
  }>`
    select operation.guid, operation.status, operation.worker_guid
    from operation, pg_sleep(0.02)
    where operation.status in ('waiting', 'running')`.execute(portal.platform.db);
  for (const { guid, status, worker_guid } of rows) {
    const worker = known.get(worker_guid);
    if (status === 'running' && worker?.exitCode === null && worker.signalCode === null) {
      return { atWork: { operation: guid, worker }, left: rows.length };
    }
  }
  return { atWork: null, left: rows.length };
}

/** Waits until a living worker is in the middle of an operation. */
async function waitForWork(refill: () => Promise<void>): Promise<AtWork> {
  for (;;) {
    const { atWork, left } = await findAtWork();
    if (atWork !== null) return atWork;
    if (left === 0) await refill();
  }
}

type Killed = 'worker' | 'engine';

/**
 * Waits for a worker in the middle of an operation, and kills it or its engine. Until then both are paused: the worker
 * is stopped, and the row is locked, so that statements already sent by the worker cannot finish the operation.
 */
async function kill(index: number, refill: () => Promise<void>): Promise<Killed> {
  for (;;) {
    const atWork = await waitForWork(refill);
    atWork.worker.kill('SIGSTOP');
    const killed = await portal.platform.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('operation')
        .select(['status', 'worker_guid'])
        .where('guid', '=', atWork.operation)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      const isHeld =
        row?.status === 'running' && known.get(row.worker_guid ?? '') === atWork.worker;
      return isHeld ? killHeld(atWork, index) : null;
    });
    if (killed !== null) return killed;
    // it was about to finish the operation
    atWork.worker.kill('SIGCONT');
  }
}

/** Kills a stopped worker or its engine; a worker is replaced. */
async function killHeld({ worker }: AtWork, index: number): Promise<Killed> {
  const engine = index % 2 === 0 ? undefined : findEngines(worker)[0];
  if (engine !== undefined) {
    process.kill(engine, 'SIGKILL');
    worker.kill('SIGCONT');
    return 'engine';
  }
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await gone;
  startWorker();
  return 'worker';
}

// promise d8.queue.kills
test('ten SIGKILLs during operations lose nothing', async () => {
  startWorker();
  startWorker();
  const image = randomBytes(imageBytes);
  const following: Promise<Operation[]>[] = [];
  /** Decodes a read, then encodes it again; waits until both have finished. */
  const follow = async (read: Operation): Promise<Operation[]> => {
    const decoded = await anna.follow(read);
    const { kessv2SlotGUID: kessv2FileSlotGUID } = decoded.result as DecodeResult;
    const answer = await anna.post('/api/kessv2/reencode-decoded-file', { kessv2FileSlotGUID });
    return [decoded, await anna.follow(started(answer))];
  };
  const upload = async (): Promise<void> => {
    following.push(follow(started(await uploadRead(anna, sealImage(slave, 9000, image)))));
  };
  for (let index = 0; index < firstReads; index += 1) await upload();
  const killed: string[] = [];
  for (let index = 0; index < kills; index += 1) killed.push(await kill(index, upload));
  const ended = (await Promise.all(following)).flat();
  const reads = following.length;

  expect(killed.filter((what) => what === 'worker').length).toBeGreaterThanOrEqual(kills / 2);
  expect(killed).toContain('engine');
  expect(ended.map(({ status, error }) => [status, error])).toEqual(
    ended.map(() => ['succeeded', null]),
  );
  const rows = await portal.platform.db.selectFrom('operation').selectAll().execute();
  expect(rows).toHaveLength(2 * reads);
  const again = rows.reduce((sum, { attempt }) => sum + attempt - 1, 0);
  // each worker was killed with its operation unfinished; an engine may just have finished
  expect(again).toBeGreaterThanOrEqual(killed.filter((what) => what === 'worker').length);
  expect(again).toBeLessThanOrEqual(kills);

  // each operation created its files once, and nothing is left of the interrupted attempts
  const files = await portal.platform.db.selectFrom('stored_file').selectAll().execute();
  const count = (role: string) => files.filter((file) => file.role === role).length;
  expect([count('read'), count('decoded'), count('id'), count('encoded')]).toEqual([
    reads,
    reads,
    reads,
    reads,
  ]);
  const storage = await openFileStorage(new URL(portal.platform.config.storageUrl).pathname);
  const keys: string[] = [];
  for await (const { key } of storage.list('')) keys.push(key);
  expect(keys.toSorted()).toEqual(files.map((file) => file.storage_key).toSorted());
});

test("a SIGTERM to a worker's whole process group does not count as a crash", async () => {
  for (const worker of workers) worker.kill('SIGTERM');
  startWorker();
  // an operation that has already finished is no use: try another
  const { operation: guid, worker } = await waitForWork(async () => {
    await uploadRead(anna, sealImage(slave, 9000, randomBytes(imageBytes)));
  });
  const exit = new Promise((resolve) => worker.once('exit', resolve));
  process.kill(-(worker.pid ?? Number.NaN), 'SIGTERM');
  expect(await exit).toBe(0);
  // the running operation is finished or released; either way it succeeds
  startWorker();
  expect((await anna.follow({ guid })).status).toBe('succeeded');
  const row = await portal.platform.db
    .selectFrom('operation')
    .select(['crashes', 'error_name'])
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ crashes: 0, error_name: null });
});
