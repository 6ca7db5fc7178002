/** The KESS3 OBD journey: one image, its checksums, its CVN, and the original if it is needed. */
import type { ChecksumScheme } from '@recodery/codec/checksum/scheme';
import { verifyChecksums } from '@recodery/codec/checksum/checksum';
import { cvnOf } from '@recodery/codec/checksum/cvn';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import type { ComponentSpec } from '@recodery/codec/protocols/shape';
import { findComponent } from '@recodery/codec/protocols/protocols';
import type { EncodeResult } from '@recodery/contract/results';
import { describe, expect, test } from 'vitest';
import { fetchByTicket, keep, refuse, written } from './component-workflow.ts';
import { decodeKess3, encodeObd, uploadPath } from './kess3-workflow.ts';
import { protocolOf } from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const { anna, slave } = await startJourney('kess3');

function specOf(id: number): ComponentSpec & { readonly checksums: ChecksumScheme } {
  const spec = findComponent(protocolOf(id), 'obd');
  if (spec?.checksums === undefined) throw new Error(`${id} has no checksums`);
  return { ...spec, checksums: spec.checksums };
}

function decode(protocolId: number, image: Uint8Array) {
  return decodeKess3(anna, slave, { protocolId, mode: 'obd', images: new Map([['obd', image]]) });
}

/** The single image that the slave writes. */
async function writtenImage(encoded: EncodeResult): Promise<Uint8Array> {
  const images = await written(anna, slave, encoded);
  expect([...images.keys()]).toEqual(['obd']);
  return images.get('obd') ?? new Uint8Array();
}

describe('open firmware (9000)', () => {
  const image = generateImage(protocolOf(9000), 'obd', 1, 64 * 1024);

  // promise 1.work.decode-kess3, 3.decode.kess3-fields, d7.results.bin
  test('is decoded to one image, offered individually, and comes back as it was modified', async () => {
    const decoded = await decode(9000, image);
    expect(decoded).toMatchObject({
      obdDecodedFileName: `${decoded.name}.bin`,
      obdDecodedFileSize: image.length,
      decodedFileURL: null,
      decodedFileName: null,
      bootBenchComponents: null,
      wasOriginalFileFoundThroughVirtualReading: false,
      obdIsOriginalFileNeeded: false,
      obdIsChecksumCorrectionNeeded: false,
      obdIsCVNCorrectionPossible: false,
      information: {
        Mode: 'OBD',
        Protocol: '9000 REF-OPEN',
        SN: 'KS3-000042',
        'Customer Code': 'CC-1001',
        'Group Code': 'G-10',
      },
    });
    const plain = await fetchByTicket(anna, decoded.obdDecodedFileURL ?? '');
    expect(Buffer.compare(plain, image)).toBe(0);
    const modified = tuneImage(protocolOf(9000), 'obd', image, 2);
    const encoded = await encodeObd(anna, decoded.kess3FileSlotGUID, { modified });
    expect(encoded.name).toMatch(/^KESS3_KS3-000042_9000_\d{8}-\d{6}(-\d+)?\.moc$/);
    expect(Buffer.compare(await writtenImage(encoded), modified)).toBe(0);
  });

  // promise 7.recoding.kess3-obd-zero
  test('is encoded again as it was read, with the all-zero GUID', async () => {
    const { kess3FileSlotGUID } = await decode(9000, image);
    const encoded = await encodeObd(anna, kess3FileSlotGUID, {});
    expect(Buffer.compare(await writtenImage(encoded), image)).toBe(0);
  });

  // promise 7.recoding.kess3-modified
  test('has no components to upload, only the image and its original', async () => {
    const { kess3FileSlotGUID: slot } = await decode(9000, image);
    for (const component of ['Flash', 'EEPROM', 'obd', 'modified']) {
      expect(await refuse(anna, uploadPath(slot, component), image)).toEqual([404, 'NOT_FOUND']);
    }
    expect((await keep(anna, uploadPath(slot, 'ori'), image)).changes).toBeNull();
  });

  test('cannot be encoded as components', async () => {
    const { kess3FileSlotGUID: slot } = await decode(9000, image);
    const { fileGUID } = await keep(anna, uploadPath(slot, 'mod'), image);
    const asked = [
      { kess3FileSlotGUID: slot },
      { kess3FileSlotGUID: slot, RemoveFlash: true },
      { kess3FileSlotGUID: slot, FlashFileGUID: fileGUID },
    ];
    for (const body of asked) {
      const answer = await anna.post('/api/kess3/encode-boot-bench-file', body);
      expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
    }
  });
});

describe('an ECU with checksums and a CVN (1001)', () => {
  const spec = specOf(1001);
  const image = generateImage(protocolOf(1001), 'obd', 5);
  const modified = tuneImage(protocolOf(1001), 'obd', image, 6);
  const states = (bytes: Uint8Array) => [
    ...new Set(verifyChecksums(spec.checksums, bytes).map(({ state }) => state)),
  ];

  test('shows its checksums and that it was recognized', async () => {
    const decoded = await decode(1001, image);
    expect(decoded.checksumRules).toBe(spec.checksums.length);
    expect(decoded.information).toMatchObject({ Cks: 'OK', Recognized: 'OK' });
    expect(decoded.obdIsCVNCorrectionPossible).toBe(true);
  });

  // promise d7.results.cvn
  test('comes back with valid checksums, and with the original’s CVN if requested', async () => {
    if (spec.cvn === undefined) throw new Error('1001 has no CVN');
    const { kess3FileSlotGUID: slot } = await decode(1001, image);
    const cvn = cvnOf(spec.cvn, image);
    expect(states(modified)).toContain('mismatch');
    const as = async (willCorrectCVN: boolean) =>
      writtenImage(await encodeObd(anna, slot, { modified }, { willCorrectCVN }));
    const corrected = await as(true);
    expect([states(corrected), cvnOf(spec.cvn, corrected)]).toEqual([['ok'], cvn]);
    const left = await as(false);
    expect(states(left)).toEqual(['ok']);
    expect(cvnOf(spec.cvn, left)).toBe(cvnOf(spec.cvn, modified));
    expect(cvnOf(spec.cvn, left)).not.toBe(cvn);
  });

  // promise d7.results.skip
  test('comes back exactly as modified if checksums are skipped, including the CVN', async () => {
    const { kess3FileSlotGUID: slot } = await decode(1001, image);
    const flags = { willSkipChecksum: true, willCorrectCVN: true };
    const encoded = await encodeObd(anna, slot, { modified }, flags);
    expect(encoded.correctedChecksums).toBe(0);
    expect(Buffer.compare(await writtenImage(encoded), modified)).toBe(0);
  });

  // promise d7.results.read-checksums
  test('is decoded with a warning if its own checksums are wrong and skipped', async () => {
    const images = new Map([['obd', modified] as const]);
    const read = { protocolId: 1001, mode: 'obd', images } as const;
    const decoded = await decodeKess3(anna, slave, read, { query: '?skipChecksum=true' });
    expect(decoded.warnings).toEqual(['KESS3_DECODED_WITH_CHECKSUM_ERROR']);
    expect(decoded.information.Cks).toBe('KO');
    const plain = await fetchByTicket(anna, decoded.obdDecodedFileURL ?? '');
    expect(Buffer.compare(plain, modified)).toBe(0);
  });
});

describe('an ECU with a rule that needs the original (1003)', () => {
  const spec = specOf(1003);
  const image = generateImage(protocolOf(1003), 'obd', 8);
  const modified = tuneImage(protocolOf(1003), 'obd', image, 9);

  // promise 4.encode.obd-needs-original, d7.results.original-rule
  test('requests it, is refused without it, and comes back valid with it', async () => {
    const decoded = await decode(1003, image);
    expect(decoded).toMatchObject({
      obdIsChecksumCorrectionNeeded: true,
      obdIsOriginalFileNeeded: false,
    });
    const slot = decoded.kess3FileSlotGUID;
    const { fileGUID } = await keep(anna, uploadPath(slot, 'mod'), modified);
    const body = { kess3FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const refused = await anna.post('/api/kess3/encode-obd-file', body);
    expect([refused.status, refused.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
    const again = await anna.post('/api/kess3/encode-obd-file', { kess3FileSlotGUID: slot });
    expect([again.status, again.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
    const encoded = await encodeObd(anna, slot, { modified, original: image });
    const out = await writtenImage(encoded);
    const reports = verifyChecksums(spec.checksums, out, image);
    expect(reports.map(({ state }) => state)).toEqual(spec.checksums.map(() => 'ok'));
  });

  test('does not need it if checksums are skipped', async () => {
    const { kess3FileSlotGUID } = await decode(1003, image);
    const flags = { willSkipChecksum: true };
    const encoded = await encodeObd(anna, kess3FileSlotGUID, { modified }, flags);
    expect(Buffer.compare(await writtenImage(encoded), modified)).toBe(0);
  });
});
