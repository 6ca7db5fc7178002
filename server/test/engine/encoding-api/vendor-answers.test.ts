/** Unusable responses of a vendor, and its error messages: each has one clear result. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeVendor,
  startFakeVendor,
  writeVendorRead,
} from '../../fixtures/services/fake-vendor.ts';
import { startVendorPortal, type VendorPortal } from '../../fixtures/vendor-portal.ts';
import {
  decode,
  decodeEnd,
  encodeObdEnd,
  readEncoded,
  someRead,
  bytesOf,
} from './vendor-workflow.ts';

let vendor: FakeVendor;
/** A portal that retries slow or failed requests, and one that waits for each response and never retries. */
let patient: VendorPortal;
let hasty: VendorPortal;

beforeAll(async () => {
  vendor = await startFakeVendor();
  patient = await startVendorPortal(vendor, { answer: 500, patience: 600_000 });
  hasty = await startVendorPortal(vendor, { patience: 0 });
});
beforeEach(() => {
  vendor.calmDown();
  // operations finish at once: no waiting is needed
  change(/POST .*(decode|encode)-/, (record) => ({
    ...record,
    isCompleted: true,
    isSuccessful: true,
  }));
});
afterAll(async () => {
  await patient.portal.stop();
  await hasty.portal.stop();
  await vendor.stop();
});

const always = Number.POSITIVE_INFINITY;
const poll = /GET .*async-operations/;
type Json = Record<string, unknown>;

/** Changes the JSON of the responses to requests that match. */
function change(match: RegExp, how: (answer: Json) => unknown, times = always): void {
  vendor.misbehave(
    match,
    { change: (answer) => JSON.stringify(how(JSON.parse(answer) as Json)) },
    times,
  );
}

/** Changes the results of finished operations. */
function changeResult(how: (result: Json) => unknown): void {
  change(poll, (record) =>
    record['isCompleted'] === true ? { ...record, result: how(record['result'] as Json) } : record,
  );
}

/** How a decode ends whose file is an OBD read. */
async function endOfDecode({ anna } = hasty) {
  const { error } = await decodeEnd(anna, 'kess3', someRead().bytes);
  return error;
}

/** How a decode on the bench ends. */
async function endOfBenchDecode() {
  const images = { Flash: randomBytes(40), Micro: randomBytes(30) };
  const bytes = writeVendorRead({ family: 'kess3', images });
  return (await decodeEnd(hasty.anna, 'kess3', bytes)).error;
}

/** How an encode ends; the vendor misbehaves after the decode. */
async function endOfEncode(misbehave: () => void) {
  const { image, bytes } = someRead();
  const { slotGUID } = await decode(hasty.anna, 'kess3', bytes);
  misbehave();
  return (await encodeObdEnd(hasty.anna, slotGUID, randomBytes(image.length))).error;
}

const unusable = (detail: string) => ({ errorName: 'ENGINE_UNAVAILABLE', detail });
const address = (result: Json, field: string) => String(result[field]);

describe('a decode fails with one clear error if its result', () => {
  test.each<[string, (result: Json) => unknown, string]>([
    ['is missing', () => null, 'the response is not the result of a decode'],
    ['is a text', () => 'done', 'the response is not the result of a decode'],
    ['is a list', () => [], 'the response is not the result of a decode'],
    [
      'has no file',
      (result) => ({ ...result, obdDecodedFileURL: undefined }),
      'the result of the decode names no file',
    ],
    [
      'has a number for a file',
      (result) => ({ ...result, obdDecodedFileURL: 42 }),
      'the result of the decode names no file',
    ],
    [
      'has a file of another slot',
      (result) => ({
        ...result,
        obdDecodedFileURL: address(result, 'obdDecodedFileURL').replace(
          /file-slots\/[^/]+/,
          `file-slots/${randomUUID()}`,
        ),
      }),
      'the result of the decode is about another slot',
    ],
    [
      'names a slot that is no GUID',
      (result) => ({ ...result, kess3FileSlotGUID: '../../access-tokens' }),
      'the kess3FileSlotGUID in the response is not a GUID',
    ],
    [
      'states a size that the file does not have',
      (result) => ({ ...result, obdDecodedFileSize: 17 }),
      'the file in the response does not have the size in the result',
    ],
  ])('%s', async (_title, how, detail) => {
    changeResult(how);
    expect(await endOfDecode()).toMatchObject(unusable(detail));
  });

  test.each<[string, (components: Json[]) => unknown, string]>([
    [
      'lists a component twice',
      ([first, second]) => [
        first,
        { ...first, decodedFileURL: address(second ?? {}, 'decodedFileURL') },
      ],
      'the result of the decode lists the component flash twice',
    ],
    [
      'lists a component five thousand times',
      ([first]) => Array.from({ length: 5000 }, () => first),
      'the result of the decode lists too many components',
    ],
    [
      'names one file for two components',
      ([first, second]) => [first, { ...first, type: second?.['type'] }],
      'the result of the decode names one file for two components',
    ],
    [
      'lists a component without a file',
      ([first, second]) => [first, { type: second?.['type'] }],
      'the result of the decode names no file of the component micro',
    ],
    ['lists no component', () => [], 'the result of the decode names no file'],
  ])('%s', async (_title, how, detail) => {
    changeResult((result) => ({
      ...result,
      bootBenchComponents: how(result['bootBenchComponents'] as Json[]),
    }));
    expect(await endOfBenchDecode()).toMatchObject(unusable(detail));
  });

  test('is correct only later: it is requested again', async () => {
    let left = 3;
    changeResult((result) => (left-- > 0 ? null : result));
    await decode(patient.anna, 'kess3', someRead().bytes);
    expect(left).toBeLessThan(0);
  });

  test('lists components that the portal does not know: they are left out', async () => {
    changeResult((result) => ({
      ...result,
      bootBenchComponents: [
        ...(result['bootBenchComponents'] as Json[]),
        { type: 'Hologram', decodedFileURL: 'https://vendor.example/hologram' },
      ],
    }));
    expect(await endOfBenchDecode()).toBeNull();
  });
});

describe('an encode fails with one clear error if its result', () => {
  test.each<[string, (result: Json) => unknown, string]>([
    ['is missing', () => null, 'the response is not the result of an encode'],
    [
      'has a number for a file',
      (result) => ({ ...result, encodedFileURL: 42 }),
      'the response is not the result of an encode',
    ],
    [
      'leads to another file',
      (result) => ({ ...result, kess3FileGUID: randomUUID() }),
      'the result of the encode leads to another file',
    ],
    [
      'is about another slot',
      (result) => ({ ...result, kess3FileSlotGUID: randomUUID() }),
      'the result of the encode is about another slot',
    ],
    [
      'is the result of a decode',
      () => ({ kess3Mode: 'OBD', obdDecodedFileURL: vendor.url }),
      'the response is not the result of an encode',
    ],
  ])('%s', async (_title, how, detail) => {
    expect(await endOfEncode(() => changeResult(how))).toMatchObject(unusable(detail));
  });
});

describe('a malformed GUID is neither stored nor used in a path', () => {
  const traversal = '../../../access-tokens/request';

  test.each<[string, RegExp, string]>([
    ['operation', /POST .*decode/, 'guid'],
    ['slot', /POST .*decode/, 'slotGUID'],
  ])('of an %s', async (_title, match, name) => {
    vendor.calmDown();
    change(match, (record) => ({ ...record, [name]: `${traversal}\u0000` }));
    expect(await endOfDecode()).toMatchObject(
      unusable(`the ${name} in the response is not a GUID`),
    );
  });

  test('of an uploaded file', async () => {
    const error = await endOfEncode(() => change(/PUT/, () => ({ guid: traversal })));
    expect(error).toMatchObject(unusable('the guid in the response is not a GUID'));
  });

  test('of a listed slot: the others are closed', async () => {
    const before = vendor.requests.length;
    const orphan = { guid: randomUUID(), isClosed: false, readFileName: '', read: { images: {} } };
    vendor.slots.set(orphan.guid, orphan);
    change(/GET .*file-slots$/, (slots) => [
      { guid: '..', isClosed: false },
      { guid: traversal, isClosed: false },
      ...(slots as unknown as Json[]),
    ]);
    await endOfDecode();
    await expect.poll(() => orphan.isClosed).toBe(true);
    const closed = vendor.requests.slice(before).filter((line) => line.endsWith('/close'));
    expect(closed.filter((line) => !/\/file-slots\/[0-9a-f-]{36}\/close$/.test(line))).toEqual([]);
  });
});

describe('closing and reopening a slot', () => {
  test.each([
    ['nothing', ''],
    ['a text', 'OK'],
    ['a page', '<html>closed</html>'],
  ])('succeed when the vendor responds with %s', async (_title, body) => {
    const { image, bytes } = someRead();
    const { slotGUID } = await decode(hasty.anna, 'kess3', bytes);
    vendor.misbehave(/\/(close|reopen)$/, { change: () => body }, always);
    const modified = randomBytes(image.length);
    const ended = await encodeObdEnd(hasty.anna, slotGUID, modified);
    expect(bytesOf((await readEncoded(hasty.anna, ended)).images['obd'])).toEqual(modified);
  });
});

describe('a long list of slots', () => {
  /** Puts rows of this many bytes before the family's slots. Created once, because each sweep requests them too. */
  const lengthen = (bytes: number): void => {
    const row = JSON.stringify({ guid: randomUUID(), isClosed: true, comment: 'x'.repeat(1000) });
    const start = `[${`${row},`.repeat(bytes / 1000)}`;
    const how = { change: (answer: string) => start + answer.slice(1) };
    vendor.misbehave(/GET .*kess3\/file-slots$/, how, always);
  };

  test.each([
    ['of more than 1 MiB is read', 2_000_000],
    ['of more than 16 MiB is not needed: the slot is opened again', 20_000_000],
  ])('%s', async (_title, bytes) => {
    const { image, bytes: read } = someRead();
    const { slotGUID } = await decode(hasty.anna, 'kess3', read);
    lengthen(bytes);
    // another operation closes the slot in between
    change(
      /\/reopen$/,
      (answer) => {
        for (const slot of vendor.slots.values()) slot.isClosed = true;
        return answer;
      },
      1,
    );
    const modified = randomBytes(image.length);
    const ended = await encodeObdEnd(hasty.anna, slotGUID, modified);
    expect(bytesOf((await readEncoded(hasty.anna, ended)).images['obd'])).toEqual(modified);
  });
});

describe('the vendor’s description of an error', () => {
  const refuse = async (body: unknown, status = 400) => {
    vendor.calmDown();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    vendor.misbehave(/POST .*decode/, { status, body: text });
    return endOfDecode();
  };
  const refused = (detail: string) => ({ errorName: 'ENGINE_REFUSED', detail });

  test.each([
    [
      { errorName: 'WRONG_MASTER', detail: 'Master 17 expected' },
      'WRONG_MASTER: Master 17 expected',
    ],
    [{ error: { code: 'E42', message: 'Broken file' } }, 'E42: Broken file'],
    [{ title: 'Bad Request', detail: 'No file' }, 'Bad Request: No file'],
    [{ errorName: 'SAME', message: 'SAME' }, 'SAME'],
    [{ Message: 'An error has occurred.' }, 'An error has occurred.'],
    ['{}', 'HTTP 400'],
    ['', 'HTTP 400'],
  ])('in %j is shown', async (body, detail) => {
    expect(await refuse(body)).toMatchObject(refused(detail));
  });

  test.each([400, 403, 404, 415, 422])('in a page with %i refuses immediately', async (status) => {
    const before = vendor.requests.length;
    const page = '<!doctype html><html><head><title>Request\nRejected</title></head></html>';
    expect(await refuse(page, status)).toMatchObject(refused(`HTTP ${status}: Request Rejected`));
    const asked = vendor.requests.slice(before).filter((line) => line.includes('decode'));
    expect(asked).toHaveLength(1);
  });

  test('about a failed operation is shown, with its detail, and without our secret', async () => {
    const { secretKey } = vendor.credentials;
    vendor.failure = { errorName: 'WRONG_MASTER', detail: `17 for ${secretKey}\u0000\n!` };
    const error = await endOfDecode();
    vendor.failure = null;
    expect(error).toMatchObject(refused('WRONG_MASTER: 17 for *** !'));
  });

  test('while it is unavailable is shown when it stays unavailable, without our secret', async () => {
    const error = await refuse(`No places for ${vendor.credentials.secretKey}`, 503);
    expect(error).toMatchObject(unusable('HTTP 503: No places for ***'));
  });

  test('that never ends is aborted: the status counts', async () => {
    vendor.calmDown();
    vendor.misbehave(/POST .*decode/, { status: 422, isDripping: true }, always);
    expect(await endOfDecode(patient)).toMatchObject(refused('HTTP 422'));
  });
});
