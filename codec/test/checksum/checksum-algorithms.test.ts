/** CRCs, sums and XORs, compared with slow calculations from their definitions, and forced to a value. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crcOf, solveCrc } from '../../src/checksum/crc.ts';
import type { CrcAlgorithm, SumAlgorithm, XorAlgorithm } from '../../src/checksum/scheme.ts';
import { solveSum, sumOf, xorOf } from '../../src/checksum/sum.ts';
import * as catalog from '../../src/checksum/crc-catalog.ts';

const digits = new TextEncoder().encode('123456789');
const rising = Uint8Array.from({ length: 64 }, (_, index) => index);

/** The definition of a CRC, one bit at a time, to compare the fast implementation with. */
function crcBitByBit(algorithm: CrcAlgorithm, bytes: Uint8Array): number {
  const width = BigInt(algorithm.width);
  const top = 1n << (width - 1n);
  const mask = (1n << width) - 1n;
  const mirror = (value: bigint, bits: bigint): bigint => {
    let mirrored = 0n;
    for (let bit = 0n; bit < bits; bit += 1n) {
      mirrored = (mirrored << 1n) | ((value >> bit) & 1n);
    }
    return mirrored;
  };
  let register = BigInt(`0x${algorithm.init}`);
  for (const byte of bytes) {
    const next = algorithm.reflectIn ? mirror(BigInt(byte), 8n) : BigInt(byte);
    register ^= next << (width - 8n);
    for (let bit = 0; bit < 8; bit += 1) {
      const isOut = (register & top) !== 0n;
      register = ((register << 1n) ^ (isOut ? BigInt(`0x${algorithm.polynomial}`) : 0n)) & mask;
    }
  }
  const value = algorithm.reflectOut ? mirror(register, width) : register;
  return Number(value ^ BigInt(`0x${algorithm.xorOut}`));
}

const hexOf = (bits: 8 | 16 | 32): fc.Arbitrary<string> =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map((value) => value.toString(16));

const anyCrc: fc.Arbitrary<CrcAlgorithm> = fc.constantFrom(8, 16, 32).chain((width) =>
  fc.record({
    kind: fc.constant('crc'),
    width: fc.constant(width),
    polynomial: fc.oneof(hexOf(width), fc.constant('1')),
    init: hexOf(width),
    reflectIn: fc.boolean(),
    reflectOut: fc.boolean(),
    xorOut: hexOf(width),
  }),
);

/** Bytes at any alignment in memory, long enough for full steps of the fast loops. */
const anyBytes = fc
  .tuple(fc.uint8Array({ maxLength: 200, size: 'max' }), fc.nat(7))
  .map(([bytes, shift]) => {
    const shifted = new Uint8Array(bytes.length + shift);
    shifted.set(bytes, shift);
    return shifted.subarray(shift);
  });

describe('CRCs', () => {
  // promise c.checksums.crcs
  test.each([
    ['crc32IsoHdlc', 'cbf43926'],
    ['crc32Jamcrc', '340bc6d9'],
    ['crc32Mpeg2', '0376e6e7'],
    ['crc32Bzip2', 'fc891918'],
    ['crc32Autosar', '1697d06a'],
    ['crc32c', 'e3069283'],
    ['crc16Ibm3740', '29b1'],
    ['crc16Arc', 'bb3d'],
    ['crc16Modbus', '4b37'],
    ['crc8SaeJ1850', '4b'],
  ] as const)('%s of "123456789" has the check value %s', (name, check) => {
    expect(crcOf(catalog[name], [digits])).toBe(Number.parseInt(check, 16));
  });

  test('match the definition for any parameters, alignment and split', () => {
    fc.assert(
      fc.property(anyCrc, anyBytes, fc.nat(200), (algorithm, bytes, cut) => {
        const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
        expect(crcOf(algorithm, parts)).toBe(crcBitByBit(algorithm, bytes));
      }),
      { numRuns: 400 },
    );
  });

  // promise c.checksums.forced
  test('are forced to a value with the known bytes', () => {
    const force = (bytes: Uint8Array, at: number, target: number): string => {
      const change = (crcOf(catalog.crc32IsoHdlc, [bytes]) ^ target) >>> 0;
      const flips = solveCrc(catalog.crc32IsoHdlc, change, 4, bytes.length - at - 4);
      const solved = Array.from(flips ?? [], (flip, index) => flip ^ (bytes[at + index] ?? 0));
      return solved.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    };
    expect(force(rising, 32, 0x12345678)).toBe('03 c7 79 99');
    expect(force(new Uint8Array(256).fill(0xff), 0, 0xcafeaffe)).toBe('6c ac 8c 24');
  });

  test('can be forced to any value with 4 or 8 free bytes anywhere, for every algorithm in the catalog', () => {
    const algorithms = fc.constantFrom(...Object.values(catalog));
    const place = fc.tuple(
      anyBytes.filter(({ length }) => length > 8),
      fc.nat(),
      fc.constantFrom(4, 8),
    );
    fc.assert(
      fc.property(algorithms, place, fc.nat(), (algorithm, [bytes, offset, length], wanted) => {
        const target = wanted % 2 ** algorithm.width;
        const at = offset % (bytes.length - length);
        const change = (crcOf(algorithm, [bytes]) ^ target) >>> 0;
        const flips = solveCrc(algorithm, change, length, bytes.length - at - length);
        const forced = bytes.map((byte, index) => byte ^ (flips?.[index - at] ?? 0));
        expect(crcOf(algorithm, [forced])).toBe(target);
      }),
    );
  });

  test('report that they cannot be forced if the polynomial lacks its lowest bit and the position does not allow it', () => {
    // x^8 + x^7: the lowest bit of the register stays 0 for any input.
    const lame: CrcAlgorithm = {
      ...catalog.crc8SaeJ1850,
      polynomial: '80',
      init: '0',
      xorOut: '0',
    };
    expect(solveCrc(lame, 0x01, 2, 8)).toBeNull();
  });
});

const sum = (
  unit: 1 | 2 | 4,
  order: 'le' | 'be',
  width: 16 | 32 | 64,
  start = '0',
): SumAlgorithm => ({
  kind: 'sum',
  unit,
  order,
  width,
  start,
});

/** The units of bytes, by the definition. */
function unitsOf(bytes: Uint8Array, unit: 1 | 2 | 4, order: 'le' | 'be'): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const read = { 1: view.getUint8, 2: view.getUint16, 4: view.getUint32 }[unit];
  return Array.from({ length: bytes.length / unit }, (_, index) =>
    BigInt(read.call(view, index * unit, order === 'le')),
  );
}

describe('sums and XORs', () => {
  // promise c.checksums.sums
  test.each([
    [1, 'le', 0x7e0n],
    [2, 'le', 0x403e0n],
    [4, 'le', 0x1201f1e0n],
    [4, 'be', 0xe1f20210n],
  ] as const)(
    'the sum of the bytes 0..63 in units of %i %s has the known value',
    (unit, order, known) => {
      expect(sumOf(sum(unit, order, 32), [rising])).toBe(known & 0xffffffffn);
      expect(sumOf(sum(unit, order, 16), [rising])).toBe(known & 0xffffn);
    },
  );

  test('match the definition for every unit, order and width, at any alignment', () => {
    const shape = fc.tuple(
      fc.constantFrom(1, 2, 4),
      fc.constantFrom('le', 'be'),
      fc.constantFrom(16, 32, 64),
    );
    fc.assert(
      fc.property(shape, anyBytes, fc.nat(), ([unit, order, width], bytes, start) => {
        const whole = bytes.subarray(0, bytes.length - (bytes.length % 4));
        const parts = [whole.subarray(0, 8), whole.subarray(8)];
        const units = unitsOf(whole, unit, order);
        const total = units.reduce((all, value) => all + value, BigInt(start));
        const algorithm = sum(unit, order, width, start.toString(16));
        expect(sumOf(algorithm, parts)).toBe(BigInt.asUintN(width, total));
        const xor: XorAlgorithm = { kind: 'xor', unit, order };
        expect(xorOf(xor, parts)).toBe(units.reduce((all, value) => all ^ value, 0n));
      }),
    );
  });

  test('do not overflow internally: 4 MiB of FF add up exactly', () => {
    const full = new Uint8Array(0x400000).fill(0xff);
    expect(sumOf(sum(1, 'le', 64), [full])).toBe(0xffn * 0x400000n);
    expect(sumOf(sum(4, 'be', 64), [full])).toBe(0xffffffffn * 0x100000n);
  });

  test('report when the free bytes cannot make up the difference', () => {
    const algorithm = sum(1, 'le', 16);
    expect(solveSum(algorithm, 0n, 4n * 255n, new Uint8Array(4))).toEqual(
      new Uint8Array(4).fill(255),
    );
    expect(solveSum(algorithm, 0n, 4n * 255n + 1n, new Uint8Array(4))).toBeNull();
  });
});
