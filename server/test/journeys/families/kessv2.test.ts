/**
 * The KESSv2 journey from the sealed read to what the slave accepts, over HTTP, with real engines, database and
 * storage.
 */
import { crc32 } from 'node:zlib';
import { verifyChecksums } from '@recodery/codec/checksum/checksum';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { findComponent } from '@recodery/codec/protocols/protocols';
import type { ChecksumScheme } from '@recodery/codec/checksum/scheme';
import { describe, expect, test } from 'vitest';
import {
  accept,
  decode,
  encode,
  keepImage,
  protocolOf,
  sealImage,
  uploadImage,
} from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const { portal, anna, slave } = await startJourney('kessv2');

function schemeOf(id: number): ChecksumScheme {
  const scheme = findComponent(protocolOf(id), 'obd')?.checksums;
  if (scheme === undefined) throw new Error(`${id} has no checksums`);
  return scheme;
}

/** The number of bytes that differ. */
function countDiffering(one: Uint8Array, other: Uint8Array): number {
  return one.filter((byte, at) => byte !== other[at]).length;
}

describe('open firmware (9000)', () => {
  test('shortens a name of 254 bytes, and keeps its extension', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 1, 4096);
    const name = `${'ü'.repeat(125)}.tfc`;
    const decoded = await decode(anna, sealImage(slave, 9000, image), name);
    expect(decoded.readFileName).toBe(`${'ü'.repeat(113)}.tfc`);
    const plain = await anna.get(decoded.decodedFileURL ?? '');
    expect(Buffer.compare(plain.bytes, image)).toBe(0);
  });

  // promise 1.work.decode-kessv2, 3.decode.kessv2-fields, d7.results.bin, d7.results.changes
  test('comes back from the slave exactly as it was modified', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 1, 256 * 1024);
    const sealed = sealImage(slave, 9000, image);
    const decoded = await decode(anna, sealed, 'Giulia 2.2.tfc');
    expect(decoded).toMatchObject({
      readFileName: 'Giulia 2.2.tfc',
      readFileSize: sealed.length,
      decodedFileSize: image.length,
      isOriginalFileNeeded: false,
      isChecksumCorrectionNeeded: false,
      isCVNCorrectionPossible: false,
      checksumRules: 0,
      warnings: [],
    });
    expect(decoded.decodedFileName).toBe(`${decoded.name}.bin`);
    expect(decoded.name).toMatch(/^KESSv2_KV2-000007_9000_\d{8}-\d{6}(-\d+)?$/);
    expect(decoded.information).toMatchObject({ protocolID: '9000', vin: 'ZAR93900001234567' });
    const plain = await anna.get(decoded.decodedFileURL ?? '');
    expect(Buffer.compare(plain.bytes, image)).toBe(0);

    const modified = tuneImage(protocolOf(9000), 'obd', image, 2);
    const slotGuid = decoded.kessv2SlotGUID;
    const { fileGUID, changes } = await keepImage(anna, 'modified', slotGuid, modified);
    expect(changes).toMatchObject({ bytes: countDiffering(image, modified), size: image.length });
    expect(changes?.spans.length).toBeGreaterThan(0);
    const encoded = await encode(anna, {
      kessv2FileSlotGUID: slotGuid,
      modifiedFileGUID: fileGUID,
      originalFileGUID: '00000000-0000-0000-0000-000000000000',
      willCorrectCVN: false,
      contextData: null,
    });
    expect(encoded.name).toMatch(/^KESSv2_KV2-000007_9000_\d{8}-\d{6}(-\d+)?\.moc$/);
    expect(Buffer.compare(await accept(anna, slave, encoded), modified)).toBe(0);
  });

  // promise 7.recoding.kessv2-reencode
  test('is encoded again as it was read, to restore the ECU', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 3, 64 * 1024);
    const decoded = await decode(anna, sealImage(slave, 9000, image));
    const body = { kessv2FileSlotGUID: decoded.kessv2SlotGUID };
    const encoded = await encode(anna, body, 'reencode-decoded-file');
    expect(Buffer.compare(await accept(anna, slave, encoded), image)).toBe(0);
  });
});

describe('encodes of the same read', () => {
  const encodeTwice = (kessv2FileSlotGUID: string) =>
    Promise.all([1, 2].map(() => encode(anna, { kessv2FileSlotGUID }, 'reencode-decoded-file')));
  const setFormat = (format: string | null) =>
    anna.call('PUT', '/api/preferences/encoded-kessv2-file-name-format', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(format),
    });

  // promise d7.results.unique-names
  test('get unique names if they finish in the same second, by the automatic name', async () => {
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, new Uint8Array(4096)));
    const names = (await encodeTwice(kessv2SlotGUID)).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
  });

  // promise d7.results.unique-names
  test('get unique names if the format produces the same name twice', async () => {
    const read = sealImage(slave, 9000, new Uint8Array(4096));
    const { kessv2SlotGUID } = await decode(anna, read, 'golf.tfc');
    await setFormat('%r');
    const results = [
      ...(await encodeTwice(kessv2SlotGUID)),
      ...(await encodeTwice(kessv2SlotGUID)),
    ];
    await setFormat(null);
    expect(results.map(({ name }) => name).toSorted()).toEqual([
      'golf-2.moc',
      'golf-3.moc',
      'golf-4.moc',
      'golf.moc',
    ]);
    const served = await Promise.all(results.map(({ encodedFileURL }) => anna.get(encodedFileURL)));
    for (const [index, { headers }] of served.entries()) {
      expect(headers.get('content-disposition')).toContain(results[index]?.name);
    }
  });
});

describe('an ECU with checksums (1001)', () => {
  test('comes back as it was modified, except for corrected checksums', async () => {
    const scheme = schemeOf(1001);
    const image = generateImage(protocolOf(1001), 'obd', 5);
    const decoded = await decode(anna, sealImage(slave, 1001, image));
    expect(decoded.checksumRules).toBe(scheme.length);
    const modified = tuneImage(protocolOf(1001), 'obd', image, 6);
    expect(verifyChecksums(scheme, modified).some(({ state }) => state === 'mismatch')).toBe(true);
    const slotGuid = decoded.kessv2SlotGUID;
    const { fileGUID } = await keepImage(anna, 'modified', slotGuid, modified);
    const body = { kessv2FileSlotGUID: slotGuid, modifiedFileGUID: fileGUID };
    const written = await accept(anna, slave, await encode(anna, body));
    expect(verifyChecksums(scheme, written).every(({ state }) => state === 'ok')).toBe(true);
    expect(countDiffering(written, modified)).toBeGreaterThan(0);
    expect(countDiffering(written, modified)).toBeLessThanOrEqual(scheme.length * 8);
  });

  test('is not written by any other slave, nor with one flipped bit', async () => {
    const image = generateImage(protocolOf(1001), 'obd', 7);
    const decoded = await decode(anna, sealImage(slave, 1001, image));
    const body = { kessv2FileSlotGUID: decoded.kessv2SlotGUID };
    const encoded = await encode(anna, body, 'reencode-decoded-file');
    const { bytes } = await anna.get(encoded.encodedFileURL);
    const other = await portal.getSlave('kessv2', 'KV2-003003');
    expect(() => acceptEncoded({ ...other, file: bytes })).toThrow('WRONG_MASTER_CODE');
    const flipped = bytes.slice();
    flipped[bytes.length - 100] = (flipped[bytes.length - 100] ?? 0) ^ 1;
    expect(() => acceptEncoded({ ...slave, file: flipped })).toThrow('FILE_CORRUPTED');
  });

  // promise d7.results.cvn
  test('keeps the original’s CVN if requested, and not otherwise', async () => {
    const image = generateImage(protocolOf(1001), 'obd', 8);
    const modified = tuneImage(protocolOf(1001), 'obd', image, 9);
    const decoded = await decode(anna, sealImage(slave, 1001, image));
    expect(decoded.isCVNCorrectionPossible).toBe(true);
    const slotGuid = decoded.kessv2SlotGUID;
    const { fileGUID } = await keepImage(anna, 'modified', slotGuid, modified);
    const writeWith = async (willCorrectCVN: boolean): Promise<number> => {
      const body = { kessv2FileSlotGUID: slotGuid, modifiedFileGUID: fileGUID, willCorrectCVN };
      const written = await accept(anna, slave, await encode(anna, body));
      return crc32(written.subarray(0x50000, 0x60000));
    };
    const cvn = crc32(image.subarray(0x50000, 0x60000));
    expect(await writeWith(true)).toBe(cvn);
    expect(await writeWith(false)).not.toBe(cvn);
  });
});

describe('a read that lacks its image (1002)', () => {
  // promise 4.encode.kessv2-needs-original
  test('is encoded with the original that its user uploads', async () => {
    const original = generateImage(protocolOf(1002), 'obd', 11);
    const read = sealImage(slave, 1002, original, {
      identificationOnly: true,
      information: {},
    });
    const decoded = await decode(anna, read);
    expect(decoded).toMatchObject({
      decodedFileURL: null,
      decodedFileName: null,
      isOriginalFileNeeded: true,
      wasOriginalFileFoundThroughVirtualReading: false,
    });
    const slotGuid = decoded.kessv2SlotGUID;
    const modified = tuneImage(protocolOf(1002), 'obd', original, 12);
    const { fileGUID } = await keepImage(anna, 'modified', slotGuid, modified);
    const body = { kessv2FileSlotGUID: slotGuid, modifiedFileGUID: fileGUID };
    const refused = await anna.post('/api/kessv2/encode-file', body);
    expect([refused.status, refused.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
    const { fileGUID: originalFileGUID } = await keepImage(anna, 'original', slotGuid, original);
    const encoded = await encode(anna, { ...body, originalFileGUID });
    const written = await accept(anna, slave, encoded);
    const reports = verifyChecksums(schemeOf(1002), written, original);
    expect(reports.every(({ state }) => state === 'ok')).toBe(true);
  });
});

describe('an ECU with a rule that needs the original (1003)', () => {
  // promise 4.encode.kessv2-needs-original
  test('is encoded with the original, and refused without it', async () => {
    const image = generateImage(protocolOf(1003), 'obd', 13);
    const decoded = await decode(anna, sealImage(slave, 1003, image));
    expect(decoded).toMatchObject({
      isOriginalFileNeeded: false,
      isChecksumCorrectionNeeded: true,
    });
    const slotGuid = decoded.kessv2SlotGUID;
    const modified = tuneImage(protocolOf(1003), 'obd', image, 14);
    const { fileGUID } = await keepImage(anna, 'modified', slotGuid, modified);
    const body = { kessv2FileSlotGUID: slotGuid, modifiedFileGUID: fileGUID };
    const refused = await anna.post('/api/kessv2/encode-file', body);
    expect([refused.status, refused.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
    const { fileGUID: originalFileGUID } = await keepImage(anna, 'original', slotGuid, image);
    const written = await accept(anna, slave, await encode(anna, { ...body, originalFileGUID }));
    const reports = verifyChecksums(schemeOf(1003), written, image);
    expect(reports.every(({ state }) => state === 'ok')).toBe(true);
  });
});

describe('a modified file', () => {
  // promise d8.storage.replaced
  test('replaces the previous one, which is kept and can be encoded', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 15, 4096);
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, image));
    const first = await keepImage(anna, 'modified', kessv2SlotGUID, image);
    const second = await keepImage(anna, 'modified', kessv2SlotGUID, image);
    expect((await anna.get(`/api/files/${first.fileGUID}`)).status).toBe(200);
    expect((await anna.get(`/api/files/${second.fileGUID}`)).status).toBe(200);
    const body = { kessv2FileSlotGUID: kessv2SlotGUID, modifiedFileGUID: first.fileGUID };
    await encode(anna, body);
  });

  test('leaves nothing behind if it is refused', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 16, 4096);
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, image));
    const files = portal.platform.db.selectFrom('stored_file').select('guid');
    const ofSlot = files.where('slot_guid', '=', kessv2SlotGUID);
    const before = await ofSlot.execute();
    const refused = await uploadImage(anna, 'modified', kessv2SlotGUID, new Uint8Array(4095));
    expect([refused.status, refused.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
    expect(await ofSlot.execute()).toEqual(before);
  });
});
