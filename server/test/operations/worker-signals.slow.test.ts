/** A worker that is stopped or paused during an operation: the operation succeeds, once. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Slave } from '@recodery/codec/simulator/slave';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { spawnRecodery } from '../fixtures/recodery-process.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';

const secret = randomBytes(32).toString('hex');
/** Bytes of an image: large enough for an operation to take a while. */
const imageBytes = 6 * 1024 * 1024;

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

interface RunningWork {
  readonly operation: string;
  readonly worker: ChildProcess;
}

/** A running operation with its worker; null if there is none. `left` counts unfinished operations. */
async function findRunningWork(): Promise<{ running: RunningWork | null; left: number }> {
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
      return { running: { operation: guid, worker }, left: rows.length };
    }
  }
  return { running: null, left: rows.length };
}

/** Waits until a running worker is in the middle of an operation. */
async function waitForWork(refill: () => Promise<void>): Promise<RunningWork> {
  for (;;) {
    const { running, left } = await findRunningWork();
    if (running !== null) return running;
    if (left === 0) await refill();
    await wait(2);
  }
}

async function refill(): Promise<void> {
  started(await uploadRead(anna, sealImage(slave, 9000, randomBytes(imageBytes))));
}

/** Pauses a worker in the middle of an operation. */
async function pauseRunningWork(): Promise<RunningWork> {
  for (;;) {
    const running = await waitForWork(refill);
    running.worker.kill('SIGSTOP');
    // a statement that it has already sent may still finish the operation: the lock waits for it
    const isHeld = await portal.platform.db.transaction().execute(async (trx) => {
      const row = trx.selectFrom('operation').select(['status', 'worker_guid']).forUpdate();
      const held = await row.where('guid', '=', running.operation).executeTakeFirstOrThrow();
      return held.status === 'running' && known.get(held.worker_guid ?? '') === running.worker;
    });
    if (isHeld) return running;
    running.worker.kill('SIGCONT');
  }
}

/** An operation with everything that was stored when it finished. */
async function readOutcome(guid: string) {
  const { db, config } = portal.platform;
  const { storage } = await openStorage(config);
  const stored: [string, number][] = [];
  for await (const { key, modifiedOn } of storage.list(`${guid}/`))
    stored.push([key, modifiedOn.getTime()]);
  const rows = db.selectFrom('stored_file').selectAll();
  return {
    row: await db.selectFrom('operation').selectAll().where('guid', '=', guid).execute(),
    files: await rows.where('storage_key', 'like', `${guid}/%`).orderBy('guid').execute(),
    notifications: await db
      .selectFrom('notification')
      .selectAll()
      .where('guid', '=', guid)
      .execute(),
    stored: stored.toSorted(([left], [right]) => left.localeCompare(right)),
  };
}

test('a worker that is paused for longer than its lease changes nothing when it wakes up', async () => {
  startWorker();
  const { operation: guid, worker: late } = await pauseRunningWork();
  startWorker();
  expect((await anna.follow({ guid })).status).toBe('succeeded');
  // the attempt that succeeds deletes what the paused one has stored, after the operation has finished
  const isTidy = async (): Promise<boolean> => {
    const { row, stored } = await readOutcome(guid);
    return stored.every(([key]) => key.startsWith(`${guid}/${row[0]?.attempt}/`));
  };
  await expect.poll(isTidy).toBe(true);
  const before = await readOutcome(guid);
  expect(before.row[0]?.attempt).toBeGreaterThan(1);
  expect(before.notifications).toHaveLength(1);

  late.kill('SIGCONT');
  const isOver = (line: string): boolean =>
    line.includes(guid) &&
    line.includes('"attempt":1') &&
    // regardless of the result of its attempt: its connections may have timed out too
    /operation (aborted|finished|interrupted|failed)/.test(line);
  await expect.poll(() => log.some(isOver)).toBe(true);
  // its own files are deleted, and nothing else has changed
  await expect.poll(() => readOutcome(guid)).toEqual(before);
  const [first] = [...workers].filter((one) => one === late);
  expect(first?.exitCode).toBeNull();
});

test("a SIGTERM to a worker's whole process group does not count as a crash", async () => {
  startWorker();
  // an operation that has already finished cannot be used: try another
  const { operation: guid, worker } = await waitForWork(refill);
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
