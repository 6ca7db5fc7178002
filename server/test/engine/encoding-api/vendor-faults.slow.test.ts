/** A vendor that misbehaves: what is retried, what ends the operation, and that nothing is lost or started twice. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { type FakeVendor, startFakeVendor } from '../../fixtures/services/fake-vendor.ts';
import type { Misbehavior } from '../../fixtures/services/misbehavior.ts';
import type { RunningPortal } from '../../fixtures/running-portal.ts';
import { startVendorPortal, type VendorPortal } from '../../fixtures/vendor-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import {
  bytesOf,
  decode,
  decodeEnd,
  encodeObdEnd,
  readEncoded,
  someRead,
  startVendorEncode,
  upload,
} from './vendor-workflow.ts';

let vendor: FakeVendor;
let portal: RunningPortal;
let anna: Client;

beforeAll(async () => {
  vendor = await startFakeVendor();
  ({ portal, anna } = await startVendorPortal(vendor, {}, { RECODERY_MAX_FILE_MIB: '1' }));
});
afterAll(async () => {
  await portal.stop();
  await vendor.stop();
});

const requests = {
  token: /access-tokens/,
  decode: /POST .*decode-read-file/,
  poll: /GET .*async-operations/,
  file: /GET .*\/files\//,
  reopen: /POST .*\/reopen/,
  upload: /PUT .*upload-modified-file/,
  encode: /POST .*encode-obd-file/,
} as const;
type Place = keyof typeof requests;

/** A decode and an encode; whether both are complete, byte for byte. */
async function runWorkflow(client = anna): Promise<boolean> {
  const { image, bytes } = someRead();
  const { slotGUID, result } = await decode(client, 'kess3', bytes);
  const file = await client.get(String(result['obdDecodedFileURL']));
  const modified = randomBytes(image.length);
  const encoded = await readEncoded(client, await encodeObdEnd(client, slotGUID, modified));
  return image.equals(file.bytes) && modified.equals(bytesOf(encoded.images['obd']));
}

const away: readonly Misbehavior[] = [
  'silence',
  'drip',
  'reset',
  'lost',
  'html',
  'broken-json',
  'half-a-body',
  'redirect',
  { status: 400, body: 'TOO_MANY_UPLOADS' },
  { status: 400, body: 'UPLOAD_INTERRUPTED' },
  { status: 401, body: 'UNAUTHORIZED' },
  { status: 409, body: 'STILL_HANDLED' },
  { status: 429, body: 'TOO_MANY', retryAfter: '0' },
  { status: 500, body: 'OOPS' },
  { status: 502, body: `<html>${' '.repeat(2 * 1024 * 1024)}</html>` },
  { status: 503, isDripping: true },
  { status: 503, body: '', retryAfter: new Date(0).toUTCString() },
];

describe('a vendor that responds with', () => {
  // This portal soon repeats a request without a response. The other tests count requests, and on a busy machine a
  // correct response can take that long too.
  let slow: FakeVendor;
  let hasty: VendorPortal;
  beforeAll(async () => {
    slow = await startFakeVendor();
    hasty = await startVendorPortal(
      slow,
      { answer: 500, patience: 600_000 },
      { RECODERY_MAX_FILE_MIB: '1' },
    );
  });
  afterAll(async () => {
    await hasty.portal.stop();
    await slow.stop();
  });

  // one body has 2 MiB
  test.each(away.map((how) => [JSON.stringify(how).slice(0, 60), how] as const))(
    '%s once at each step is retried',
    { tags: 'release' },
    async (_, how) => {
      for (const match of Object.values(requests)) slow.misbehave(match, how);
      slow.forgetTokens();
      expect(await runWorkflow(hasty.anna)).toBe(true);
    },
  );

  // all steps send their requests in the same way: each response at one of them, and none of them without
  const steps = Object.entries(requests);
  const rounds = Array.from({ length: Math.ceil(away.length / steps.length) }, (_, round) =>
    steps.map(([place, match], at) => {
      const how = away[(round * steps.length + at) % away.length] ?? 'reset';
      return { place, match, how };
    }),
  );
  test.each(rounds.map((round) => [JSON.stringify(round.map(({ how }) => how)), round] as const))(
    '%s, one at each step, is retried',
    async (_, round) => {
      for (const { match, how } of round) slow.misbehave(match, how);
      slow.forgetTokens();
      expect(await runWorkflow(hasty.anna)).toBe(true);
    },
  );

  test.each([
    ['other-operation', 'poll'],
    ['not-base64', 'file'],
  ] as const)('%s at a %s is retried', async (how, place) => {
    slow.misbehave(requests[place], how, 3);
    expect(await runWorkflow(hasty.anna)).toBe(true);
  });
});

describe('a vendor that refuses', () => {
  const word = { status: 400, body: 'NOT_THIS_ONE' } as const;

  test.each<Place>(['decode', 'poll', 'file'])(
    'a %s ends the decode immediately, with its error code',
    async (place) => {
      vendor.misbehave(requests[place], word);
      const before = vendor.requests.length;
      const { error, progress } = await decodeEnd(anna, 'kess3', someRead().bytes);
      expect(error).toEqual({
        errorName: 'ENGINE_REFUSED',
        detail: 'NOT_THIS_ONE',
        cause: 'ENGINE_REFUSED',
        sizes: null,
      });
      expect(progress.stage).toBe('COMPLETED');
      const asked = vendor.requests.slice(before).filter((line) => requests[place].test(line));
      expect(asked).toHaveLength(1);
    },
  );

  test.each<Place>(['reopen', 'upload', 'encode'])(
    'a %s ends the encode, with its error code',
    async (place) => {
      const { image, bytes } = someRead();
      const { slotGUID } = await decode(anna, 'kess3', bytes);
      vendor.misbehave(requests[place], word);
      const { error } = await encodeObdEnd(anna, slotGUID, randomBytes(image.length));
      expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail: 'NOT_THIS_ONE' });
    },
  );

  // promise e3.work.refused
  test('with a failed operation fails ours with the same error', async () => {
    vendor.failure = 'WRONG_MASTER';
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    vendor.failure = null;
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail: 'WRONG_MASTER' });
  });

  test('in a long text with control characters is shown on one short line', async () => {
    vendor.misbehave(requests.decode, { status: 400, body: `a\n\u0007b\u202e${'c'.repeat(5000)}` });
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    expect(error?.detail).toMatch(/^a b c{190,}$/);
    expect(error?.detail?.length).toBeLessThanOrEqual(200);
  });

  test('with two gigabytes is aborted', async () => {
    vendor.misbehave(requests.file, 'two-gigabytes');
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail: 'ANSWER_TOO_LARGE' });
    expect(vendor.flooded()).toBeLessThan(64 * 1024 * 1024);
  });

  test('with a million levels of JSON is not parsed', async () => {
    vendor.misbehave(requests.file, { change: () => '['.repeat(10 ** 6) });
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail: 'ANSWER_TOO_LARGE' });
  });

  // promise e3.work.origin
  test('a result at another origin is not followed: the token would go there', async () => {
    vendor.misbehave(requests.poll, 'other-origin');
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    expect(error).toMatchObject({
      errorName: 'ENGINE_REFUSED',
      detail: 'RESULT_ADDRESS_OF_ANOTHER_ORIGIN',
    });
  });

  test('our credentials fails the operation with its error', async () => {
    const right = vendor.credentials;
    vendor.credentials = { ...right, secretKey: 'another' };
    vendor.forgetTokens();
    const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
    vendor.credentials = right;
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail: 'INVALID_CREDENTIALS' });
  });
});

describe('a token', () => {
  test('is requested once, and again after a 401', async () => {
    await runWorkflow();
    const before = vendor.tokens;
    await runWorkflow();
    expect(vendor.tokens).toBe(before);
    vendor.forgetTokens();
    await runWorkflow();
    expect(vendor.tokens).toBe(before + 1);
  });
});

/** The record of an operation as soon as it satisfies `isSo`, as the stream reports it. */
async function waitFor(
  { guid }: Pick<Operation, 'guid'>,
  isSo: (operation: Operation) => boolean,
): Promise<Operation> {
  const { promise, resolve } = Promise.withResolvers<Operation>();
  const stop = await anna.listen(({ name, record }) => {
    const told = record as Operation;
    if (name === 'operation' && told.guid === guid && isSo(told)) resolve(told);
  });
  // this may already have been the case: only changes are announced
  const now = (await anna.get(`/api/async-operations/${guid}`)).json as Operation;
  if (isSo(now)) resolve(now);
  return promise.finally(stop);
}

describe('a vendor that is unavailable', () => {
  // promise e3.work.waits
  test('is waited for, and the operation shows this while it continues', async () => {
    vendor.misbehave(requests.poll, { status: 503 }, Number.POSITIVE_INFINITY);
    const operation = started(await upload(anna, 'kess3', someRead().bytes));
    const waiting = await waitFor(
      operation,
      ({ progress }) => progress.stage === 'WAITING_FOR_ENGINE',
    );
    expect(waiting).toMatchObject({ status: 'running', isCompleted: false });
    expect(waiting.progress.fraction).toBeGreaterThan(0);
    vendor.calmDown();
    expect((await anna.follow(operation)).error).toBeNull();
  });

  // promise e3.work.once
  test('is abandoned when another worker continues, which starts nothing again', async () => {
    vendor.misbehave(requests.poll, { status: 503 }, Number.POSITIVE_INFINITY);
    const { image, bytes } = someRead();
    const before = vendor.requests.length;
    const operation = started(await upload(anna, 'kess3', bytes));
    await waitFor(operation, ({ progress }) => progress.stage === 'WAITING_FOR_ENGINE');
    await portal.stopWorker();
    vendor.calmDown();
    await portal.startWorker();
    const ended = await anna.follow(operation);
    expect(ended.error).toBeNull();
    const since = () => vendor.requests.slice(before);
    expect(since().filter((line) => requests.decode.test(line))).toHaveLength(1);

    const encodeBefore = vendor.requests.length;
    vendor.misbehave(requests.encode, { status: 503 }, Number.POSITIVE_INFINITY);
    const modified = randomBytes(image.length);
    const slotGUID = ended.slotGUID ?? '';
    const encoding = encodeObdEnd(anna, slotGUID, modified);
    await expect
      .poll(() => vendor.requests.slice(encodeBefore).some((line) => requests.encode.test(line)))
      .toBe(true);
    await portal.stopWorker();
    vendor.calmDown();
    await portal.startWorker();
    expect(bytesOf((await readEncoded(anna, await encoding)).images['obd'])).toEqual(modified);
    const uploads = vendor.requests
      .slice(encodeBefore)
      .filter((line) => requests.upload.test(line));
    expect(uploads).toHaveLength(1);
  });

  test('before it responds to a decode that it started is sent the same key; its first slot is closed', async () => {
    vendor.misbehave(requests.decode, 'lost');
    const before = vendor.slots.size;
    const keys = vendor.idempotencyKeys.length;
    const operation = started(await upload(anna, 'kess3', someRead().bytes));
    expect((await anna.follow(operation)).error).toBeNull();
    expect(vendor.idempotencyKeys.slice(keys)).toEqual([operation.guid, operation.guid]);
    expect(vendor.slots.size).toBe(before + 2);
    await expect
      .poll(() => [...vendor.slots.values()].every(({ isClosed }) => isClosed))
      .toBe(true);
  });

  test('does not keep the built-in engine from working', async () => {
    vendor.misbehave(/./, { status: 503 }, Number.POSITIVE_INFINITY);
    const waiting = [someRead(), someRead()].map(({ bytes }) => upload(anna, 'kess3', bytes));
    const operations = (await Promise.all(waiting)).map(started);
    for (const operation of operations)
      await waitFor(operation, ({ progress }) => progress.stage === 'WAITING_FOR_ENGINE');
    const path = '/api/kess3/upload-read-file?groupCode=G-10';
    const answer = await anna.upload('POST', path, { field: 'readFile', bytes: randomBytes(100) });
    expect((await anna.follow(started(answer))).error?.errorName).toBe('KESS3_FILE_NOT_RECOGNIZED');
    vendor.calmDown();
    for (const operation of operations) expect((await anna.follow(operation)).error).toBeNull();
  });

  // promise e3.work.waits
  test('for longer than an operation waits makes it fail with one clear error', async () => {
    const impatient = await startVendorPortal(vendor, { patience: 300 });
    vendor.misbehave(requests.decode, { status: 503 }, Number.POSITIVE_INFINITY);
    const { error } = await decodeEnd(impatient.anna, 'kess3', someRead().bytes);
    vendor.calmDown();
    await impatient.portal.stop();
    expect(error).toMatchObject({ errorName: 'ENGINE_UNAVAILABLE', detail: 'HTTP 503' });
  });
});

// promise e3.work.swept
test('a slot that nothing needs is closed after a start', async () => {
  await portal.stopWorker();
  const slot = { guid: randomUUID(), isClosed: false, readFileName: '', read: { images: {} } };
  vendor.slots.set(slot.guid, slot);
  await portal.startWorker();
  await expect.poll(() => slot.isClosed).toBe(true);
});

test('two encodes of one slot do not close it for each other', async () => {
  const { image, bytes } = someRead();
  const { slotGUID } = await decode(anna, 'kess3', bytes);
  const images = [randomBytes(image.length), randomBytes(image.length)];
  vendor.polls = 5;
  const operations: Operation[] = [];
  // the second image replaces the first, which the first encode still uses
  for (const modified of images) operations.push(await startVendorEncode(anna, slotGUID, modified));
  const encoded = await Promise.all(
    operations.map(async (operation) => readEncoded(anna, await anna.follow(operation))),
  );
  vendor.polls = 1;
  const made = encoded.map(({ images: found }) => bytesOf(found['obd']));
  expect(made).toEqual(images);
});
