/** The KESSv2 trip: read, decode, modify, encode, write. */

import { describe, expect, test } from 'vitest';
import type { EncodeInput } from '../src/codec.ts';
import { acceptEncoded } from '../src/device.ts';
import { kessv2 } from '../src/kessv2.ts';
import { noise, otherSalt, sealedRead, slaveOf } from './slaves.ts';

const slave = slaveOf('kessv2');
const image = noise(4096);
const tuned = noise(4096, 2);
const file = sealedRead('kessv2', [{ name: 'obd', bytes: image }]);

const encodeInput: EncodeInput = {
  file,
  pairKey: slave.pairKey,
  utility: false,
  modified: [{ name: 'obd', bytes: tuned }],
  original: null,
  removed: [],
  willCorrectCVN: false,
  willSkipChecksum: false,
  fileSalt: otherSalt,
  number: 7,
};

describe('the KESSv2 codec', () => {
  test('decodes a read to the image that the slave sealed', () => {
    const decoded = kessv2.decode({
      file,
      pairKey: slave.pairKey,
      utility: false,
      skipChecksum: false,
    });
    expect(decoded.components.map(({ name }) => name)).toEqual(['obd']);
    expect(decoded.components[0]?.bytes).toEqual(Buffer.from(image));
    expect(decoded.information).toMatchObject({
      protocolID: '9000',
      vin: 'ZAR93900001234567',
      hardware: 'HW-1',
      software: 'SW-1',
      serialNumber: 'KV2-000007',
      engine: null,
    });
    expect(decoded).toMatchObject({
      isImageMissing: false,
      virtualReading: null,
      isChecksumCorrectionNeeded: false,
      isCVNCorrectionPossible: false,
      warnings: [],
    });
  });

  test('encodes a modified image to a file from which the slave takes exactly that image', () => {
    const encoded = kessv2.encode(encodeInput);
    const { components, header } = acceptEncoded({ ...slave, file: encoded.file });
    expect(components).toEqual([{ name: 'obd', bytes: Buffer.from(tuned) }]);
    expect(header).toMatchObject({ kind: 'encoded-file', number: 7, keyId: 1 });
    expect(encoded.components).toMatchObject([{ name: 'obd', size: 4096, source: 'modified' }]);
  });
});
