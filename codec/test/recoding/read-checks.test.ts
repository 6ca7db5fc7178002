/** The checks of a read that need a protocol's images, the information panel, and Virtual Reading. */

import type { ComponentName } from '@recodery/contract/families/family';
import { describe, expect, test } from 'vitest';
import { getCodec } from '../../src/families/registry.ts';
import { acceptEncoded } from '../../src/simulator/slave.ts';
import type { DeviceComponent } from '../../src/simulator/slave.ts';
import {
  bench,
  benchParts,
  decode,
  encode,
  panelOf,
  codecErrorOf,
  imageOf,
  kess3,
  kessv2,
  ktag,
  ktagParts,
  partsOf,
  seal,
  shown,
  tuneOf,
} from '../reads.ts';
import type { Read } from '../reads.ts';
import { noise, slaveOf } from '../slaves.ts';

describe('a read', () => {
  test('has an unknown protocol if only another family or mode uses that protocol', () => {
    const foreign: Read = { ...kessv2, protocolId: 2002 };
    const file = seal(foreign, [{ name: 'obd', bytes: noise(1024) }]);
    expect(shown(foreign, () => decode(foreign, file))).toEqual([
      'PROTOCOL_NOT_FOUND',
      'ECU_NOT_SUPPORTED',
    ]);
    const wrongMode: Read = { ...kess3, mode: 'bootbench' };
    const other = seal(wrongMode, [{ name: 'flash', bytes: noise(1024) }]);
    expect(shown(wrongMode, () => decode(wrongMode, other))).toEqual([
      'PROTOCOL_NOT_FOUND',
      'KESS3_PROTOCOL_NOT_FOUND',
    ]);
    expect(codecErrorOf(() => decode(wrongMode, other)).detail).toBe('1001');
  });

  test('reports a size that the protocol does not have', () => {
    const short = seal(kess3, [{ name: 'obd', bytes: imageOf(1001, 'obd').subarray(1) }]);
    expect(shown(kess3, () => decode(kess3, short))).toEqual([
      'UNEXPECTED_SIZE',
      'KESS3_COMPONENT_READ_ERROR',
    ]);
    const sizes = { actual: 0x7ffff, allowed: [0x80000] };
    expect(codecErrorOf(() => decode(kess3, short))).toMatchObject({ detail: 'obd', sizes });
  });

  test.each([
    ['shorter', 'FILE_TRUNCATED', (file: Uint8Array) => file.subarray(0, -1), -1],
    [
      'longer',
      'UNEXPECTED_TRAILING_DATA',
      (file: Uint8Array) => Buffer.concat([file, Buffer.of(0)]),
      1,
    ],
  ] as const)(
    'reports both sizes if its size is %s than its header declares',
    (_, internalCode, make, by) => {
      const file = seal(kess3, partsOf(kess3, ['obd']));
      const sizes = { actual: file.length + by, allowed: [file.length] };
      expect(codecErrorOf(() => decode(kess3, make(file)))).toMatchObject({ internalCode, sizes });
    },
  );

  test('reports a missing required component, and can lack an optional one', () => {
    const whole = seal(ktag, partsOf(ktag, ktagParts));
    expect(decode(ktag, whole).components.map(({ name }) => name)).toEqual([...ktagParts]);
    const less = seal(ktag, partsOf(ktag, ['flash', 'eeprom']));
    expect(shown(ktag, () => decode(ktag, less))).toEqual([
      'COMPONENT_NOT_IN_PROTOCOL',
      'WRONG_IMPORT',
    ]);
    expect(codecErrorOf(() => decode(ktag, less)).detail).toBe('micro');
    expect(shown(ktag, () => decode(ktag, seal(ktag, [])))[0]).toBe('COMPONENT_NOT_IN_PROTOCOL');
  });

  test('reports a maps file for a protocol without maps files with a separate error', () => {
    const other: Read = { ...bench, protocolId: 3002 };
    const parts = partsOf(other, ['micro', 'eeprom']);
    const file = seal(other, [...parts, { name: 'mapfile', bytes: imageOf(3001, 'mapfile') }]);
    const fault = codecErrorOf(() => decode(other, file));
    expect([fault.internalCode, fault.detail]).toEqual(['COMPONENT_NOT_IN_PROTOCOL', 'mapfile']);
    expect(shown(other, () => decode(other, file), 'mapfile')[1]).toBe(
      'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
    );
  });

  test('reports a maps file that fits no image of its size', () => {
    const parts = partsOf(bench, ['flash', 'micro', 'eeprom']);
    const file = seal(bench, [...parts, { name: 'mapfile', bytes: noise(200) }]);
    expect(shown(bench, () => decode(bench, file))).toEqual([
      'MAP_FILE_ERROR',
      'KESS3_MAPS_FILE_PROCESSING_ERROR',
    ]);
  });

  test('reports an ECU that the protocol does not know, in every family', () => {
    const strange = (id: number, name: ComponentName): DeviceComponent => ({
      name,
      bytes: imageOf(id, name).map((byte) => byte ^ 0x20),
    });
    const file = seal(kessv2, [strange(1001, 'obd')]);
    expect(shown(kessv2, () => decode(kessv2, file))).toEqual([
      'ECU_NOT_RECOGNIZED',
      'ECU_NOT_RECOGNIZED',
    ]);
    const other = seal(kess3, [strange(1001, 'obd')]);
    expect(shown(kess3, () => decode(kess3, other))).toEqual([
      'ECU_NOT_RECOGNIZED',
      'KESS3_INFO_RETRIEVAL_ERROR',
    ]);
    const parts = partsOf(ktag, ['micro', 'eeprom']);
    const backup = seal(ktag, [strange(2001, 'flash'), ...parts]);
    expect(shown(ktag, () => decode(ktag, backup))).toEqual([
      'ECU_NOT_RECOGNIZED',
      'ECU_NOT_RECOGNIZED',
    ]);
  });

  test('is refused with wrong checksums and names the rules; KESS3 can decode it anyway', () => {
    const tuned = { name: 'micro', bytes: tuneOf(2001, 'micro') } as const;
    const backup = seal(ktag, [...partsOf(ktag, ['flash', 'eeprom']), tuned]);
    for (const skip of [false, true]) {
      expect(shown(ktag, () => decode(ktag, backup, skip))).toEqual([
        'READ_CHECKSUM_ERROR',
        'CHECKSUM_ERROR',
      ]);
    }
    expect(codecErrorOf(() => decode(ktag, backup)).detail).toMatch(/^MICRO-/);
    const file = seal(kess3, [{ name: 'obd', bytes: tuneOf(1001, 'obd') }]);
    expect(shown(kess3, () => decode(kess3, file))).toEqual([
      'READ_CHECKSUM_ERROR',
      'KESS3_CHECKSUM_ERROR',
    ]);
    const decoded = decode(kess3, file, true);
    expect(decoded.warnings).toEqual(['KESS3_DECODED_WITH_CHECKSUM_ERROR']);
    expect(panelOf(kess3, decoded)['Cks']).toBe('KO');
    expect(decoded.checksums.some(({ state }) => state === 'mismatch')).toBe(true);
  });
});

describe('the information panel', () => {
  // promise 3.decode.ktag-information
  test('has K-TAG’s labels, verbatim', () => {
    const information = panelOf(ktag, decode(ktag, seal(ktag, partsOf(ktag, ktagParts))));
    expect(Object.keys(information)).toEqual([
      'PRT',
      'FAMILY',
      'SN',
      'HW',
      'SW',
      'SW upd',
      'Spare',
      'Impianto',
      'Engine',
      'VIN',
    ]);
    expect(information).toMatchObject({
      PRT: '2001 REF-KTAG-FULL',
      FAMILY: 'REF ECU 2001',
      SN: 'KTG-000007',
    });
    expect(information['HW']).toMatch(/^REF-HW-2001-/);
  });

  // promise 3.decode.kess3-information
  test('has KESS3’s labels, verbatim, and leaves the slave’s owner to the portal', () => {
    const information = panelOf(kess3, decode(kess3, seal(kess3, partsOf(kess3, ['obd']))));
    expect(Object.keys(information)).toEqual([
      'Mode',
      'Cks',
      'Protocol',
      'Family',
      'HW',
      'HW Ver.',
      'SW',
      'SW Ver.',
      'SW upg.',
      'Spare',
      'System',
      'VIN',
      'Engine',
      'Recognized',
      'SN',
      'Customer Code',
      'Group Code',
    ]);
    expect(information).toMatchObject({
      Mode: 'OBD',
      Cks: 'OK',
      Recognized: 'OK',
      Protocol: '1001 REF-OBD-512K',
      Family: 'REF ECU 1001',
      'Customer Code': null,
    });
    const backup = decode(bench, seal(bench, partsOf(bench, benchParts)));
    expect(panelOf(bench, backup)['Mode']).toBe('BootBench');
    const open: Read = { ...kess3, protocolId: 9000 };
    const plain = decode(open, seal(open, [{ name: 'obd', bytes: noise(2000) }]));
    expect(panelOf(open, plain)).toMatchObject({ Cks: null, Recognized: null, Family: null });
  });

  test('shows the family that the slave reports instead of the protocol’s', () => {
    const named = seal(kess3, partsOf(kess3, ['obd']), { information: { family: 'REF ECU X' } });
    expect(decode(kess3, named).information.family).toBe('REF ECU X');
  });
});

describe('Virtual Reading', () => {
  const virtual: Read = { ...kessv2, protocolId: 1002 };
  const information = { hardware: 'REF-HW-1002-A', software: 'SW-1' };
  const only = { identificationOnly: true, information };

  test('an identification-only read returns what to search for, and has no image', () => {
    const decoded = decode(virtual, seal(virtual, [], only));
    expect(decoded).toMatchObject({
      components: [],
      isImageMissing: true,
      // those of the missing image
      checksumRules: 5,
      virtualReading: { protocolId: 1002, hardware: 'REF-HW-1002-A', software: 'SW-1' },
    });
    expect(decoded.information).toMatchObject(information);
    const unsaid = seal(virtual, [], { ...only, information: {} });
    expect(decode(virtual, unsaid)).toMatchObject({ isImageMissing: true, virtualReading: null });
  });

  test.each([kessv2, kess3, bench])(
    'is not possible if the protocol does not allow it: %o',
    (read) => {
      const [code, name] = shown(read, () => decode(read, seal(read, [], only)));
      expect(code).toBe('VR_UNSUPPORTED');
      expect(name).toBe(
        read.family === 'kessv2'
          ? 'VIRTUAL_READING_LOOKUP_ERROR'
          : 'KESS3_VIRTUAL_READING_NOT_SUPPORTED',
      );
    },
  );

  test('an encode needs the original of this ECU, and writes the tune', () => {
    const original = imageOf(1002, 'obd');
    const tuned = tuneOf(1002, 'obd');
    const { information: found } = decode(virtual, seal(virtual, partsOf(virtual, ['obd'])));
    const numbers = { hardware: found.hardware ?? '', software: found.software ?? '' };
    const file = seal(virtual, [], { identificationOnly: true, information: numbers });
    const modified = [{ name: 'obd', bytes: tuned }] as const;
    const incompatible = 'FILE_NOT_COMPATIBLE_WITH_READ_FILE';
    expect(shown(virtual, () => encode(virtual, file, { modified }))).toEqual([
      'ORI_MISSING',
      incompatible,
    ]);
    const encoded = encode(virtual, file, { modified, original, willCorrectCVN: true });
    const { components } = acceptEncoded({ ...slaveOf('kessv2'), file: encoded.sealed.whole() });
    expect(components.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['obd', original.length],
    ]);
    const other = imageOf(1002, 'obd', 9);
    expect(shown(virtual, () => encode(virtual, file, { modified, original: other }))).toEqual([
      'ORI_MISMATCH',
      incompatible,
    ]);
    const unlike = seal(virtual, [], {
      identificationOnly: true,
      information: { ...numbers, software: 'X' },
    });
    const run = (isOriginalFromLibrary: boolean) => () =>
      encode(virtual, unlike, { modified, original, isOriginalFromLibrary });
    expect(shown(virtual, run(false))).toEqual(['ORI_MISMATCH', incompatible]);
    expect(run(true)().components).toHaveLength(1);
    expect(
      codecErrorOf(() =>
        getCodec('kessv2').checkOriginal({
          protocolId: 1002,
          mode: 'obd',
          decoded: null,
          identification: { ...numbers, software: 'X' },
          original,
        }),
      ).internalCode,
    ).toBe('ORI_MISMATCH');
  });
});
