/** The pre-flight: a planted mistake for each of its lines, and the encode, which refuses exactly what is red. */
import { Readable } from 'node:stream';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import type { ComponentName } from '@recodery/contract/families/family';
import type {
  PreflightAnswer,
  PreflightCheck,
} from '@recodery/contract/features/recoding/preflight';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOriginal } from '../../../src/recoding/originals/add-original.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { VerifiedStorage } from '../../../src/storage/verified-storage.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { errorOf, imagesOf, keep } from '../../journeys/families/component-workflow.ts';
import { decodeKess3, type Kess3Read, uploadPath } from '../../journeys/families/kess3-workflow.ts';
import {
  decode,
  encode,
  keepImage,
  protocolOf,
  sealImage,
} from '../../journeys/families/kessv2-workflow.ts';
import { checkIn as one, checkSlot as check, flip, idsWith as ids } from './preflights.ts';

let portal: RunningPortal;
let storage: VerifiedStorage;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '20' });
  storage = (await openStorage(portal.platform.config)).storage;
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const image = (id: number, seed = 1) => generateImage(protocolOf(id), 'obd', seed);
const tune = (id: number, seed = 1) => tuneImage(protocolOf(id), 'obd', image(id, seed), 2);

/** Writes ASCII into an image. */
function write(bytes: Uint8Array, at: number, text: string): Uint8Array {
  const changed = new Uint8Array(bytes);
  changed.set(Buffer.from(text), at);
  return changed;
}

async function decodeKessv2(bytes: Uint8Array, protocolId: number, information = {}) {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return (await decode(anna, sealImage(slave, protocolId, bytes, { information }))).kessv2SlotGUID;
}

const draftSwitches = { removed: null, willCorrectCVN: false, willSkipChecksum: false, files: {} };

async function saveDraft(slot: string, change: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await anna.call('PUT', `/api/slots/${slot}/draft`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...draftSwitches, ...change }),
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

/** A KESSv2 slot with a modified image. */
async function prepare(protocolId: number, read: Uint8Array, modified: Uint8Array) {
  const slot = await decodeKessv2(read, protocolId);
  const { fileGUID } = await keepImage(anna, 'modified', slot, modified);
  return { slot, fileGUID };
}

/** Replaces the bytes of an uploaded file, as if its check at the upload had failed to notice something. */
async function plant(fileGuid: string, bytes: Uint8Array): Promise<void> {
  const { db } = portal.platform;
  const files = db.selectFrom('stored_file').select('storage_key').where('guid', '=', fileGuid);
  const { storage_key: key } = await files.executeTakeFirstOrThrow();
  await storage.delete(key);
  const { sha256, size } = await storage.put(key, Readable.from([bytes]));
  await db.updateTable('stored_file').set({ sha256, size }).where('guid', '=', fileGuid).execute();
}

/** The error with which the encode of a red pre-flight fails; it must be the one that the check names. */
async function expectRefused(
  answer: PreflightAnswer,
  id: PreflightCheck['id'],
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  expect(answer.status).toBe('red');
  expect(ids(answer, 'red')).toEqual([id]);
  const { error } = one(answer, id);
  const failed = await errorOf(anna, await anna.post(path, body));
  expect([failed?.errorName, failed?.cause, failed?.detail]).toEqual([
    error?.errorName,
    error?.cause,
    error?.detail,
  ]);
}

const encodeFile = '/api/kessv2/encode-file';

// promise 5.preflight.lines
describe('an encode without mistakes', () => {
  test('is green, and names each checksum that is corrected, with place and both values', async () => {
    const { slot, fileGUID } = await prepare(1001, image(1001), tune(1001));
    const answer = await check(anna, 'kessv2', slot);
    expect(answer.status).toBe('green');
    expect(ids(answer, 'unchecked')).toEqual(['already-tuned']);
    expect(answer.draft.files).toEqual({ modified: fileGUID });
    const { values } = one(answer, 'checksums');
    const calibration = values?.rules.find(({ rule }) => rule === 'CALIBRATION');
    expect(calibration?.state).toBe('corrected');
    expect(values?.rules.find(({ rule }) => rule === 'BOOT')?.state).toBe('right');
    const out = await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID });
    expect(out.correctedChecksums).toBe(values?.rules.length);
    const [place] = calibration?.places ?? [];
    expect([place?.at, place?.length]).toEqual([0x6010c, 4]);
    const stored = Buffer.from(tune(1001)).subarray(0x6010c, 0x60110).toString('hex');
    expect(place?.before).toBe(stored);
    expect(place?.after).toMatch(/^[0-9a-f]{8}$/);
    expect(place?.after).not.toBe(stored);
  });

  test('reports the CVN of the read, of the upload and of the encode, with and without its correction', async () => {
    const { slot } = await prepare(1001, image(1001), tune(1001));
    const without = one(await check(anna, 'kessv2', slot), 'cvn').values;
    expect(without?.encoded).toBe(without?.modified);
    expect(without?.encoded).not.toBe(without?.original);
    await saveDraft(slot, { willCorrectCVN: true });
    const answer = await check(anna, 'kessv2', slot);
    expect(answer.draft.willCorrectCVN).toBe(true);
    const { status, values } = one(answer, 'cvn');
    expect([status, values?.encoded]).toEqual(['green', without?.original]);
  });

  test('is checked for a program with an access token, and refuses programs of another organisation', async () => {
    const { slot } = await prepare(1001, image(1001), tune(1001));
    const { client } = await portal.addClient();
    expect((await check(client, 'kessv2', slot)).status).toBe('green');
    const stranger = (await portal.addClient({ customerCode: 'CC-2002' })).client;
    const refused = await stranger.get(`/api/kessv2/slots/${slot}/preflight`);
    expect([refused.status, refused.text]).toEqual([404, 'NOT_FOUND']);
    const other = await anna.get(`/api/kess3/slots/${slot}/preflight`);
    expect([other.status, other.text]).toEqual([404, 'NOT_FOUND']);
  });
});

// promise 5.preflight.red
describe('what the encode refuses is red', () => {
  test('no modified file: the call itself is refused', async () => {
    const slot = await decodeKessv2(image(1001), 1001);
    const answer = await check(anna, 'kessv2', slot);
    expect([answer.status, ids(answer, 'red')]).toEqual(['red', ['files']]);
    const refused = await anna.post(encodeFile, { kessv2FileSlotGUID: slot });
    expect([refused.status, refused.text]).toEqual([400, one(answer, 'files').error?.errorName]);
  });

  test('no original, although a checksum needs it', async () => {
    const { slot, fileGUID } = await prepare(1003, image(1003), tune(1003));
    const answer = await check(anna, 'kessv2', slot);
    expect(ids(answer, 'red')).toEqual(['files', 'original']);
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const refused = await anna.post(encodeFile, body);
    expect([refused.status, refused.text]).toEqual([400, one(answer, 'files').error?.errorName]);
    await keepImage(anna, 'original', slot, image(1003));
    const complete = await check(anna, 'kessv2', slot);
    expect([complete.status, one(complete, 'original').status]).toEqual(['green', 'green']);
  });

  test('a wrong size', async () => {
    const { slot, fileGUID } = await prepare(1001, image(1001), tune(1001));
    await plant(fileGUID, tune(1001).subarray(16));
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const answer = await check(anna, 'kessv2', slot);
    await expectRefused(answer, 'size', encodeFile, body);
    expect(one(answer, 'size').error?.cause).toBe('MOD_WRONG_SIZE');
  });

  test('the identification of another ECU', async () => {
    const { slot, fileGUID } = await prepare(1001, image(1001), tune(1001));
    await plant(fileGUID, image(1001, 7));
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const answer = await check(anna, 'kessv2', slot);
    await expectRefused(answer, 'identification', encodeFile, body);
  });

  test('an original of another ECU', async () => {
    const { slot, fileGUID } = await prepare(1003, image(1003), tune(1003));
    const { fileGUID: originalFileGUID } = await keepImage(anna, 'original', slot, image(1003));
    await plant(originalFileGUID, image(1003, 7));
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID, originalFileGUID };
    const answer = await check(anna, 'kessv2', slot);
    await expectRefused(answer, 'original', encodeFile, body);
    expect(one(answer, 'original').part).toBe('original');
  });

  test('a checksum that cannot be corrected', async () => {
    const { slot, fileGUID } = await prepare(1006, image(1006), flip(image(1006), 0x1000));
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const answer = await check(anna, 'kessv2', slot);
    await expectRefused(answer, 'checksums', encodeFile, body);
    expect(one(answer, 'checksums').error?.detail).toBe('BOOT-SIGNATURE');
  });

  test('a maps file that does not fit its image', async () => {
    const sizes = { flash: undefined, micro: undefined, eeprom: undefined, mapfile: undefined };
    const images = imagesOf(3001, 1, sizes);
    const { slot } = await decodeBench({ protocolId: 3001, mode: 'bootbench', images });
    const maps = images.get('mapfile') ?? new Uint8Array();
    const { fileGUID } = await keep(anna, uploadPath(slot, 'MapFile'), maps);
    await plant(
      fileGUID,
      maps.map((byte) => byte ^ 0x55),
    );
    const answer = await check(anna, 'kess3', slot);
    const body = { kess3FileSlotGUID: slot, MapFileGUID: fileGUID };
    await expectRefused(answer, 'map-file', '/api/kess3/encode-boot-bench-file', body);
  });

  test('nothing left to write', async () => {
    const images = imagesOf(9000, 1, { flash: 4096, eeprom: 1024 });
    const { slot } = await decodeBench({ protocolId: 9000, mode: 'bootbench', images });
    await saveDraft(slot, { removed: ['Flash', 'EEPROM'] });
    const answer = await check(anna, 'kess3', slot);
    expect(ids(answer, 'red')).toEqual(['files']);
    const body = { kess3FileSlotGUID: slot, RemoveFlash: true, RemoveEEPROM: true };
    const refused = await anna.post('/api/kess3/encode-boot-bench-file', body);
    expect([refused.status, refused.text]).toEqual([400, one(answer, 'files').error?.errorName]);
  });
});

async function decodeBench(read: Kess3Read) {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  return { slot: (await decodeKess3(anna, slave, read)).kess3FileSlotGUID };
}

/** Expects amber checks, and that the encode succeeds anyway. */
async function expectAmber(slot: string, fileGUID: string, ...expected: readonly string[]) {
  const answer = await check(anna, 'kessv2', slot);
  expect([answer.status, ids(answer, 'amber')]).toEqual(['amber', expected]);
  await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID });
  return answer;
}

// promise 5.preflight.amber
describe('what may be a mistake is amber, and can be encoded', () => {
  test('the unmodified image', async () => {
    const { slot, fileGUID } = await prepare(1001, image(1001), image(1001));
    await expectAmber(slot, fileGUID, 'identical');
  });

  test('an edited field of the identification, with both texts', async () => {
    const changed = write(tune(1001), 0x60050, '20301231');
    const { slot, fileGUID } = await prepare(1001, image(1001), changed);
    const answer = await expectAmber(slot, fileGUID, 'identification');
    expect(one(answer, 'identification').values?.changed).toEqual([
      { name: 'softwareDate', before: expect.any(String), after: '20301231' },
    ]);
  });

  test('bytes outside of the calibration, and those of them that are protected', async () => {
    const program = flip(tune(1001), 0x20000, 0x20001, 0x30000);
    const { slot, fileGUID } = await prepare(1001, image(1001), program);
    const { values } = one(
      await expectAmber(slot, fileGUID, 'outside-calibration'),
      'outside-calibration',
    );
    expect([values?.bytes, values?.protectedBytes]).toEqual([3, 0]);
    expect(values?.spans).toEqual([
      { offset: 0x20000, length: 2 },
      { offset: 0x30000, length: 1 },
    ]);
    const boot = await prepare(1001, image(1001), flip(tune(1001), 0x100));
    const protectedOnes = await expectAmber(boot.slot, boot.fileGUID, 'outside-calibration');
    expect(one(protectedOnes, 'outside-calibration').values?.protectedBytes).toBe(1);
  });

  test('most of the calibration, although little of the image', async () => {
    const changed = image(1001).slice();
    for (let at = 0x50000; at < 0x5fff0; at += 1) changed[at] = (changed[at] ?? 0) ^ 0x5a;
    const { slot, fileGUID } = await prepare(1001, image(1001), changed);
    const answer = await expectAmber(slot, fileGUID, 'much-changed');
    expect(one(answer, 'much-changed').values?.calibration).toBeGreaterThan(0.9);
  });

  test('more than a tenth of an image without a calibration', async () => {
    const read = generateImage(protocolOf(9000), 'obd', 1, 4096);
    const changed = read.map((byte, at) => (at < 500 ? byte ^ 0xff : byte));
    const { slot, fileGUID } = await prepare(9000, read, changed);
    await expectAmber(slot, fileGUID, 'much-changed');
  });

  test("another slot's decoded file, of the same organisation only", async () => {
    const [first, second] = [11, 12].map((seed) =>
      generateImage(protocolOf(9000), 'obd', seed, 4096),
    );
    if (first === undefined || second === undefined) throw new Error('two images');
    const before = await decodeKessv2(first, 9000);
    const { slot, fileGUID } = await prepare(9000, second, first);
    const answer = await expectAmber(slot, fileGUID, 'much-changed', 'known-elsewhere');
    expect(one(answer, 'known-elsewhere').values).toMatchObject({
      count: 1,
      newest: { slotGUID: before, readFileName: 'read.tfc', slaveSerialNumber: 'KV2-000007' },
    });
    const { db } = portal.platform;
    // files of a kept job do not expire
    await sql`update slot set is_kept = true where guid = ${before}`.execute(db);
    await sql`update stored_file set expires_on = created_on where slot_guid = ${before}`.execute(
      db,
    );
    expect(one(await check(anna, 'kessv2', slot), 'known-elsewhere').values?.count).toBe(1);
    const others = db
      .selectFrom('organisation')
      .select('guid')
      .where('customer_code', '=', 'CC-2002');
    const { guid } = await others.executeTakeFirstOrThrow();
    for (const table of ['stored_file', 'slot'] as const) {
      const column = table === 'slot' ? 'guid' : 'slot_guid';
      await db
        .updateTable(table)
        .set({ organisation_guid: guid })
        .where(column as never, '=', before as never)
        .execute();
    }
    expect(one(await check(anna, 'kessv2', slot), 'known-elsewhere')).toMatchObject({
      status: 'green',
      values: { count: 0, newest: null },
    });
  });

  test("a read that differs from the library's original of its software", async () => {
    const numbers = { hardware: 'HW-77', software: 'SW-77' };
    const original = image(1002);
    const { db } = portal.platform;
    const name = 'original.bin';
    await addOriginal({ db, storage }, { protocolId: 1002, ...numbers, name, image: original });
    const stock = await decodeKessv2(original, 1002, numbers);
    await keepImage(anna, 'modified', stock, tune(1002));
    expect(one(await check(anna, 'kessv2', stock), 'already-tuned').status).toBe('green');
    const tuned = flip(original, 0x50010, 0x50011);
    const slot = await decodeTuned(tuned, numbers);
    const { fileGUID } = await keep(anna, uploadPath(slot, 'mod'), flip(tuned, 0x50100));
    const body = { kess3FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const answer = await check(anna, 'kess3', slot);
    expect([answer.status, ids(answer, 'amber')]).toEqual([
      'amber',
      ['read-checksums', 'already-tuned'],
    ]);
    expect(one(answer, 'already-tuned').values?.bytes).toBe(2);
    const ended = await anna.post('/api/kess3/encode-obd-file', body);
    expect(ended.status).toBe(202);
  });

  test('a CVN that was to be kept and is not, and checksums that stay wrong', async () => {
    const slot = await decodeTuned(image(1001));
    const { fileGUID } = await keep(anna, uploadPath(slot, 'mod'), tune(1001));
    await saveDraft(slot, { willCorrectCVN: true, willSkipChecksum: true });
    const answer = await check(anna, 'kess3', slot);
    expect([answer.status, ids(answer, 'amber')]).toEqual(['amber', ['checksums', 'cvn']]);
    expect(one(answer, 'checksums').values?.isSkipped).toBe(true);
    const body = { kess3FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const switches = { willCorrectCVN: true, willSkipChecksum: true };
    const ended = await anna.post('/api/kess3/encode-obd-file', { ...body, ...switches });
    expect(ended.status).toBe(202);
  });
});

/** A KESS3 OBD slot of a read, even if its checksums are wrong. */
async function decodeTuned(bytes: Uint8Array, information = {}): Promise<string> {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const images = new Map<ComponentName, Uint8Array>([['obd', bytes]]);
  const protocolId = Object.keys(information).length > 0 ? 1002 : 1001;
  const read = { protocolId, mode: 'obd', images } as const;
  const more = { query: '?skipChecksum=true', information };
  return (await decodeKess3(anna, slave, read, more)).kess3FileSlotGUID;
}

test('switches that a family does not have change nothing', async () => {
  const { slot } = await prepare(1001, image(1001), tune(1001));
  await saveDraft(slot, { willSkipChecksum: true });
  const answer = await check(anna, 'kessv2', slot);
  expect(one(answer, 'checksums').values?.isSkipped).toBe(false);
  expect(answer.status).toBe('green');
});

test('refuses a file that is missing, and names it', async () => {
  const { slot, fileGUID } = await prepare(1001, image(1001), tune(1001));
  const { db } = portal.platform;
  const files = db.selectFrom('stored_file').select('storage_key').where('guid', '=', fileGUID);
  await storage.delete((await files.executeTakeFirstOrThrow()).storage_key);
  const answer = await anna.get(`/api/kessv2/slots/${slot}/preflight`);
  expect([answer.status, answer.text]).toEqual([410, 'FILE_DAMAGED']);
});
