/** A vendor that does not respond, or not for all families, does not delay other work. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineTimes } from '../../src/engine/kind.ts';
import { saveConnection } from '../../src/engine-connections/engine-connections.ts';
import { startWorker } from '../../src/worker.ts';
import type { Client } from '../fixtures/client.ts';
import { type FakeVendor, startFakeVendor } from '../fixtures/services/fake-vendor.ts';
import type { Misbehavior } from '../fixtures/services/misbehavior.ts';
import { type RunningPortal, testPace } from '../fixtures/running-portal.ts';
import { startVendorPortal } from '../fixtures/vendor-portal.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { decodeEnd, someRead, upload } from './encoding-api/vendor-workflow.ts';
import { shareEngines } from '../fixtures/shared-engines.ts';

let vendor: FakeVendor;
let portal: RunningPortal;
let anna: Client;

beforeAll(async () => {
  vendor = await startFakeVendor();
  ({ portal, anna } = await startVendorPortal(vendor, { answer: forEver }));
});
beforeEach(async () => {
  await portal.stopWorker();
  vendor.calmDown();
  vendor.slots.clear();
  vendor.forgetTokens();
});
afterAll(async () => {
  await portal.stop();
  await vendor.stop();
});

const always = Number.POSITIVE_INFINITY;
/** Milliseconds: longer than a test may take. */
const forEver = 3_600_000;
const stillHanging: readonly (readonly [string, RegExp, Misbehavior])[] = [
  ['a token', /access-tokens/, 'drip'],
  ['a token, in silence', /access-tokens/, 'silence'],
  ['a decode', /POST .*decode/, 'silence'],
  ['a poll', /GET .*async-operations/, 'drip'],
  ['a file', /GET .*\/files\//, 'drip'],
  ['a slot that is being closed', /POST .*\/close/, 'silence'],
];

/** A slot at a vendor that no operation needs. */
function addOrphan({ slots }: FakeVendor) {
  const orphan = { guid: randomUUID(), isClosed: false, readFileName: '', read: { images: {} } };
  slots.set(orphan.guid, orphan);
  return orphan;
}

describe('a worker that stops', () => {
  test.each(stillHanging)('does not wait for %s', async (_title, match, how) => {
    vendor.misbehave(match, how, always);
    await portal.startWorker();
    const operation = started(await upload(anna, 'kess3', someRead().bytes));
    await expect.poll(() => vendor.hanging()).toBeGreaterThan(0);
    await portal.stopWorker();
    await expect.poll(() => vendor.hanging()).toBe(0);
    vendor.calmDown();
    await portal.startWorker();
    expect((await anna.follow(operation)).error).toBeNull();
  });
});

describe('an orphaned slot is closed', () => {
  test.each<[string, RegExp, Misbehavior]>([
    ['another family is not answered for', /GET .*kessv2\/file-slots/, 'silence'],
    [
      'another family is refused with a page',
      /GET .*kessv2\/file-slots/,
      { status: 400, body: '<html>' },
    ],
    [
      'another family has too many slots to read',
      /GET .*kessv2\/file-slots/,
      { change: () => `[${' '.repeat(2 ** 24)}]` },
    ],
    [
      'it cannot be closed as another family’s',
      /POST .*kessv2.*close/,
      { status: 400, body: 'NO' },
    ],
    ['it can be closed as one family’s only', /POST .*(kessv2|ktag).*close/, { status: 503 }],
  ])('although %s', async (_title, match, how) => {
    vendor.misbehave(match, how, always);
    const orphan = addOrphan(vendor);
    await portal.startWorker();
    await expect.poll(() => orphan.isClosed).toBe(true);
  });

  test('although another vendor does not respond', async () => {
    vendor.misbehave(/file-slots/, 'silence', always);
    await portal.startWorker();
    await expect.poll(() => vendor.hanging()).toBeGreaterThan(0);
    const other = await startFakeVendor();
    const orphan = addOrphan(other);
    const { url, credentials } = other;
    const { clientGuid, secretKey } = credentials;
    const connection = { name: 'another', kind: 'encoding-api', url, clientGuid } as const;
    await saveConnection(portal.platform, connection, secretKey);
    await expect.poll(() => orphan.isClosed).toBe(true);
    await portal.stopWorker();
    await other.stop();
  });
});

describe('a token request that gets 401', () => {
  test('is repeated for as long as an operation waits, and not longer', async () => {
    vendor.misbehave(/access-tokens/, { status: 401 }, always);
    const times = { ...engineTimes, patience: 300 };
    const worker = await startWorker(portal.platform, { ...testPace, times }, shareEngines);
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    await worker.stop();
    expect(error).toMatchObject({
      errorName: 'ENGINE_UNAVAILABLE',
      detail: 'the service responds to the token request with 401',
    });
  });

  test.each([
    ['401', { status: 401 }, 'the service responds to the token request with 401'],
    ['a refusal', { status: 403, body: 'INVALID_CREDENTIALS' }, 'INVALID_CREDENTIALS'],
  ])('or %s logs once what the operator must do', async (_title, how, reason) => {
    vendor.misbehave(/access-tokens/, how, always);
    const logged: { readonly msg: string; readonly advice?: string; readonly reason?: string }[] =
      [];
    const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line) as never) });
    const pace = { ...testPace, sweep: { first: 0, every: 10 } };
    const worker = await startWorker({ ...portal.platform, log }, pace, shareEngines);
    const advised = () => logged.filter(({ advice }) => advice !== undefined);
    await expect.poll(() => advised().length).toBeGreaterThan(0);
    await worker.stop();
    expect(advised()).toMatchObject([
      {
        msg: 'an engine rejected the credentials',
        reason,
        advice: expect.stringMatching(/recodery engine test "the vendor".*--replace/) as string,
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain(vendor.credentials.secretKey);
  });
});
