/** Virtual Reading: a read that contains only the identification, with or without an image in the originals library. */
import { verifyChecksums } from '@recodery/codec/checksum/checksum';
import { cvnOf } from '@recodery/codec/checksum/cvn';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { findComponent } from '@recodery/codec/protocols/protocols';
import { decodeResult as kess3DecodeResult } from '@recodery/contract/families/kess3';
import { decodeResult as kessv2DecodeResult } from '@recodery/contract/families/kessv2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { VerifiedStorage } from '../../../src/storage/verified-storage.ts';
import { addOriginal } from '../../../src/recoding/originals/add-original.ts';
import { findOriginal } from '../../../src/recoding/originals/originals.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import {
  errorOf,
  fetchByTicket,
  keep,
  resultOf,
  seal,
  uploadTo,
  written,
} from './component-workflow.ts';
import { encodeObd, uploadPath } from './kess3-workflow.ts';
import { accept, encode, keepImage, protocolOf } from './kessv2-workflow.ts';

const protocolId = 1002;
const original = generateImage(protocolOf(protocolId), 'obd', 1);
const modified = tuneImage(protocolOf(protocolId), 'obd', original, 2);

let portal: RunningPortal;
let storage: VerifiedStorage;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '20' });
  storage = (await openStorage(portal.platform.config)).storage;
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());
// Separate numbers for each test: the library is shared.
let numbers = { hardware: '', software: '' };
let count = 0;
beforeEach(() => {
  count += 1;
  numbers = { hardware: `HW-${count}`, software: `SW-${count}` };
});

function add(image: Uint8Array = original) {
  const { db } = portal.platform;
  return addOriginal({ db, storage }, { protocolId, ...numbers, name: 'original.bin', image });
}

const paths = { kessv2: '/api/kessv2/upload-read-file', kess3: '/api/kess3/upload-read-file' };
const serials = { kessv2: 'KV2-000007', kess3: 'KS3-000042' };

/** Uploads a read that reports these numbers and contains nothing else. */
async function upload(family: keyof typeof paths, information: Record<string, string> = numbers) {
  const slave = await portal.getSlave(family, serials[family]);
  const read = { protocolId, mode: 'obd', images: new Map() } as const;
  const bytes = seal(slave, read, { identificationOnly: true, information });
  return uploadTo(anna, paths[family], bytes);
}

const decodeKessv2 = async (information?: Record<string, string>) =>
  kessv2DecodeResult.parse(await resultOf(anna, await upload('kessv2', information)));
const decodeKess3 = async () =>
  kess3DecodeResult.parse(await resultOf(anna, await upload('kess3')));

function statesOf(image: Uint8Array) {
  const scheme = findComponent(protocolOf(protocolId), 'obd')?.checksums;
  if (scheme === undefined) throw new Error('1002 has no checksums');
  return [...new Set(verifyChecksums(scheme, image).map(({ state }) => state))];
}

function cvn(image: Uint8Array): number {
  const layout = findComponent(protocolOf(protocolId), 'obd')?.cvn;
  if (layout === undefined) throw new Error('1002 has no CVN');
  return cvnOf(layout, image);
}

describe('a read whose original is in the library', () => {
  // promise d7.results.original-needed
  test('of KESSv2 gets the original as its decoded file, and needs none uploaded', async () => {
    await add();
    const decoded = await decodeKessv2();
    expect(decoded).toMatchObject({
      wasOriginalFileFoundThroughVirtualReading: true,
      isOriginalFileNeeded: false,
      decodedFileName: `${decoded.name}.bin`,
      decodedFileSize: original.length,
      information: numbers,
    });
    const plain = await fetchByTicket(anna, decoded.decodedFileURL ?? '');
    expect(Buffer.compare(plain, original)).toBe(0);
    const slot = decoded.kessv2SlotGUID;
    const { fileGUID, changes } = await keepImage(anna, 'modified', slot, modified);
    expect(changes?.bytes).toBe(modified.filter((byte, at) => byte !== original[at]).length);
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID, willCorrectCVN: true };
    const slave = await portal.getSlave('kessv2', serials.kessv2);
    const out = await accept(anna, slave, await encode(anna, body));
    expect([statesOf(out), cvn(out)]).toEqual([['ok'], cvn(original)]);
    const again = await encode(anna, { kessv2FileSlotGUID: slot }, 'reencode-decoded-file');
    expect(Buffer.compare(await accept(anna, slave, again), original)).toBe(0);
  });

  test('of KESS3 gets the original as its decoded file, and needs none uploaded', async () => {
    await add();
    const decoded = await decodeKess3();
    expect(decoded).toMatchObject({
      wasOriginalFileFoundThroughVirtualReading: true,
      obdIsOriginalFileNeeded: false,
      obdDecodedFileSize: original.length,
    });
    const plain = await fetchByTicket(anna, decoded.obdDecodedFileURL ?? '');
    expect(Buffer.compare(plain, original)).toBe(0);
    const slave = await portal.getSlave('kess3', serials.kess3);
    const slot = decoded.kess3FileSlotGUID;
    const encoded = await encodeObd(anna, slot, { modified }, { willCorrectCVN: true });
    const out = (await written(anna, slave, encoded)).get('obd') ?? new Uint8Array();
    expect([statesOf(out), cvn(out)]).toEqual([['ok'], cvn(original)]);
    const again = await written(anna, slave, await encodeObd(anna, slot, {}));
    expect(Buffer.compare(again.get('obd') ?? new Uint8Array(), original)).toBe(0);
  });

  test('keeps it when the original in the library is replaced later', async () => {
    const other = generateImage(protocolOf(protocolId), 'obd', 5);
    expect(await add()).toBe('added');
    expect(await add()).toBe('unchanged');
    const { db } = portal.platform;
    const before = await findOriginal(db, { protocolId, ...numbers });
    const first = await decodeKessv2();
    expect(await add(other)).toBe('replaced');
    const second = await decodeKessv2();
    const had = await Promise.all(
      [first, second].map(({ decodedFileURL }) => fetchByTicket(anna, decodedFileURL ?? '')),
    );
    expect(had.map((bytes) => Buffer.compare(bytes, original) === 0)).toEqual([true, false]);
    expect(Buffer.compare(had[1] ?? new Uint8Array(), other)).toBe(0);
    // the replaced file is deleted from the storage too
    expect(await storage.head(before?.storageKey ?? '')).toBeNull();
  });
});

describe('a read whose original is not in the library', () => {
  // promise d7.results.original-needed
  test.each([
    ['another software number', () => ({ ...numbers, software: 'SW-X' })],
    ['another hardware number', () => ({ ...numbers, hardware: 'HW-X' })],
    ['no software number', () => ({ hardware: numbers.hardware })],
    ['no number at all', () => ({})],
  ])('needs the original from its user if it reports %s', async (_, information) => {
    await add();
    const decoded = await decodeKessv2(information());
    expect(decoded).toMatchObject({
      wasOriginalFileFoundThroughVirtualReading: false,
      isOriginalFileNeeded: true,
      decodedFileURL: null,
      decodedFileName: null,
      decodedFileSize: null,
    });
  });

  test('of KESS3 needs it as well, and is encoded with it', async () => {
    const decoded = await decodeKess3();
    expect(decoded).toMatchObject({ obdIsOriginalFileNeeded: true, obdDecodedFileURL: null });
    const slot = decoded.kess3FileSlotGUID;
    const again = await anna.post('/api/kess3/encode-obd-file', { kess3FileSlotGUID: slot });
    expect([again.status, again.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
    const { fileGUID } = await keep(anna, uploadPath(slot, 'mod'), modified);
    const body = { kess3FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const without = await anna.post('/api/kess3/encode-obd-file', body);
    expect([without.status, without.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
  });
});

describe('a library that cannot be read', () => {
  const keyOf = async () =>
    (await findOriginal(portal.platform.db, { protocolId, ...numbers }))?.storageKey ?? '';

  // promise 8.catalogue.vr-lookup
  test.each([
    ['kessv2', 'VIRTUAL_READING_LOOKUP_ERROR'],
    ['kess3', 'KESS3_VIRTUAL_READING_NOT_SUPPORTED'],
  ] as const)('fails the decode of %s with %s', async (family, errorName) => {
    await add();
    await storage.delete(await keyOf());
    const answer = await upload(family);
    expect(await errorOf(anna, answer)).toMatchObject({ errorName, cause: 'VR_LOOKUP_FAILED' });
    const { guid } = answer.json as { guid: string };
    const rows = portal.platform.db.selectFrom('operation').where('guid', '=', guid);
    expect(await rows.select(['internal_code', 'attempt']).execute()).toEqual([
      { internal_code: 'VR_LOOKUP_FAILED', attempt: 1 },
    ]);
    // the operator adds it again, and the decode succeeds
    expect(await add()).toBe('replaced');
    expect(await resultOf(anna, await upload(family))).toBeTruthy();
  });

  test('also fails if the bytes differ from those added, and nothing of them is kept', async () => {
    await add();
    const key = await keyOf();
    await storage.put(key, one(modified));
    const answer = await upload('kessv2');
    const { guid } = answer.json as { guid: string };
    const error = await errorOf(anna, answer);
    expect(error).toMatchObject({ errorName: 'VIRTUAL_READING_LOOKUP_ERROR' });
    // the worker deletes the files of a failed attempt after it has recorded the failure
    const left = async (): Promise<readonly string[]> => {
      const keys: string[] = [];
      for await (const { key: found } of storage.list(guid)) keys.push(found);
      return keys;
    };
    await expect.poll(left).toEqual([]);
  });

  async function* one(bytes: Uint8Array) {
    yield bytes;
  }
});
