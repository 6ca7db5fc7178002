/** What the originals library accepts, and how the rest is reported to the operator. */
import { randomBytes } from 'node:crypto';
import { sealRead } from '@recodery/codec/simulator/slave';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import type { Protocol } from '@recodery/codec/protocols/shape';
import { findProtocol, identifiedComponent, protocols } from '@recodery/codec/protocols/protocols';
import { describe, expect, test } from 'vitest';
import { judgeOriginal } from '../../../src/recoding/originals/original-rules.ts';

function protocolOf(id: number): Protocol {
  const protocol = findProtocol(id);
  if (protocol === null) throw new Error(`there is no protocol ${id}`);
  return protocol;
}

const image = generateImage(protocolOf(1002), 'obd', 1);

function sealed(): Uint8Array {
  return sealRead({
    family: 'kessv2',
    pairKey: randomBytes(32),
    keyId: 1,
    masterSerial: 'M',
    slaveSerial: 'S',
    protocolId: 1002,
    mode: 'obd',
    components: [{ name: 'obd', bytes: image }],
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
}

describe('an original', () => {
  test('is accepted with its numbers if the protocol supports its ECU', () => {
    const verdict = judgeOriginal(1002, image);
    expect(verdict).toEqual({
      fault: null,
      own: {
        hardware: expect.stringMatching(/^REF-HW-/),
        software: expect.stringMatching(/./),
      },
    });
  });

  test('is also accepted if it was read with another protocol of the same ECU', () => {
    expect(judgeOriginal(1002, generateImage(protocolOf(1001), 'obd', 4)).fault).toBeNull();
  });

  test.each(protocols.filter(({ id }) => id !== 9000).map(({ id, name }) => ({ id, name })))(
    'can be added for $name: its component with the identification',
    ({ id }) => {
      const protocol = protocolOf(id);
      const name = identifiedComponent(protocol)?.name ?? 'obd';
      const verdict = judgeOriginal(id, generateImage(protocol, name, 4));
      expect(verdict).toMatchObject({ fault: null, own: { hardware: expect.any(String) } });
    },
  );

  test.each([
    ['for an unknown protocol', 4711, () => image, 'Protocol 4711 does not exist.'],
    ['for one without identification', 9000, () => image, '9000 REF-OPEN knows no identification'],
    [
      'of another component',
      2001,
      () => generateImage(protocolOf(2001), 'micro', 1),
      '524288 bytes',
    ],
    ['that is empty', 1002, () => new Uint8Array(), 'empty'],
    ['in an archive', 1002, () => Buffer.from('PK\u0003\u0004 and so on'), 'archive'],
    ['that is still sealed', 1002, sealed, 'sealed'],
    ['that is truncated', 1002, () => image.subarray(1), '524287 bytes'],
    ['of another ECU', 1002, () => generateImage(protocolOf(1007), 'obd', 1), 'any ECU|bytes'],
    ['of noise', 1002, () => randomBytes(image.length), 'any ECU'],
    ['that was tuned', 1002, () => tuneImage(protocolOf(1002), 'obd', image, 2), 'checksums'],
  ])('%s is refused', (_, protocolId, make, words) => {
    expect(judgeOriginal(protocolId, make()).fault).toMatch(new RegExp(words));
  });
});
