/** Checksums of real control units: checked before an encode, corrected on request, and recorded, for every engine. */
import { hash } from 'node:crypto';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import type { ReceiptContent } from '@recodery/contract/features/receipts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  generateChecked,
  makeRight,
  type Me7Options,
} from '../../../codec/samples/me7-checksums.ts';
import { addProgram } from '../encoding-api/program.ts';
import type { Client } from '../fixtures/client.ts';
import {
  type FakeVendor,
  startFakeVendor,
  writeVendorRead,
} from '../fixtures/services/fake-vendor.ts';
import type { RunningPortal } from '../fixtures/running-portal.ts';
import { startVendorPortal } from '../fixtures/vendor-portal.ts';
import { errorOf } from '../journeys/families/component-workflow.ts';
import * as kessv2 from '../journeys/families/kessv2-workflow.ts';
import { checkIn, checkSlot, idsWith } from '../recoding/preflight/preflights.ts';
import { bytesOf, decode, encodeEnd, keep, readEncoded } from './encoding-api/vendor-workflow.ts';

let vendor: FakeVendor;
let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  vendor = await startFakeVendor();
  ({ portal, anna } = await startVendorPortal(vendor));
});
afterAll(async () => {
  await portal.stop();
  await vendor.stop();
});

const plain: Me7Options = { seed: 11 };
const stock = generateChecked(plain);

/** An image in which a map was changed. */
function tune(image: Uint8Array): Uint8Array {
  const tuned = new Uint8Array(image);
  for (let at = 0x11000; at < 0x11040; at += 1) tuned[at] = (tuned[at] ?? 0) ^ 0x11;
  return tuned;
}

function right(image: Uint8Array): Buffer {
  const expected = new Uint8Array(image);
  makeRight(expected, plain);
  return Buffer.from(expected);
}

const json = { 'content-type': 'application/json' };
const choices = { removed: null, willCorrectCVN: false, willSkipChecksum: false, files: {} };

/** Turns the correction on or off in the draft. */
async function switchTo(slot: string, willCorrectChecksums: boolean): Promise<void> {
  const body = JSON.stringify({ ...choices, willCorrectChecksums });
  const answer = await anna.call('PUT', `/api/slots/${slot}/draft`, { headers: json, body });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

/** A slot of protocol 9000, which defines no checksums, with a modified image. */
async function prepare(image: Uint8Array, modified: Uint8Array) {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const read = kessv2.sealImage(slave, 9000, image);
  const { kessv2SlotGUID: slot } = await kessv2.decode(anna, read);
  const { fileGUID } = await kessv2.keepImage(anna, 'modified', slot, modified);
  return { slot, slave, body: { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID } };
}

async function receiptOf(slot: string): Promise<ReceiptContent> {
  const list = (await anna.get(`/api/slots/${slot}/receipts`)).json as {
    readonly receipt: { readonly payload: string };
  }[];
  const payload = Buffer.from(list[0]?.receipt.payload ?? '', 'base64url').toString();
  return JSON.parse(payload) as ReceiptContent;
}

async function encodedFilesOf(slot: string) {
  const { files } = (await anna.get(`/api/jobs/${slot}`)).json as Job;
  return files.filter(({ role }) => role === 'encoded');
}

const parts = ['Byte sum', 'CRC', 'Multipoint 2'];

describe('an image whose protocol defines no checksums', () => {
  // promise 5.known-checksums.check
  test('is reported wrong after a change, and right when the correction is on', async () => {
    const { slot } = await prepare(stock, tune(stock));
    const before = await checkSlot(anna, 'kessv2', slot);
    const wrong = checkIn(before, 'known-checksums');
    // it replaces the check of checksums that the protocol does not define
    expect(before.checks.some(({ id }) => id === 'checksums')).toBe(false);
    expect([wrong.status, wrong.part, wrong.error]).toEqual(['amber', 'modified', null]);
    expect(wrong.values).toMatchObject({
      ...{ scheme: 'Bosch ME7', isProved: true, signature: null, lost: [], bytes: 0 },
      ...{ canCorrect: true, willCorrect: false },
    });
    const isWrong = wrong.values?.parts.filter(({ state }) => state === 'wrong');
    expect(isWrong?.map(({ name }) => name)).toEqual(parts);
    expect(isWrong?.every(({ wasWrong }) => !wasWrong)).toBe(true);
    await switchTo(slot, true);
    const after = await checkSlot(anna, 'kessv2', slot);
    const { status, values } = checkIn(after, 'known-checksums');
    expect(status).toBe('green');
    expect(values).toMatchObject({ willCorrect: true, canCorrect: true });
    const corrected = values?.parts.filter(({ state }) => state === 'corrected');
    expect(corrected?.map(({ name }) => name)).toEqual(parts);
    expect(values?.bytes).toBeGreaterThan(0);
    expect(after.draft.willCorrectChecksums).toBe(true);
    expect(checkIn(after, 'overwritten').values?.bytes).toBe(0);
    await switchTo(slot, false);
    expect((await checkSlot(anna, 'kessv2', slot)).draft.willCorrectChecksums).toBeUndefined();
  });

  // promise 5.known-checksums.correct, 5.known-checksums.recorded
  test('reaches the slave as it was uploaded, or corrected if that was asked for', async () => {
    const tuned = tune(stock);
    const { slot, slave, body } = await prepare(stock, tuned);
    const as = await kessv2.encode(anna, body);
    expect(Buffer.compare(await kessv2.accept(anna, slave, as), tuned)).toBe(0);
    expect(as.corrections).toBeUndefined();
    const fixed = await kessv2.encode(anna, { ...body, willCorrectChecksums: true });
    const accepted = await kessv2.accept(anna, slave, fixed);
    expect(Buffer.compare(accepted, right(tuned))).toBe(0);
    const sha256 = hash('sha256', accepted);
    const correction = { component: 'obd', scheme: 'Bosch ME7', parts, sha256 };
    expect(fixed.corrections).toEqual([{ ...correction, bytes: expect.any(Number) as number }]);
    const [plainFile, correctedFile] = await encodedFilesOf(slot);
    expect(plainFile?.corrections).toBeUndefined();
    expect(correctedFile?.corrections).toEqual(fixed.corrections);
    const stated = await receiptOf(slot);
    expect(stated.corrections).toEqual(fixed.corrections);
    const page = await anna.get(`/receipts/${fixed.receiptCode}`);
    expect(page.text).toContain('Bosch ME7: Byte sum, CRC, Multipoint 2');
  });

  test('names the user’s own changes of checksums that are overwritten', async () => {
    const tuned = tune(stock);
    tuned[0x17f80] = (tuned[0x17f80] ?? 0) ^ 0xff;
    const { slot } = await prepare(stock, tuned);
    await switchTo(slot, true);
    const { status, values } = checkIn(await checkSlot(anna, 'kessv2', slot), 'overwritten');
    expect([status, values?.bytes]).toEqual(['amber', 1]);
    expect(values?.spans).toEqual([{ offset: 0x17f80, length: 1 }]);
    expect(values?.rules).toContain('Byte sum');
  });

  // promise 5.known-checksums.signed
  test('that is signed is never corrected', async () => {
    const signed = generateChecked({ seed: 12, isSigned: true });
    const { slot, body } = await prepare(signed, tune(signed));
    const amber = checkIn(await checkSlot(anna, 'kessv2', slot), 'known-checksums');
    expect(amber.values).toMatchObject({ signature: 'wrong', canCorrect: false });
    await switchTo(slot, true);
    const answer = await checkSlot(anna, 'kessv2', slot);
    expect(idsWith(answer, 'red')).toEqual(['known-checksums']);
    const { error } = checkIn(answer, 'known-checksums');
    const failed = await anna.post('/api/kessv2/encode-file', {
      ...body,
      willCorrectChecksums: true,
    });
    expect(await errorOf(anna, failed)).toMatchObject({ ...error });
  });

  // promise 5.known-checksums.check
  test('of no known control unit is not checked, and a correction of it is refused', async () => {
    const image = new Uint8Array(0x80000).map((_, at) => (at * 7) & 0xff);
    const { slot, body } = await prepare(image, tune(image));
    const unknown = checkIn(await checkSlot(anna, 'kessv2', slot), 'known-checksums');
    expect([unknown.status, unknown.reason]).toEqual(['unchecked', 'no-known-scheme']);
    await switchTo(slot, true);
    const answer = await checkSlot(anna, 'kessv2', slot);
    expect(idsWith(answer, 'red')).toEqual(['known-checksums']);
    const failed = await anna.post('/api/kessv2/encode-file', {
      ...body,
      willCorrectChecksums: true,
    });
    expect(await errorOf(anna, failed)).toMatchObject({ cause: 'CHECKSUM_UNCORRECTABLE' });
  });
});

// promise 5.known-checksums.correct
test('a checksum that was wrong in the read is not written, and the others are corrected', async () => {
  const read = new Uint8Array(stock);
  read[0x17f80] = (read[0x17f80] ?? 0) ^ 0xff;
  const tuned = tune(read);
  const { slave, body } = await prepare(read, tuned);
  const fixed = await kessv2.encode(anna, { ...body, willCorrectChecksums: true });
  const accepted = await kessv2.accept(anna, slave, fixed);
  const untouched = Buffer.from(tuned.subarray(0x17f80, 0x17f88));
  expect(Buffer.compare(accepted.subarray(0x17f80, 0x17f88), untouched)).toBe(0);
  expect(fixed.corrections?.[0]?.parts).toEqual(['CRC', 'Multipoint 2']);
});

// promise 5.known-checksums.check
test('a correction is refused if one of two modified images has no known scheme', async () => {
  const eeprom = Buffer.alloc(512, 7);
  const images = { Flash: Buffer.from(stock), EEPROM: eeprom };
  const { slotGUID } = await decode(anna, 'kess3', writeVendorRead({ family: 'kess3', images }));
  const upload = `/api/kess3/upload-modified-file/${slotGUID}`;
  const body = {
    kess3FileSlotGUID: slotGUID,
    FlashFileGUID: await keep(anna, `${upload}/Flash`, 'file', Buffer.from(tune(stock))),
    EEPROMFileGUID: await keep(anna, `${upload}/EEPROM`, 'file', Buffer.alloc(512, 8)),
    willCorrectChecksums: true,
  };
  const path = '/api/kess3/encode-boot-bench-file';
  const failed = await anna.post(path, body);
  expect(await errorOf(anna, failed)).toMatchObject({ cause: 'CHECKSUM_UNCORRECTABLE' });
  const alone = await encodeEnd(anna, path, { ...body, EEPROMFileGUID: undefined });
  const encoded = await readEncoded(anna, alone);
  expect(Buffer.compare(bytesOf(encoded.images['flash']), right(tune(stock)))).toBe(0);
});

// promise 5.known-checksums.engines
test('a vendor’s engine gets the corrected image', async () => {
  const tuned = tune(stock);
  const read = writeVendorRead({ family: 'kessv2', images: { OBD: Buffer.from(stock) } });
  const { slotGUID } = await decode(anna, 'kessv2', read);
  const path = `/api/kessv2/upload-modified-file/${slotGUID}`;
  const modifiedFileGUID = await keep(anna, path, 'modifiedFile', Buffer.from(tuned));
  const check = checkIn(await checkSlot(anna, 'kessv2', slotGUID), 'known-checksums');
  expect([check.status, check.values?.canCorrect]).toEqual(['amber', true]);
  const body = { kessv2FileSlotGUID: slotGUID, modifiedFileGUID };
  const ended = await encodeEnd(anna, '/api/kessv2/encode-file', {
    ...body,
    willCorrectChecksums: true,
  });
  const encoded = await readEncoded(anna, ended);
  expect(Buffer.compare(bytesOf(encoded.images['obd']), right(tuned))).toBe(0);
  expect((await receiptOf(slotGUID)).corrections?.[0]?.parts).toEqual(parts);
});

// promise 5.known-checksums.engines
test('a program can ask for the correction', async () => {
  const tuned = tune(stock);
  const program = await addProgram(portal);
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const decoded = await program.succeed(
    await program.decode('/api/kessv2/decode-read-file/C-1', kessv2.sealImage(slave, 9000, stock)),
  );
  const upload = `/api/kessv2/upload-modified-file/C-1/${decoded.slotGUID}/Modified`;
  const encoded = await program.succeed(
    await program.post('/api/kessv2/encode-file', {
      userCustomerCode: 'C-1',
      kessv2FileSlotGUID: decoded.slotGUID,
      modifiedFileGUID: await program.keep(upload, tuned),
      willCorrectChecksums: true,
    }),
  );
  const { bytes } = await program.download(encoded.result['encodedFileURL']);
  const [image] = acceptEncoded({ ...slave, file: bytes }).components;
  expect(Buffer.compare(image?.bytes ?? Buffer.alloc(0), right(tuned))).toBe(0);
});
