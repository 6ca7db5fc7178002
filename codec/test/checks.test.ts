/** The checks that need a protocol's images: reads, modified and original files, and what each family calls the fault. */

import type { ComponentName, Family, Mode } from '@recodery/contract/families';
import { describe, expect, test } from 'vitest';
import type { EncodeInput, Encoded } from '../src/codec.ts';
import { getCodec } from '../src/codecs.ts';
import { acceptEncoded } from '../src/device.ts';
import type { DeviceComponent, ReadToSeal } from '../src/device.ts';
import { CodecError, errorNameOf } from '../src/errors.ts';
import { generateImage, tuneImage } from '../src/images.ts';
import { findProtocol } from '../src/protocols.ts';
import type { Protocol } from '../src/protocol-shape.ts';
import { noise, otherSalt, sealedRead, slaveOf } from './slaves.ts';

function protocolOf(id: number): Protocol {
  const protocol = findProtocol(id);
  if (protocol === null) {
    throw new Error(`protocol ${id} is not here`);
  }
  return protocol;
}

const made = new Map<string, Uint8Array>();

/** A generated image; the same one for the same seed. */
function imageOf(id: number, name: ComponentName, seed = 1): Uint8Array {
  const key = `${id} ${name} ${seed}`;
  const image = made.get(key) ?? generateImage(protocolOf(id), name, seed);
  made.set(key, image);
  return image;
}

function tuneOf(id: number, name: ComponentName): Uint8Array {
  return tuneImage(protocolOf(id), name, imageOf(id, name), 2);
}

interface Read {
  family: Family;
  protocolId: number;
  mode: Mode;
  utility?: boolean;
}

function partsOf({ protocolId }: Read, names: readonly ComponentName[]): DeviceComponent[] {
  return names.map((name) => ({ name, bytes: imageOf(protocolId, name) }));
}

function seal(
  read: Read,
  components: readonly DeviceComponent[],
  otherwise: Partial<ReadToSeal> = {},
): Uint8Array {
  return sealedRead(read.family, components, {
    protocolId: read.protocolId,
    mode: read.mode,
    utility: read.utility === true,
    information: {},
    ...otherwise,
  });
}

function decode(
  read: Read,
  file: Uint8Array,
  skipChecksum = false,
): ReturnType<ReturnType<typeof getCodec>['decode']> {
  const { pairKey } = slaveOf(read.family);
  return getCodec(read.family).decode({
    file,
    pairKey,
    utility: read.utility === true,
    skipChecksum,
  });
}

function encode(read: Read, file: Uint8Array, otherwise: Partial<EncodeInput>): Encoded {
  return getCodec(read.family).encode({
    file,
    pairKey: slaveOf(read.family).pairKey,
    utility: read.utility === true,
    modified: [],
    original: null,
    removed: [],
    willCorrectCVN: false,
    willSkipChecksum: false,
    fileSalt: otherSalt,
    number: 1,
    ...otherwise,
  });
}

function faultOf(run: () => unknown): CodecError {
  try {
    run();
  } catch (error) {
    if (error instanceof CodecError) {
      return error;
    }
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The fault as code and name, as the page of this read shows it. */
function shown(
  read: Read,
  run: () => unknown,
  component: ComponentName | null = null,
): [string, string] {
  const { internalCode } = faultOf(run);
  const place = { family: read.family, mode: read.mode, utility: read.utility === true, component };
  return [internalCode, errorNameOf(internalCode, place)];
}

const kessv2: Read = { family: 'kessv2', protocolId: 1001, mode: 'obd' };
const kess3: Read = { family: 'kess3', protocolId: 1001, mode: 'obd' };
const ktag: Read = { family: 'ktag', protocolId: 2001, mode: 'bootbench' };
const bench: Read = { family: 'kess3', protocolId: 3001, mode: 'bootbench' };
const packed: Read = { ...bench, utility: true };
const ktagParts = ['flash', 'micro', 'eeprom'] as const;
const benchParts = ['flash', 'micro', 'eeprom', 'mapfile'] as const;

describe('a read', () => {
  test('of a protocol that another family or mode uses is of an unknown protocol', () => {
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
    expect(faultOf(() => decode(wrongMode, other)).detail).toBe('1001');
  });

  test('of another size than the protocol’s says so', () => {
    const short = seal(kess3, [{ name: 'obd', bytes: imageOf(1001, 'obd').subarray(1) }]);
    expect(shown(kess3, () => decode(kess3, short))).toEqual([
      'UNEXPECTED_SIZE',
      'KESS3_COMPONENT_READ_ERROR',
    ]);
    expect(faultOf(() => decode(kess3, short)).detail).toBe('obd');
  });

  test('without a required component says so, and may be without an optional one', () => {
    const whole = seal(ktag, partsOf(ktag, ktagParts));
    expect(decode(ktag, whole).components.map(({ name }) => name)).toEqual([...ktagParts]);
    const less = seal(ktag, partsOf(ktag, ['flash', 'eeprom']));
    expect(shown(ktag, () => decode(ktag, less))).toEqual([
      'COMPONENT_NOT_IN_PROTOCOL',
      'WRONG_IMPORT',
    ]);
    expect(faultOf(() => decode(ktag, less)).detail).toBe('micro');
    expect(shown(ktag, () => decode(ktag, seal(ktag, [])))[0]).toBe('COMPONENT_NOT_IN_PROTOCOL');
  });

  test('with a map file of a protocol that has none says so in its own words', () => {
    const other: Read = { ...bench, protocolId: 3002 };
    const parts = partsOf(other, ['micro', 'eeprom']);
    const file = seal(other, [...parts, { name: 'mapfile', bytes: imageOf(3001, 'mapfile') }]);
    const fault = faultOf(() => decode(other, file));
    expect([fault.internalCode, fault.detail]).toEqual(['COMPONENT_NOT_IN_PROTOCOL', 'mapfile']);
    expect(shown(other, () => decode(other, file), 'mapfile')[1]).toBe(
      'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
    );
  });

  test('with a map file that fits no image of its size says so', () => {
    const parts = partsOf(bench, ['flash', 'micro', 'eeprom']);
    const file = seal(bench, [...parts, { name: 'mapfile', bytes: noise(200) }]);
    expect(shown(bench, () => decode(bench, file))).toEqual([
      'MAP_FILE_ERROR',
      'KESS3_MAPS_FILE_PROCESSING_ERROR',
    ]);
  });

  test('of no ECU of the protocol says so in every family', () => {
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

  test('with wrong checksums is refused with the rules’ names; KESS3 may be told to decode it all the same', () => {
    const tuned = { name: 'micro', bytes: tuneOf(2001, 'micro') } as const;
    const backup = seal(ktag, [...partsOf(ktag, ['flash', 'eeprom']), tuned]);
    for (const skip of [false, true]) {
      expect(shown(ktag, () => decode(ktag, backup, skip))).toEqual([
        'READ_CHECKSUM_ERROR',
        'CHECKSUM_ERROR',
      ]);
    }
    expect(faultOf(() => decode(ktag, backup)).detail).toMatch(/^MICRO-/);
    const file = seal(kess3, [{ name: 'obd', bytes: tuneOf(1001, 'obd') }]);
    expect(shown(kess3, () => decode(kess3, file))).toEqual([
      'READ_CHECKSUM_ERROR',
      'KESS3_CHECKSUM_ERROR',
    ]);
    const decoded = decode(kess3, file, true);
    expect(decoded.warnings).toEqual(['KESS3_DECODED_WITH_CHECKSUM_ERROR']);
    expect(decoded.information.Cks).toBe('KO');
    expect(decoded.checksums.some(({ state }) => state === 'mismatch')).toBe(true);
  });
});

describe('the information panel', () => {
  test('has K-TAG’s labels, to the letter', () => {
    const { information } = decode(ktag, seal(ktag, partsOf(ktag, ktagParts)));
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
    expect(information).toMatchObject({ PRT: '2001 REF-KTAG-FULL', SN: 'KTG-000007' });
    expect(information.HW).toMatch(/^REF-HW-2001-/);
  });

  test('has KESS3’s labels, to the letter, and leaves to the portal whose the slave is', () => {
    const { information } = decode(kess3, seal(kess3, partsOf(kess3, ['obd'])));
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
      'Customer Code': null,
    });
    const backup = decode(bench, seal(bench, partsOf(bench, benchParts)));
    expect(backup.information.Mode).toBe('BootBench');
    const open: Read = { ...kess3, protocolId: 9000 };
    const plain = decode(open, seal(open, [{ name: 'obd', bytes: noise(2000) }]));
    expect(plain.information).toMatchObject({ Cks: null, Recognized: null });
  });
});

describe('Virtual Reading', () => {
  const virtual: Read = { ...kessv2, protocolId: 1002 };
  const information = { hardware: 'REF-HW-1002-A', software: 'SW-1' };
  const only = { identificationOnly: true, information };

  test('an identification-only read says what to look for, and lacks the image', () => {
    const decoded = decode(virtual, seal(virtual, [], only));
    expect(decoded).toMatchObject({
      components: [],
      isImageMissing: true,
      virtualReading: { protocolId: 1002, hardware: 'REF-HW-1002-A', software: 'SW-1' },
    });
    expect(decoded.information).toMatchObject(information);
    const unsaid = seal(virtual, [], { ...only, information: {} });
    expect(decode(virtual, unsaid)).toMatchObject({ isImageMissing: true, virtualReading: null });
  });

  test.each([kessv2, kess3, bench])(
    'is not possible where the protocol does not say so: %o',
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

  test('an encode needs the original, of this ECU, and writes the tune', () => {
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
    const { components } = acceptEncoded({ ...slaveOf('kessv2'), file: encoded.file });
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
      faultOf(() =>
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

describe('a rule that needs the original', () => {
  const read: Read = { ...kess3, protocolId: 1003 };
  const modified = [{ name: 'obd', bytes: tuneOf(1003, 'obd') }] as const;

  test('is announced by the decode, and refused without it', () => {
    const file = seal(read, partsOf(read, ['obd']));
    expect(decode(read, file).isChecksumCorrectionNeeded).toBe(true);
    expect(shown(read, () => encode(read, file, { modified }))).toEqual([
      'ORI_MISSING',
      'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
    ]);
    const { checksums } = encode(read, file, { modified, original: imageOf(1003, 'obd') });
    expect(checksums.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
    expect(encode(read, file, { modified, willSkipChecksum: true }).checksums).toEqual([]);
  });
});

describe('a modified component', () => {
  const tuned = (read: Read, name: ComponentName): DeviceComponent => ({
    name,
    bytes: tuneOf(read.protocolId, name),
  });

  test('of another size or ident is named by mode', () => {
    const file = seal(bench, partsOf(bench, benchParts));
    const short = { name: 'micro', bytes: imageOf(3001, 'micro').subarray(16) } as const;
    const other = { name: 'flash', bytes: imageOf(3001, 'flash', 7) } as const;
    const component = 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT';
    expect(shown(bench, () => encode(bench, file, { modified: [short] }))).toEqual([
      'MOD_WRONG_SIZE',
      component,
    ]);
    expect(shown(bench, () => encode(bench, file, { modified: [other] }))).toEqual([
      'MOD_IDENT_MISMATCH',
      component,
    ]);
    const obd = seal(kess3, partsOf(kess3, ['obd']));
    const wrong = { name: 'obd', bytes: imageOf(1001, 'obd', 7) } as const;
    expect(shown(kess3, () => encode(kess3, obd, { modified: [wrong] }))).toEqual([
      'MOD_IDENT_MISMATCH',
      'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
    ]);
  });

  test('two of them are written beside what the backup has, and a removed one is not', () => {
    const file = seal(ktag, partsOf(ktag, ktagParts));
    const encoded = encode(ktag, file, {
      modified: [tuned(ktag, 'flash'), tuned(ktag, 'micro')],
      removed: ['eeprom'],
    });
    expect(encoded.components.map(({ name, source }) => [name, source])).toEqual([
      ['flash', 'modified'],
      ['micro', 'modified'],
    ]);
    const kept = encode(ktag, file, { modified: [tuned(ktag, 'flash')] });
    expect(kept.components.map(({ name, source }) => [name, source])).toEqual([
      ['flash', 'modified'],
      ['micro', 'backup'],
      ['eeprom', 'backup'],
    ]);
    const { header } = acceptEncoded({ ...slaveOf('ktag'), file: kept.file });
    expect(header.kind).toBe('encoded-backup');
    expect(
      kept.checksums.every(({ component, state }) => component === 'flash' && state === 'ok'),
    ).toBe(true);
  });

  test('an optional one that the read did not hold is added', () => {
    const file = seal(ktag, partsOf(ktag, ktagParts));
    const added = { name: 'tuningfile', bytes: noise(500) } as const;
    const encoded = encode(ktag, file, { modified: [added] });
    expect(encoded.components.at(-1)).toMatchObject({
      name: 'tuningfile',
      size: 500,
      source: 'modified',
    });
    const tiny = { name: 'tuningfile', bytes: noise(3) } as const;
    expect(shown(ktag, () => encode(ktag, file, { modified: [tiny] }))).toEqual([
      'MOD_WRONG_SIZE',
      'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
    ]);
  });

  test('a map file must fit the flash, when it is uploaded and when it is encoded', () => {
    const check = (modified: Uint8Array): void =>
      getCodec('kess3').checkModified({
        protocolId: 3001,
        mode: 'bootbench',
        component: 'mapfile',
        decoded: imageOf(3001, 'mapfile'),
        modified,
      });
    const processing = ['MAP_FILE_ERROR', 'KESS3_MAPS_FILE_PROCESSING_ERROR'];
    check(imageOf(3001, 'mapfile'));
    expect(shown(bench, () => check(noise(200)))).toEqual(processing);
    const file = seal(bench, partsOf(bench, benchParts));
    const modified = [{ name: 'mapfile', bytes: noise(200) }] as const;
    expect(shown(bench, () => encode(bench, file, { modified }))).toEqual(processing);
  });

  test('that breaks a signature, or a rule’s table, cannot be corrected', () => {
    const signed: Read = { ...kess3, protocolId: 1006 };
    const file = seal(signed, partsOf(signed, ['obd']));
    const bytes = imageOf(1006, 'obd').map((byte, at) => (at === 0x1000 ? byte ^ 1 : byte));
    const run = (): unknown => encode(signed, file, { modified: [{ name: 'obd', bytes }] });
    expect(shown(signed, run)).toEqual(['CHECKSUM_UNCORRECTABLE', 'KESS3_CHECKSUM_ERROR']);
    expect(faultOf(run).detail).toContain('SIGNATURE');
    const tables: Read = { ...kessv2, protocolId: 1004 };
    const read = seal(tables, partsOf(tables, ['obd']));
    const broken = imageOf(1004, 'obd').slice().fill(0xee, 0x168104, 0x168110);
    expect(
      shown(tables, () => encode(tables, read, { modified: [{ name: 'obd', bytes: broken }] })),
    ).toEqual(['CHECKSUM_UNCORRECTABLE', 'CHECKSUM_ERROR']);
  });
});

describe('the utility', () => {
  test('unpacks, compacts and unpacks again', () => {
    const file = seal(packed, partsOf(packed, benchParts), { information: { vin: 'VIN-1' } });
    const modified = [{ name: 'micro', bytes: tuneOf(3001, 'micro') }] as const;
    const compacted = encode(packed, file, { modified, removed: ['eeprom'] });
    const { header } = acceptEncoded({ ...slaveOf('kess3'), file: compacted.file });
    expect(header.kind).toBe('utility-backup');
    // What was removed is missing by intention, though the protocol requires it of a slave's own backup.
    expect(decode(packed, compacted.file).components.map(({ name }) => name)).toEqual([
      'flash',
      'micro',
      'mapfile',
    ]);
    const less = seal(packed, partsOf(packed, ['flash', 'micro']));
    expect(shown(packed, () => decode(packed, less))[0]).toBe('COMPONENT_NOT_IN_PROTOCOL');
    const again = encode(packed, file, { modified });
    const decoded = decode(packed, again.file);
    expect(decoded.components.map(({ name }) => name)).toEqual([...benchParts]);
    expect(decoded.information.VIN).toBe('VIN-1');
  });

  test('takes no read, and recoding takes no packed backup', () => {
    const read = seal(bench, partsOf(bench, benchParts));
    const backup = seal(packed, partsOf(packed, benchParts));
    const notRecognised = ['WRONG_FILE_KIND', 'KESS3_FILE_NOT_RECOGNIZED'];
    expect(shown(packed, () => decode(packed, read))).toEqual(notRecognised);
    expect(shown(bench, () => decode(bench, backup))).toEqual(notRecognised);
  });
});

describe('the slave', () => {
  const open: Read = { ...kessv2, protocolId: 9000 };
  const read = seal(open, [{ name: 'obd', bytes: noise(1500) }]);
  const modified = [{ name: 'obd', bytes: noise(1500, 2) }] as const;
  const { file } = encode(open, read, { modified });
  const slave = slaveOf('kessv2');
  const codeOf = (otherwise: Partial<Parameters<typeof acceptEncoded>[0]>): string =>
    faultOf(() => acceptEncoded({ ...slave, file, ...otherwise })).internalCode;

  test('takes its own file, twice if need be', () => {
    expect(acceptEncoded({ ...slave, file }).components).toEqual(
      acceptEncoded({ ...slave, file: Buffer.from(file) }).components,
    );
  });

  test('refuses a read, another family’s, another master’s, another slave’s and another key’s file', () => {
    expect(codeOf({ file: read })).toBe('WRONG_FILE_KIND');
    expect(codeOf(slaveOf('kess3'))).toBe('WRONG_FAMILY_KESSV2');
    expect(codeOf({ masterSerial: 'KV2-M-0002' })).toBe('WRONG_MASTER_CODE');
    expect(codeOf({ slaveSerial: 'KV2-000008' })).toBe('TOOL_NOT_FOUND');
    expect(codeOf({ keyId: 2 })).toBe('AUTHENTICATION_FAILED');
    expect(codeOf({ pairKey: slaveOf('kessv2', 2).pairKey })).toBe('AUTHENTICATION_FAILED');
  });

  test('refuses a file with any one bit flipped', () => {
    for (let at = 0; at < file.length; at += 1) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      expect(codeOf({ file: damaged })).toMatch(/^[A-Z_]+$/);
    }
  });
});
