/** Connections that the server terminates at random, during requests, uploads, event streams and operations. */
import { randomBytes } from 'node:crypto';
import { decodeResult } from '@recodery/contract/families/kessv2';
import type { Operation } from '@recodery/contract/features/operations';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { Client } from '../fixtures/client.ts';
import { patiently, pollUntilFinished } from '../fixtures/patient-client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';

const reads = 12;
/** The minimum number of terminations during the work. */
const rounds = 40;

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '100', RECODERY_ENGINES: '2' });
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** Terminates each connection to the portal's database with the given probability; returns how many. */
async function terminateSome(admin: pg.Client, probability: number): Promise<number> {
  const name = new URL(portal.platform.databaseUrl).pathname.slice(1);
  const { rows } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity, pg_sleep(0.05)
     where datname = $1 and random() < $2`,
    [name, probability],
  );
  return rows.length;
}

/**
 * Keeps an event stream open, and opens it again when it has ended; returns the finished operations that it reported.
 */
function watchEvents(signal: AbortSignal) {
  const finished = new Set<string>();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      const client = new Client(anna.url, anna.sessionId);
      // refused while the session cannot be checked
      await client
        .listen(({ name, record }) => {
          const { guid, isCompleted } = record as Operation;
          if (name === 'operation' && isCompleted) finished.add(guid);
        })
        .then(() => Promise.race([client.ended, aborted]))
        .catch(() => undefined);
      client.close();
    }
  };
  return { finished, ended: watch() };
}

/** Uploads a read until it is accepted, then decodes and encodes it. */
async function follow(read: Uint8Array): Promise<readonly Operation[]> {
  const upload = await patiently(() => uploadRead(anna, read));
  const decoded = await pollUntilFinished(anna, started(upload));
  expect(decoded.error).toBeNull();
  const { kessv2SlotGUID: kessv2FileSlotGUID } = decodeResult.parse(decoded.result);
  const body = { kessv2FileSlotGUID };
  const encode = await patiently(() => anna.post('/api/kessv2/reencode-decoded-file', body));
  return [decoded, await pollUntilFinished(anna, started(encode))];
}

// in each run, `lost-connections.test.ts` ends single connections, `outages.slow.test.ts` all of them, and the chaos test some
test('lose nothing that was accepted, and end no process', { tags: 'release' }, async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const admin = new pg.Client({ connectionString: inject('testPostgres').url });
  await admin.connect();
  const watching = new AbortController();
  const events = watchEvents(watching.signal);

  let isFollowing = true;
  const following = Promise.all(
    Array.from({ length: reads }, () => follow(sealImage(slave, 9000, randomBytes(256 * 1024)))),
  ).finally(() => {
    isFollowing = false;
  });
  let terminated = 0;
  const mustGoOn = (round: number): boolean =>
    round < rounds || terminated <= rounds || (isFollowing && round < 4 * rounds);
  for (let round = 0; mustGoOn(round); round += 1) {
    terminated += await terminateSome(admin, 0.2);
  }
  const operations = (await following).flat();
  expect(terminated).toBeGreaterThan(rounds);
  expect(operations.map(({ status, error }) => [status, error])).toEqual(
    operations.map(() => ['succeeded', null]),
  );

  // including those whose response was lost on the way to the client
  const { db } = portal.platform;
  const unfinished = () =>
    db
      .selectFrom('operation')
      .select(['status', 'error_name', 'internal_code', 'attempt'])
      .where('status', '!=', 'succeeded')
      .execute();
  await expect.poll(unfinished).toEqual([]);
  const notified = await db.selectFrom('notification').select('guid').execute();
  expect(notified).toHaveLength((await db.selectFrom('operation').select('guid').execute()).length);
  const { storage } = await openStorage(portal.platform.config);
  for (const { storage_key } of await db.selectFrom('stored_file').selectAll().execute()) {
    expect([storage_key, await storage.head(storage_key)]).not.toContain(null);
  }

  // the stream continues with the same subscription to announcements
  const last = await follow(sealImage(slave, 9000, randomBytes(1024)));
  await expect.poll(() => last.every(({ guid }) => events.finished.has(guid))).toBe(true);
  watching.abort();
  await events.ended;
  await admin.end();
});
