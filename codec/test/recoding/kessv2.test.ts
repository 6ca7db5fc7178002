/**
 * The KESSv2 workflow: read, decode, modify, encode, write; with open firmware and with a protocol that has every
 * check.
 */

import { describe, expect, test } from 'vitest';
import { compareImages } from '../../src/compare.ts';
import { verifyChecksums } from '../../src/checksum/checksum.ts';
import type { EncodeInput, Encoded } from '../../src/recoding/family-codec.ts';
import { cvnOf } from '../../src/checksum/cvn.ts';
import { acceptEncoded } from '../../src/simulator/slave.ts';
import { generateImage, tuneImage } from '../../src/sample-images/images.ts';
import { kessv2 } from '../../src/families/kessv2.ts';
import { findComponent, findProtocol } from '../../src/protocols/protocols.ts';
import type { ComponentSpec, Protocol } from '../../src/protocols/shape.ts';
import { codeOf, kessv2 as kessv2Read, panelOf } from '../reads.ts';
import { noise, otherSalt, sealedRead, slaveOf } from '../slaves.ts';

const slave = slaveOf('kessv2');

function decode(file: Uint8Array): ReturnType<typeof kessv2.decode> {
  return kessv2.decode({ file, pairKey: slave.pairKey, skipChecksum: false });
}

function encode(
  file: Uint8Array,
  bytes: Uint8Array,
  otherwise: Partial<EncodeInput> = {},
): Encoded {
  return kessv2.encode({
    file,
    pairKey: slave.pairKey,
    modified: [{ name: 'obd', bytes }],
    original: null,
    removed: [],
    willCorrectCVN: false,
    willSkipChecksum: false,
    fileSalt: otherSalt,
    number: 7,
    ...otherwise,
  });
}

/** The images that the slave flashes. */
function written({ sealed }: Encoded): Uint8Array {
  return (
    acceptEncoded({ ...slave, file: sealed.whole() }).components[0]?.bytes ?? new Uint8Array(0)
  );
}

describe('with open firmware', () => {
  const image = noise(4096);
  const tuned = noise(4096, 2);
  const file = sealedRead('kessv2', [{ name: 'obd', bytes: image }]);

  test('decodes a read to the image that the slave sealed, with its information about the ECU', () => {
    const decoded = decode(file);
    expect(decoded.components.map(({ name }) => name)).toEqual(['obd']);
    expect(Buffer.from(image).equals(decoded.components[0]?.bytes ?? Buffer.of())).toBe(true);
    expect(panelOf(kessv2Read, decoded)).toEqual({
      protocolID: '9000',
      protocolName: 'REF-OPEN',
      serialNumber: 'KV2-000007',
      hardware: 'HW-1',
      software: 'SW-1',
      softwareUpgrade: null,
      spare: null,
      softwareDate: null,
      imp: null,
      engine: null,
      vin: 'ZAR93900001234567',
      softwareVersion: null,
    });
    expect(decoded).toMatchObject({
      mode: 'obd',
      protocol: { id: 9000, name: 'REF-OPEN' },
      isImageMissing: false,
      virtualReading: null,
      isChecksumCorrectionNeeded: false,
      isCVNCorrectionPossible: false,
      checksums: [],
      warnings: [],
    });
  });

  test('encodes a modified image to a file from which its slave flashes exactly that image', () => {
    const encoded = encode(file, tuned, { tool: 'recodery', time: '2026-11-21T09:00:00Z' });
    const { components, header } = acceptEncoded({ ...slave, file: encoded.sealed.whole() });
    expect(components).toEqual([{ name: 'obd', bytes: Buffer.from(tuned) }]);
    expect(header).toMatchObject({
      kind: 'encoded-file',
      number: 7,
      keyId: 1,
      tool: 'recodery',
      time: '2026-11-21T09:00:00Z',
      previous: decode(file).header.headerSha256,
    });
    // The vehicle's identification stays in the read: the slave only flashes images.
    expect(header.components.map(({ name }) => name)).toEqual(['obd']);
    expect(encoded.components).toMatchObject([{ name: 'obd', size: 4096, source: 'modified' }]);
  });

  test('creates the same file from the same input, and a different file with a different salt', () => {
    const again = encode(file, tuned).sealed.whole();
    expect(Buffer.from(encode(file, tuned).sealed.whole()).equals(again)).toBe(true);
    const salted = encode(file, tuned, { fileSalt: noise(32) }).sealed.whole();
    expect(Buffer.from(salted).equals(again)).toBe(false);
  });

  test('re-encodes the read’s own image', () => {
    const encoded = encode(file, tuned, { modified: [], reencode: true });
    expect(Buffer.from(image).equals(written(encoded))).toBe(true);
    expect(encoded.components).toMatchObject([{ source: 'backup' }]);
  });

  test('refuses an image of a different size, an archive, a sealed file and an empty file', () => {
    const check = (modified: Uint8Array): string =>
      codeOf(() =>
        kessv2.checkModified({
          protocolId: 9000,
          mode: 'obd',
          component: 'obd',
          decoded: image,
          modified,
        }),
      );
    const zip = Buffer.concat([Buffer.of(0x50, 0x4b, 3, 4), image.subarray(4)]);
    const files = [tuned, image, tuned.subarray(1), zip, file, Buffer.alloc(0)];
    const codes = [
      'OK',
      'OK',
      'MOD_WRONG_SIZE',
      'FILE_IS_ARCHIVE_ZIP',
      'MOD_STILL_ENCODED',
      'MOD_EMPTY',
    ];
    expect(files.map(check)).toEqual(codes);
    // The encode does not rely on earlier checks.
    expect(files.map((bytes) => codeOf(() => encode(file, bytes)))).toEqual(codes);
  });

  test('refuses a component that KESSv2 does not have', () => {
    const modified = [{ name: 'flash', bytes: tuned }] as const;
    expect(codeOf(() => encode(file, tuned, { modified }))).toBe('COMPONENT_NOT_IN_PROTOCOL');
    expect(codeOf(() => encode(file, tuned, { modified: [], removed: ['obd'] }))).toBe(
      'ENCODE_FAILED',
    );
  });
});

/** A protocol and its only image, which the tests expect to exist. */
function obdOf(id: number): { protocol: Protocol; spec: ComponentSpec } {
  const protocol = findProtocol(id);
  const spec = protocol === null ? null : findComponent(protocol, 'obd');
  if (protocol === null || spec === null) {
    throw new Error(`protocol ${id} has no image`);
  }
  return { protocol, spec };
}

function checksumStates(spec: ComponentSpec, image: Uint8Array): string[] {
  return spec.checksums === undefined
    ? []
    : verifyChecksums(spec.checksums, image).map(({ state }) => state);
}

describe('with REF-OBD-512K', () => {
  const { protocol, spec } = obdOf(1001);
  const image = generateImage(protocol, 'obd', 1);
  const tuned = tuneImage(protocol, 'obd', image, 2);
  const sealed = { protocolId: 1001, information: {}, deflate: true };
  const file = sealedRead('kessv2', [{ name: 'obd', bytes: image }], sealed);
  const allRight = (spec.checksums ?? []).map(() => 'ok');

  test('takes missing information from the ident block', () => {
    const { information, isCVNCorrectionPossible, checksums } = decode(file);
    expect(information.hardware).toMatch(/^REF-HW-1001-/);
    expect(information.software).not.toBeNull();
    expect(information.serialNumber).toBe('KV2-000007');
    expect(isCVNCorrectionPossible).toBe(true);
    expect(checksums.map(({ state }) => state)).toEqual(allRight);
    const said = sealedRead('kessv2', [{ name: 'obd', bytes: image }], {
      ...sealed,
      information: { hardware: 'SAID', serialNumber: '4711' },
    });
    expect(decode(said).information).toMatchObject({ hardware: 'SAID', serialNumber: '4711' });
  });

  test('shows the serial number of the header on one line if INFO has none', () => {
    const odd = { ...sealed, slaveSerial: 'KV2\0\r\n7' };
    const { information, header } = decode(
      sealedRead('kessv2', [{ name: 'obd', bytes: image }], odd),
    );
    expect(information.serialNumber).toBe('KV2 7');
    expect(header.slaveSerialNumber).toBe('KV2\0\r\n7');
  });

  test('writes a tune as it was uploaded, with corrected checksums', () => {
    expect(checksumStates(spec, tuned)).toContain('mismatch');
    const encoded = encode(file, tuned);
    const flashed = written(encoded);
    expect(checksumStates(spec, flashed)).toEqual(allRight);
    // Only the checksum block (offset 60100, 64 bytes) differs from the upload.
    const { strip } = compareImages(tuned, flashed);
    expect(strip.length).toBeGreaterThan(0);
    expect(
      strip.every(({ offset, length }) => offset >= 0x60100 && offset + length <= 0x60140),
    ).toBe(true);
    expect(encoded.checksums.map(({ component, state }) => [component, state])).toEqual(
      allRight.map((state) => ['obd', state]),
    );
    expect(tuned).toEqual(tuneImage(protocol, 'obd', image, 2));
  });

  test('writes a tune unchanged if checksums are skipped, including the CVN', () => {
    const encoded = encode(file, tuned, { willSkipChecksum: true, willCorrectCVN: true });
    expect(Buffer.from(tuned).equals(written(encoded))).toBe(true);
    expect(encoded.checksums).toEqual([]);
  });

  test('keeps the original’s CVN if requested, and only then', () => {
    const { cvn } = spec;
    if (cvn === undefined) {
      throw new Error('1001 has a CVN');
    }
    const original = cvnOf(cvn, image);
    expect(cvnOf(cvn, written(encode(file, tuned)))).not.toBe(original);
    const corrected = written(encode(file, tuned, { willCorrectCVN: true }));
    expect(cvnOf(cvn, corrected)).toBe(original);
    expect(checksumStates(spec, corrected)).toEqual(allRight);
  });

  test('refuses a read with wrong checksums, and names the rules', () => {
    const wrong = sealedRead('kessv2', [{ name: 'obd', bytes: tuned }], sealed);
    expect(() => decode(wrong)).toThrow(/^READ_CHECKSUM_ERROR: .*CALIBRATION/);
    expect(
      codeOf(() => kessv2.decode({ file: wrong, pairKey: slave.pairKey, skipChecksum: true })),
    ).toBe('READ_CHECKSUM_ERROR');
  });

  test('refuses a read whose image is of an unknown ECU', () => {
    const bytes = image.with(0x60000, 0x20);
    const foreign = sealedRead('kessv2', [{ name: 'obd', bytes }], sealed);
    expect(codeOf(() => decode(foreign))).toBe('ECU_NOT_RECOGNIZED');
  });

  test('refuses a modified image of another ECU or software, when it is uploaded and when it is encoded', () => {
    const other = generateImage(protocol, 'obd', 5);
    const none = tuned.with(0x60000, 0x20);
    const place = { protocolId: 1001, mode: 'obd', component: 'obd', decoded: image } as const;
    const check = (modified: Uint8Array): string =>
      codeOf(() => kessv2.checkModified({ ...place, modified }));
    expect([tuned, other, none].map(check)).toEqual([
      'OK',
      'MOD_IDENT_MISMATCH',
      'MOD_IDENT_MISMATCH',
    ]);
    expect(codeOf(() => encode(file, other))).toBe('MOD_IDENT_MISMATCH');
  });

  test('requires the uploaded original to belong to this read', () => {
    const other = generateImage(protocol, 'obd', 5);
    const place = { protocolId: 1001, mode: 'obd', decoded: image, identification: null } as const;
    const check = (original: Uint8Array): string =>
      codeOf(() => kessv2.checkOriginal({ ...place, original }));
    const short = image.subarray(1);
    expect([image, tuned, other, short].map(check)).toEqual([
      'OK',
      'OK',
      'ORI_MISMATCH',
      'ORI_MISMATCH',
    ]);
    expect(check(file)).toBe('MOD_STILL_ENCODED');
    expect(codeOf(() => encode(file, tuned, { original: other }))).toBe('ORI_MISMATCH');
  });
});
