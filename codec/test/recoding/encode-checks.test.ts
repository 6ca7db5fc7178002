/** The checks of modified and original files, the utility, and what a slave accepts. */

import type { ComponentName } from '@recodery/contract/families/family';
import { describe, expect, test } from 'vitest';
import { getCodec } from '../../src/families/registry.ts';
import { acceptEncoded } from '../../src/simulator/slave.ts';
import type { DeviceComponent } from '../../src/simulator/slave.ts';
import {
  bench,
  benchParts,
  codecErrorOf,
  decode,
  encode,
  imageOf,
  kess3,
  kessv2,
  ktag,
  ktagParts,
  packed,
  partsOf,
  seal,
  shown,
  tuneOf,
} from '../reads.ts';
import type { Read } from '../reads.ts';
import { noise, slaveOf } from '../slaves.ts';

describe('a rule that needs the original', () => {
  const read: Read = { ...kess3, protocolId: 1003 };
  const modified = [{ name: 'obd', bytes: tuneOf(1003, 'obd') }] as const;

  test('is reported by the decode, and an encode without the original is refused', () => {
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

  test('is refused with both sizes if its size or the size of the original is wrong', () => {
    const place = { protocolId: 1001, mode: 'obd', decoded: imageOf(1001, 'obd') } as const;
    const short = tuneOf(1001, 'obd').subarray(16);
    const sizes = { actual: 0x7fff0, allowed: [0x80000] };
    const { checkModified, checkOriginal } = getCodec('kess3');
    expect(
      codecErrorOf(() => checkModified({ ...place, component: 'obd', modified: short })),
    ).toMatchObject({ internalCode: 'MOD_WRONG_SIZE', sizes });
    expect(
      codecErrorOf(() => checkOriginal({ ...place, identification: null, original: short })),
    ).toMatchObject({ internalCode: 'ORI_MISMATCH', sizes });
    const other = imageOf(1001, 'obd', 7);
    expect(
      codecErrorOf(() => checkOriginal({ ...place, identification: null, original: other })),
    ).toMatchObject({ internalCode: 'ORI_MISMATCH', sizes: null });
  });

  test('is refused with an error for its mode if its size or ident is wrong', () => {
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

  test("two modified components are written together with the backup's, and a removed one is not", () => {
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
    const { header } = acceptEncoded({ ...slaveOf('ktag'), file: kept.sealed.whole() });
    expect(header.kind).toBe('encoded-backup');
    expect(
      kept.checksums.every(({ component, state }) => component === 'flash' && state === 'ok'),
    ).toBe(true);
  });

  test('an optional component that was not in the read is added', () => {
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

  test('must fit the flash if it is a maps file, when it is uploaded and when it is encoded', () => {
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

  test('cannot be corrected if it breaks a signature or a rule’s table', () => {
    const signed: Read = { ...kess3, protocolId: 1006 };
    const file = seal(signed, partsOf(signed, ['obd']));
    const bytes = imageOf(1006, 'obd').map((byte, at) => (at === 0x1000 ? byte ^ 1 : byte));
    const run = (): unknown => encode(signed, file, { modified: [{ name: 'obd', bytes }] });
    expect(shown(signed, run)).toEqual(['CHECKSUM_UNCORRECTABLE', 'KESS3_CHECKSUM_ERROR']);
    expect(codecErrorOf(run).detail).toContain('SIGNATURE');
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
    const { header } = acceptEncoded({ ...slaveOf('kess3'), file: compacted.sealed.whole() });
    expect(header.kind).toBe('utility-backup');
    // A removed component is missing on purpose, although the protocol requires it in a slave's own backup.
    expect(decode(packed, compacted.sealed.whole()).components.map(({ name }) => name)).toEqual([
      'flash',
      'micro',
      'mapfile',
    ]);
    const less = seal(packed, partsOf(packed, ['flash', 'micro']));
    expect(shown(packed, () => decode(packed, less))[0]).toBe('COMPONENT_NOT_IN_PROTOCOL');
    const again = encode(packed, file, { modified });
    const decoded = decode(packed, again.sealed.whole());
    expect(decoded.components.map(({ name }) => name)).toEqual([...benchParts]);
    expect(decoded.information.vin).toBe('VIN-1');
  });

  test('refuses a read, and recoding refuses a packed backup', () => {
    const read = seal(bench, partsOf(bench, benchParts));
    const backup = seal(packed, partsOf(packed, benchParts));
    const notRecognized = ['WRONG_FILE_KIND', 'KESS3_FILE_NOT_RECOGNIZED'];
    expect(shown(packed, () => decode(packed, read))).toEqual(notRecognized);
    expect(shown(bench, () => decode(bench, backup))).toEqual(notRecognized);
  });
});

describe('the slave', () => {
  const open: Read = { ...kessv2, protocolId: 9000 };
  const read = seal(open, [{ name: 'obd', bytes: noise(1500) }]);
  const modified = [{ name: 'obd', bytes: noise(1500, 2) }] as const;
  const file = encode(open, read, { modified }).sealed.whole();
  const slave = slaveOf('kessv2');
  const codeOf = (otherwise: Partial<Parameters<typeof acceptEncoded>[0]>): string =>
    codecErrorOf(() => acceptEncoded({ ...slave, file, ...otherwise })).internalCode;

  test('accepts its own file, even twice', () => {
    expect(acceptEncoded({ ...slave, file }).components).toEqual(
      acceptEncoded({ ...slave, file: Buffer.from(file) }).components,
    );
  });

  test('refuses a read, and files for another family, master, slave or key', () => {
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
