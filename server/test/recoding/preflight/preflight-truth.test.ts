/** The pre-flight says what the slave will not get, what is protected, and what it could not check. */
import { decodeResult as ktagResult } from '@recodery/contract/families/ktag';
import type { ComponentName } from '@recodery/contract/families/family';
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOriginal } from '../../../src/recoding/originals/add-original.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { VerifiedStorage } from '../../../src/storage/verified-storage.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import {
  encodeBy,
  errorOf,
  type Images,
  imagesOf,
  keep,
  resultOf,
  seal,
  uploadTo,
  written,
} from '../../journeys/families/component-workflow.ts';
import { decodeKess3, encodeObd, uploadPath } from '../../journeys/families/kess3-workflow.ts';
import { checkIn, checkSlot, flip, idsWith } from './preflights.ts';

let portal: RunningPortal;
let storage: VerifiedStorage;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '20' });
  storage = (await openStorage(portal.platform.config)).storage;
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** 64 bytes from an offset. */
const run = (at: number) => Array.from({ length: 64 }, (_, index) => at + index);

async function decodeKtag(protocolId: number, images: Images, information = {}): Promise<string> {
  const slave = await portal.getSlave('ktag', 'KTG-000007');
  const read = seal(slave, { protocolId, mode: 'bootbench', images }, { information });
  const answer = await uploadTo(anna, '/api/ktag/upload-read-backup', read);
  return ktagResult.parse(await resultOf(anna, answer)).ktagSlotGUID;
}

const allSizes = { flash: undefined, micro: undefined, eeprom: undefined };

/** The checks of a K-TAG slot in which these offsets of a component were changed, and the body that encodes it. */
async function checkKtag(protocolId: number, component: ComponentName, offsets: readonly number[]) {
  const names = protocolId === 2004 ? { flash: undefined } : allSizes;
  const images = imagesOf(protocolId, 1, names);
  const slot = await decodeKtag(protocolId, images);
  const modified = flip(images.get(component) ?? new Uint8Array(), ...offsets);
  const upload = `/api/ktag/upload-modified-component-file/${slot}/${component}`;
  const { fileGUID } = await keep(anna, upload, modified);
  const field = { flash: 'FlashFileGUID', micro: 'MicroFileGUID', eeprom: 'EEPROMFileGUID' };
  const body = { ktagFileSlotGUID: slot, [field[component as keyof typeof field]]: fileGUID };
  return { answer: await checkSlot(anna, 'ktag', slot), body, modified, images };
}

const encodeBackup = '/api/ktag/encode-backup';

// promise 5.preflight.overwritten
describe('what the encode overwrites', () => {
  test('a change of only the second calibration copy is red, and refused by the encode', async () => {
    const { answer, body } = await checkKtag(2004, 'flash', run(0x2c800));
    expect([answer.status, idsWith(answer, 'red')]).toEqual(['red', ['overwritten']]);
    const { values, error } = checkIn(answer, 'overwritten');
    expect(values).toEqual({
      bytes: 64,
      spans: [{ offset: 0x2c800, length: 64 }],
      rules: ['CALIBRATION-COPY'],
    });
    const failed = await errorOf(anna, await anna.post(encodeBackup, body));
    expect(failed).toMatchObject({ ...error, cause: 'CHANGE_OVERWRITTEN' });
  });

  test('a change of both copies at different places is amber: a part of it is lost', async () => {
    const { answer, body, images } = await checkKtag(2004, 'flash', [0x28800, 0x2c900]);
    expect([answer.status, idsWith(answer, 'amber')]).toEqual(['amber', ['overwritten']]);
    expect(checkIn(answer, 'overwritten').values).toMatchObject({
      bytes: 1,
      spans: [{ offset: 0x2c900, length: 1 }],
    });
    const slave = await portal.getSlave('ktag', 'KTG-000007');
    const flashed = await written(anna, slave, await encodeBy(anna, encodeBackup, body));
    const stock = images.get('flash');
    expect(flashed.get('flash')?.[0x2c900]).toBe(stock?.[0x2c900]);
    expect(flashed.get('flash')?.[0x2c800]).toBe((stock?.[0x28800] ?? 0) ^ 1);
  });

  test('a change of only a checksum is amber: the correction restores it', async () => {
    const { answer, body, images } = await checkKtag(2001, 'flash', [0x150100, 0x150101]);
    expect(idsWith(answer, 'amber')).toEqual(['overwritten']);
    expect(checkIn(answer, 'overwritten').values).toMatchObject({
      bytes: 2,
      rules: ['FLASH-PROGRAM'],
    });
    const slave = await portal.getSlave('ktag', 'KTG-000007');
    const flashed = await written(anna, slave, await encodeBy(anna, encodeBackup, body));
    expect(flashed.get('flash')).toEqual(Buffer.from(images.get('flash') ?? []));
  });

  test('a long copy shows old and new bytes from the first that the encode changes', async () => {
    const { answer, modified } = await checkKtag(2004, 'flash', [0x28900]);
    expect(answer.status).toBe('green');
    const rules = checkIn(answer, 'checksums').values?.rules ?? [];
    const copy = rules.find(({ rule }) => rule === 'CALIBRATION-COPY');
    const place = copy?.places[0];
    expect(place).toMatchObject({ at: 0x2c000, length: 0x4000, shownAt: 0x2c900 });
    const shown = modified.slice(0x2c900, 0x2c940);
    expect(place?.before).toBe(Buffer.from(shown).toString('hex'));
    shown[0] = modified[0x28900] ?? 0;
    expect(place?.after).toBe(Buffer.from(shown).toString('hex'));
  });
});

// promise 5.preflight.protected
test('protected bytes are reported in a component without a calibration', async () => {
  const { answer } = await checkKtag(2001, 'micro', run(0x1000));
  expect(idsWith(answer, 'amber')).toEqual(['outside-calibration']);
  expect(checkIn(answer, 'outside-calibration')).toMatchObject({
    part: 'micro',
    values: { bytes: 64, protectedBytes: 64, hasCalibration: false },
  });
});

const reasonsOf = ({ checks }: PreflightAnswer) =>
  Object.fromEntries(checks.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason]])));

async function decodeObd(protocolId: number, image: Uint8Array, otherwise = {}): Promise<string> {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const images = new Map([['obd', image] as const]);
  const read = { protocolId, mode: 'obd', images } as const;
  return (await decodeKess3(anna, slave, read, otherwise)).kess3FileSlotGUID;
}

const obdImage = (id: number, seed = 1) =>
  imagesOf(id, seed, { obd: id === 9000 ? 4096 : undefined }).get('obd') ?? new Uint8Array();

/** The checks of a KESS3 OBD slot with these uploads. */
async function checkObd(slot: string, uploads: Readonly<Record<string, Uint8Array>>) {
  for (const [part, bytes] of Object.entries(uploads)) {
    await keep(anna, uploadPath(slot, part), bytes);
  }
  return checkSlot(anna, 'kess3', slot);
}

// promise 5.preflight.original
describe('an uploaded original of a read that contains the image', () => {
  const read = obdImage(1003);
  const mod = flip(read, ...run(0x40100));

  test('is compared with the read', async () => {
    const slot = await decodeObd(1003, read);
    const same = await checkObd(slot, { mod, ori: read });
    expect(checkIn(same, 'original')).toMatchObject({
      status: 'green',
      values: { bytes: 0, isModified: false, rules: [] },
    });
    const otherTune = flip(read, ...run(0x50100).slice(0, 16));
    const other = await checkObd(slot, { ori: otherTune });
    expect(checkIn(other, 'original')).toMatchObject({
      status: 'amber',
      part: 'original',
      values: { bytes: 16, isModified: false, rules: ['CALIBRATION-AS-BEFORE'] },
    });
  });

  test('is noticed if it is the modified file, which stays compared with the read', async () => {
    const answer = await checkObd(await decodeObd(1003, read), { mod, ori: mod });
    expect(checkIn(answer, 'original')).toMatchObject({
      status: 'amber',
      values: { bytes: 64, isModified: true },
    });
    expect(checkIn(answer, 'identical')).toMatchObject({ status: 'green', values: { bytes: 64 } });
  });
});

// promise 5.preflight.unchecked
test('a protocol without checksums, identification and areas is checked for what it has, and says what it lacks', async () => {
  const image = obdImage(9000);
  const answer = await checkObd(await decodeObd(9000, image), { mod: flip(image, 100) });
  expect(answer.status).toBe('green');
  expect(reasonsOf(answer)).toEqual({
    'read-checksums': 'no-scheme',
    identification: 'no-identification',
    checksums: 'no-scheme',
    'known-checksums': 'no-known-scheme',
    cvn: 'no-cvn',
    'outside-calibration': 'no-areas',
    'already-tuned': 'no-identification',
  });
  expect(answer.unchecked).toBe(7);
  expect(checkIn(answer, 'overwritten')).toMatchObject({ status: 'green', values: { bytes: 0 } });
});

// promise 5.known-checksums.check
test('images whose checksums the protocol defines need no other correction, and are encoded with it on', async () => {
  const read = obdImage(1001);
  const modified = flip(read, 0x50200);
  const slot = await decodeObd(1001, read);
  await keep(anna, uploadPath(slot, 'mod'), modified);
  const draft = { removed: null, willCorrectCVN: false, willSkipChecksum: false, files: {} };
  const switched = await anna.call('PUT', `/api/slots/${slot}/draft`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...draft, willCorrectChecksums: true }),
  });
  expect([switched.status, switched.text]).toEqual([204, '']);
  const answer = await checkSlot(anna, 'kess3', slot);
  expect(answer.draft.willCorrectChecksums).toBe(true);
  expect(idsWith(answer, 'red')).toEqual([]);
  expect(answer.checks.some(({ id }) => id === 'known-checksums')).toBe(false);
  const encoded = await encodeObd(anna, slot, { modified }, { willCorrectChecksums: true });
  expect(encoded.corrections).toBeUndefined();
});

// promise 5.preflight.component
test('the image of another component of the same read is reported, although it differs by a few bytes only', async () => {
  const flash = obdImage(9000);
  const micro = flip(flash, 16, 17);
  const slot = await decodeKtag(9000, new Map([['flash', flash] as const, ['micro', micro]]));
  const upload = `/api/ktag/upload-modified-component-file/${slot}/flash`;
  await keep(anna, upload, micro);
  const other = await checkSlot(anna, 'ktag', slot);
  expect(checkIn(other, 'known-elsewhere')).toMatchObject({
    status: 'amber',
    part: 'flash',
    values: { otherPart: 'micro', newest: null },
  });
  await keep(anna, upload, flash);
  const own = await checkSlot(anna, 'ktag', slot);
  expect(checkIn(own, 'known-elsewhere').status).toBe('green');
  expect(idsWith(own, 'amber')).toEqual(['identical']);
});

// promise 5.preflight.tuned
describe('whether a read was modified before', () => {
  test('is checked by the component that has the identification, for every protocol', async () => {
    const images = imagesOf(2001, 5, allSizes);
    const flash = images.get('flash') ?? new Uint8Array();
    const numbers = { hardware: 'HW-2001', software: 'SW-2001' };
    const slot = await decodeKtag(2001, images, numbers);
    const before = checkIn(await checkSlot(anna, 'ktag', slot), 'already-tuned');
    expect(before).toMatchObject({ part: 'flash', reason: 'no-original-in-library' });
    const original = { protocolId: 2001, ...numbers, name: 'stock.bin', image: flash };
    await addOriginal({ db: portal.platform.db, storage }, original);
    const stock = await checkSlot(anna, 'ktag', slot);
    expect(checkIn(stock, 'already-tuned')).toMatchObject({ status: 'green', part: 'flash' });
    await addOriginal(
      { db: portal.platform.db, storage },
      { ...original, image: flip(flash, 0x120000, 0x120001) },
    );
    const tuned = await checkSlot(anna, 'ktag', slot);
    expect(checkIn(tuned, 'already-tuned')).toMatchObject({
      status: 'amber',
      values: { bytes: 2 },
    });
  });

  test('is not known without the numbers by which an original is found', async () => {
    const slot = await decodeObd(9000, obdImage(9000), { information: {} });
    const { reason } = checkIn(await checkSlot(anna, 'kess3', slot), 'already-tuned');
    expect(reason).toBe('no-identification');
  });
});

// promise 5.preflight.read-checksums
test('a read with wrong checksums says so in the checks, the result, the job and the receipt', async () => {
  const wrong = flip(obdImage(1001), 0x50100);
  const slot = await decodeObd(1001, wrong, { query: '?skipChecksum=true' });
  const mod = flip(wrong, 0x50200);
  const answer = await checkObd(slot, { mod });
  expect(checkIn(answer, 'read-checksums')).toMatchObject({
    status: 'amber',
    part: null,
    values: { rules: ['CALIBRATION', 'CALIBRATION-SUM', 'IMAGE'] },
  });
  const result = await encodeObd(anna, slot, { modified: mod });
  expect(result.warnings).toEqual(['KESS3_DECODED_WITH_CHECKSUM_ERROR']);
  expect((await anna.get(`/api/jobs/${slot}`)).json).toMatchObject({ readChecksums: 'wrong' });
  const code = result.receiptCode;
  const { payload } = (await anna.get(`/receipts/${code}/receipt.json`)).json as {
    payload: string;
  };
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    readChecksums: 'wrong',
  });
  const page = await anna.get(`/receipts/${code}`);
  expect(page.text).toContain('<dt>Checksums of the read</dt><dd class="">Wrong</dd>');
});
