/** Complete containers: golden bytes, every kind of damage and its code, component tables, deflate. */

import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inspect } from '../../src/simulator/slave.ts';
import type { InternalCode } from '../../src/errors.ts';
import { kessv2 } from '../../src/families/kessv2.ts';
import { forge } from '../forge.ts';
import type { ForgedComponent, Forgery } from '../forge.ts';
import { noise, rising, sealedRead, slaveOf } from '../slaves.ts';

const { pairKey } = slaveOf('kessv2');

function outcomeOf(file: Uint8Array): string {
  return inspect(file, pairKey).outcome;
}

function decodeCode(file: Uint8Array): unknown {
  try {
    kessv2.decode({ file, pairKey, skipChecksum: false });
    return 'OK';
  } catch (error) {
    return error instanceof Error && 'internalCode' in error ? error.internalCode : error;
  }
}

test('a read is sealed to the golden bytes, and they can be opened again', () => {
  const image = rising(0, 256);
  const golden = readFileSync(new URL('../golden/kessv2-read.bin', import.meta.url));
  const sealed = sealedRead('kessv2', [{ name: 'obd', bytes: image }], {
    tool: 'simulator 1',
    time: '2026-11-21T09:00:00Z',
  });
  expect(Buffer.from(sealed).equals(golden)).toBe(true);
  expect(inspect(golden, pairKey)).toMatchObject({
    outcome: 'OK',
    header: { tool: 'simulator 1', time: '2026-11-21T09:00:00Z', keyId: 1 },
    components: [
      { type: 0x10, size: 63 },
      {
        type: 6,
        size: 256,
        sha256: '40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880',
      },
    ],
  });
});

/** The code for a damaged byte, by the part of the file that it is in. */
function codeOfFlip(at: number, bit: number, headerLength: number): InternalCode {
  if (at === 0 && bit === 7) {
    return 'FILE_CORRUPTED_TEXT_TRANSFER';
  }
  if (at < 8) {
    return 'FILE_NOT_RECOGNIZED';
  }
  if (at === 8) {
    return 'UNSUPPORTED_VERSION';
  }
  if (at < headerLength + 4) {
    return 'BAD_HEADER';
  }
  return at < headerLength + 36 ? 'AUTHENTICATION_FAILED' : 'FILE_CORRUPTED';
}

/** A flipped bit can make the header longer than the file, before its CRC can be located. */
function isLengthBeyondFile(damaged: Buffer): boolean {
  const length = damaged.readUInt32LE(16);
  return length >= 64 && length <= 65_536 && length + 36 > damaged.length;
}

function flipped(file: Uint8Array, at: number, bit: number): Buffer {
  const damaged = Buffer.from(file);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
  return damaged;
}

describe('damage', () => {
  const small = forge({ components: [{ type: 6, bytes: rising(0, 40) }] });
  const headerLength = small.readUInt32LE(16);

  // promise 5.files.checksum-size-corrupted, c.format.flipped
  test('every flipped bit of a small file results in the code of its area', () => {
    for (let at = 0; at < small.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damaged = flipped(small, at, bit);
        const isCutOff = at >= 16 && at < 20 && isLengthBeyondFile(damaged);
        const code = isCutOff ? 'FILE_TRUNCATED' : codeOfFlip(at, bit, headerLength);
        expect([at, bit, outcomeOf(damaged)]).toEqual([at, bit, code]);
      }
    }
  });

  // promise c.format.truncated
  test('every truncation of a small file is reported as one, and an empty file as empty', () => {
    for (let length = 0; length < small.length; length += 1) {
      const code = length === 0 ? 'FILE_EMPTY' : 'FILE_TRUNCATED';
      expect([length, outcomeOf(small.subarray(0, length))]).toEqual([length, code]);
    }
  });

  test('bytes after the end are reported as trailing data', () => {
    for (const more of [1, 16, 4096]) {
      const longer = Buffer.concat([small, Buffer.alloc(more)]);
      expect(outcomeOf(longer)).toBe('UNEXPECTED_TRAILING_DATA');
    }
  });

  test('a decode returns the same codes for all segments of a larger file', () => {
    const file = sealedRead('kessv2', [{ name: 'obd', bytes: noise(9000) }], { segmentLog2: 12 });
    const header = Buffer.from(file).readUInt32LE(16);
    expect(decodeCode(file)).toBe('OK');
    for (let at = 20; at < file.length; at += 7) {
      const bit = at % 8;
      expect([at, decodeCode(flipped(file, at, bit))]).toEqual([at, codeOfFlip(at, bit, header)]);
    }
    for (let length = 0; length < file.length; length += 97) {
      const code = length === 0 ? 'FILE_EMPTY' : 'FILE_TRUNCATED';
      expect([length, decodeCode(file.subarray(0, length))]).toEqual([length, code]);
    }
  });

  // promise c.format.segments
  test('refuses segments that are swapped, duplicated or from another file', () => {
    const bytes = noise(3 * 4096);
    const options = { segmentLog2: 12 };
    const file = Buffer.from(sealedRead('kessv2', [{ name: 'obd', bytes }], options));
    const other = sealedRead('kessv2', [{ name: 'obd', bytes }], {
      ...options,
      readId: rising(1, 16),
    });
    const first = file.readUInt32LE(16) + 36;
    const segment = 4096 + 16;
    const second = file.subarray(first + segment, first + 2 * segment);
    const swapped = Buffer.from(file);
    swapped.set(second, first);
    swapped.set(file.subarray(first, first + segment), first + segment);
    const doubled = Buffer.from(file);
    doubled.set(second, first);
    const mixed = Buffer.from(file);
    mixed.set(other.subarray(first, first + segment), first);
    expect([swapped, doubled, mixed].map(decodeCode)).toEqual(Array(3).fill('FILE_CORRUPTED'));
  });

  test('a different key, kind or family fails authentication', () => {
    expect(inspect(small, slaveOf('kessv2', 2).pairKey).outcome).toBe('AUTHENTICATION_FAILED');
    expect(outcomeOf(withForgedHeader({ kind: 3 }))).toBe('AUTHENTICATION_FAILED');
    expect(outcomeOf(withForgedHeader({ familyByte: 3 }))).toBe('AUTHENTICATION_FAILED');
    expect(outcomeOf(withForgedHeader({}))).toBe('OK');
  });
});

/** A read whose header was changed afterward, with a recalculated CRC: this is possible without the key. */
function withForgedHeader(forgery: Forgery): Buffer {
  const components = [{ type: 6, bytes: rising(0, 40) }];
  const read = forge({ components });
  const changed = forge({ ...forgery, components });
  const end = read.readUInt32LE(16) + 4;
  return Buffer.concat([changed.subarray(0, end), read.subarray(end)]);
}

describe('a component table', () => {
  const bytes = noise(200);
  const flash: ForgedComponent = { type: 1, bytes };
  test.each<[string, Forgery, InternalCode | 'OK']>([
    ['of stored components is read', { components: [flash, { type: 2, bytes }] }, 'OK'],
    ['without components is read', { infoBytes: null }, 'OK'],
    ['with unknown types is read', { components: [{ type: 0x7f, bytes }] }, 'OK'],
    [
      'with an unknown storage',
      { components: [{ ...flash, storage: 2, packed: bytes }] },
      'BAD_HEADER',
    ],
    ['with a flag set', { components: [{ ...flash, flags: 1 }] }, 'BAD_HEADER'],
    ['with a type twice', { components: [flash, flash] }, 'BAD_HEADER'],
    ['of more than the payload contains', { components: [{ ...flash, size: 201n }] }, 'BAD_HEADER'],
    ['of less than the payload contains', { components: [{ ...flash, size: 199n }] }, 'BAD_HEADER'],
    [
      'with a wrong CRC of a component',
      { components: [{ ...flash, crc: 1 }] },
      'COMPONENT_DIGEST_MISMATCH',
    ],
    [
      'with a wrong SHA-256 of a component',
      { components: [{ ...flash, sha256: Buffer.alloc(32) }] },
      'COMPONENT_DIGEST_MISMATCH',
    ],
  ])('%s', (_, forgery, code) => {
    expect(outcomeOf(forge(forgery))).toBe(code);
  });
});

describe('deflate', () => {
  const bytes = Buffer.alloc(5000, 'calibration ');
  const deflated: ForgedComponent = { type: 1, bytes, storage: 1 };
  const packed = deflateRawSync(bytes);
  const digest = 'COMPONENT_DIGEST_MISMATCH';
  test.each<[string, readonly ForgedComponent[], InternalCode | 'OK']>([
    ['of one component', [deflated], 'OK'],
    ['between stored components', [{ type: 2, bytes }, deflated, { type: 3, bytes }], 'OK'],
    ['of two components in a row', [deflated, { ...deflated, type: 2 }], 'OK'],
    ['of nothing', [{ type: 1, bytes: Buffer.alloc(0), storage: 1 }], 'OK'],
    ['to more than declared', [{ ...deflated, size: 4999n }], digest],
    ['to less than declared', [{ ...deflated, size: 5001n }], digest],
    ['that is truncated', [{ ...deflated, packed: packed.subarray(0, -4) }], digest],
    ['that is invalid', [{ ...deflated, packed: Buffer.alloc(64, 0xff) }], digest],
    ['with bytes after it', [{ ...deflated, packed: Buffer.concat([packed, bytes]) }], digest],
    ['without any bytes', [{ ...deflated, packed: Buffer.alloc(0) }], 'BAD_HEADER'],
  ])('%s', (_, components, code) => {
    expect(outcomeOf(forge({ components }))).toBe(code);
  });

  // promise c.format.bomb
  test('stops a decompression bomb at the declared size', () => {
    const bomb = deflateRawSync(Buffer.alloc(48 * 1024 * 1024));
    const file = forge({ components: [{ ...deflated, packed: bomb }] });
    const before = process.memoryUsage().arrayBuffers;
    expect(outcomeOf(file)).toBe(digest);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('INFO', () => {
  test.each<[string, Uint8Array | null, InternalCode | 'OK']>([
    ['with unknown keys', Buffer.from('{"future":[1,{"a":2}]}'), 'OK'],
    ['of 16 KiB', Buffer.from(`{"a":"${'x'.repeat(16 * 1024 - 8)}"}`), 'OK'],
    ['above 16 KiB', Buffer.from(`{"a":"${'x'.repeat(16 * 1024 - 7)}"}`), 'INFO_ERROR'],
    ['of no bytes', Buffer.alloc(0), 'INFO_ERROR'],
    ['that is not JSON', Buffer.from('{vin:1}'), 'INFO_ERROR'],
    ['that is an array', Buffer.from('[]'), 'INFO_ERROR'],
    ['that is null', Buffer.from('null'), 'INFO_ERROR'],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'INFO_ERROR'],
    ['that is nested too deeply', Buffer.from('['.repeat(16_000)), 'INFO_ERROR'],
  ])('%s', (_, infoBytes, code) => {
    expect(outcomeOf(forge({ infoBytes }))).toBe(code);
  });
});

test('opens segments of every size from 4 KiB to 1 MiB, at lengths around their boundaries', () => {
  for (let segmentLog2 = 12; segmentLog2 <= 20; segmentLog2 += 1) {
    for (const around of [-1, 0, 1]) {
      const infoLength = 63;
      const bytes = noise(2 ** segmentLog2 + around - infoLength);
      const file = sealedRead('kessv2', [{ name: 'obd', bytes }], { segmentLog2 });
      expect(outcomeOf(file)).toBe('OK');
      const segments = around > 0 ? 2 : 1;
      const { length } = file;
      const header = Buffer.from(file).readUInt32LE(16);
      expect(length - header - 36 - bytes.length - infoLength).toBe(16 * segments);
    }
  }
});
