/** Checksum rules of every kind: verified, corrected, and refused if they cannot be corrected. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { correctChecksums, isChecksumFault, verifyChecksums } from '../../src/checksum/checksum.ts';
import type { ChecksumRule, Range } from '../../src/checksum/scheme.ts';
import * as catalog from '../../src/checksum/crc-catalog.ts';
import {
  crcRule,
  everyKind,
  image,
  refusal,
  scheme,
  size,
  states,
  sumRule,
  writeU32,
} from './small-scheme.ts';

/** The bytes that no rule covers or writes. */
const uncovered: readonly Range[] = [
  { at: 0x280, length: 0x80 },
  { at: 0x360, length: 0xa0 },
];

describe('verification', () => {
  test('reports the stored and the expected value', () => {
    const bytes = image();
    writeU32(bytes, 0x300, 0x04030201);
    const [report] = verifyChecksums(scheme(sumRule), bytes);
    const total = new Uint32Array(bytes.buffer, 0, 64).reduce((all, word) => (all + word) >>> 0, 0);
    const calculated = total.toString(16).padStart(8, '0');
    expect(report).toEqual({ rule: 'SUM', state: 'mismatch', stored: '01020304', calculated });
  });

  // promise c.checksums.verify
  test('never writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (bytes) => {
        const before = bytes.slice();
        verifyChecksums(everyKind, bytes);
        expect(bytes).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });

  test('reports wrong or impossible checksums as faults unless the rule is optional', () => {
    const optional: ChecksumRule = { ...crcRule, required: false };
    const impossible: ChecksumRule = {
      ...sumRule,
      name: 'FAR',
      ranges: [{ at: 0, length: size + 4 }],
    };
    const all = scheme(sumRule, optional, impossible);
    const faults = verifyChecksums(all, image()).filter((report) => isChecksumFault(all, report));
    expect(faults.map(({ rule }) => rule)).toEqual(['SUM', 'FAR']);
  });
});

describe('correction', () => {
  test('corrects rules of every kind together, and leaves bytes that no rule writes unchanged', () => {
    const bytes = image();
    const before = bytes.slice();
    const { image: corrected, reports } = correctChecksums(everyKind, bytes);
    expect(reports.map(({ state }) => state)).toEqual(everyKind.map(() => 'ok'));
    expect(states(everyKind, corrected)).toEqual(everyKind.map(() => 'ok'));
    expect(bytes, 'the image handed in').toEqual(before);
    expect(corrected.subarray(0, 0x200)).toEqual(before.subarray(0, 0x200));
    for (const { at, length } of uncovered) {
      expect(corrected.subarray(at, at + length)).toEqual(before.subarray(at, at + length));
    }
  });

  test('does not write to the image when it is a Buffer, as files read from disk are', () => {
    const bytes = Buffer.from(image());
    const { image: corrected } = correctChecksums(everyKind, bytes);
    expect(states(everyKind, corrected)).toEqual(everyKind.map(() => 'ok'));
    expect(new Uint8Array(bytes)).toEqual(image());
  });

  test('corrects any image, and a second run changes nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (bytes) => {
        const { image: corrected } = correctChecksums(everyKind, bytes);
        expect(new Set(states(everyKind, corrected))).toEqual(new Set(['ok']));
        expect(correctChecksums(everyKind, corrected).image).toBe(corrected);
      }),
      { numRuns: 50 },
    );
  });

  test('is invalidated by a change to any covered or stored byte', () => {
    const { image: corrected } = correctChecksums(everyKind, image());
    const isUncovered = (at: number): boolean =>
      uncovered.some((range) => at >= range.at && at < range.at + range.length);
    for (let at = 0; at < size; at += 1) {
      const tampered = corrected.slice();
      tampered[at] = (tampered[at] ?? 0) ^ (1 << (at % 8));
      expect(states(everyKind, tampered).includes('mismatch'), `byte ${at}`).toBe(!isUncovered(at));
    }
  });

  test('works in a view that starts at an odd offset of a larger buffer', () => {
    const buffer = new Uint8Array(size + 9);
    const view = buffer.subarray(3, 3 + size);
    view.set(image());
    const { image: corrected } = correctChecksums(everyKind, view);
    expect(corrected).toEqual(correctChecksums(everyKind, image()).image);
  });

  // promise c.checksums.order
  test('corrects results that other rules cover first, regardless of the order of the rules', () => {
    const outer: ChecksumRule = {
      name: 'OUTER',
      ranges: [{ at: 0, length: 0x310 }],
      algorithm: catalog.crc32IsoHdlc,
      result: { kind: 'store', at: 0x310, type: 'u32le' },
    };
    const outermost: ChecksumRule = {
      name: 'OUTERMOST',
      ranges: [{ at: 0x300, length: 0x20 }],
      algorithm: { kind: 'copy' },
      result: { kind: 'store-bytes', at: 0x340 },
    };
    const { image: corrected } = correctChecksums(
      scheme(outermost, outer, crcRule, sumRule),
      image(),
    );
    const { image: again } = correctChecksums(scheme(sumRule, crcRule, outer, outermost), image());
    expect(corrected).toEqual(again);
    expect(corrected.subarray(0x340, 0x360)).toEqual(corrected.subarray(0x300, 0x320));
  });

  test('allows a checksum and its complement inside a sum in which they cancel each other out', () => {
    const inside: ChecksumRule = {
      name: 'INSIDE',
      ranges: [{ at: 0, length: size }],
      algorithm: { kind: 'sum', unit: 4, order: 'le', width: 32 },
      result: { kind: 'store', at: 0x200, type: 'u32le', complementAt: 0x204 },
    };
    const { image: corrected } = correctChecksums(scheme(inside), image());
    expect(states(scheme(inside), corrected)).toEqual(['ok']);
  });

  // promise c.checksums.no-half
  test('gives up on rules that depend on each other, names them, and returns no image', () => {
    const chasing: ChecksumRule = {
      ...sumRule,
      result: { kind: 'store', at: 0x10, type: 'u32le' },
    };
    const bytes = image();
    expect(refusal(() => correctChecksums(scheme(chasing, crcRule), bytes))).toEqual({
      code: 'CHECKSUM_UNCORRECTABLE',
      detail: 'SUM',
    });
    expect(bytes).toEqual(image());
  });

  test('does not refuse an image for an optional rule', () => {
    const chasing: ChecksumRule = {
      ...sumRule,
      result: { kind: 'store', at: 0x10, type: 'u32le' },
      required: false,
    };
    const { image: corrected, reports } = correctChecksums(scheme(chasing, crcRule), image());
    expect(reports.map(({ state }) => state)).toEqual(['mismatch', 'ok']);
    expect(states(scheme(crcRule), corrected)).toEqual(['ok']);
  });

  test('refuses a sum that the free bytes cannot reach', () => {
    const far: ChecksumRule = {
      name: 'FAR',
      ranges: [{ at: 0, length: 8 }],
      algorithm: { kind: 'sum', unit: 1, order: 'le', width: 32 },
      result: { kind: 'target', value: '10000', free: { at: 0, length: 4 } },
    };
    const { code, detail } = refusal(() => correctChecksums(scheme(far), image()));
    expect([code, detail]).toEqual(['CHECKSUM_UNCORRECTABLE', 'FAR']);
  });

  test('refuses free bytes that are not aligned to whole units', () => {
    const target = (at: number, unit: 2 | 4): ChecksumRule => ({
      name: 'TARGET',
      ranges: [{ at: 1, length: 0x40 }],
      algorithm: { kind: 'xor', unit, order: 'le' },
      result: { kind: 'target', value: '0', free: { at, length: 2 } },
    });
    expect(
      states(scheme(target(5, 2)), correctChecksums(scheme(target(5, 2)), image()).image),
    ).toEqual(['ok']);
    for (const rule of [target(6, 2), target(5, 4)]) {
      const { code } = refusal(() => correctChecksums(scheme(rule), image()));
      expect(code).toBe('CHECKSUM_UNCORRECTABLE');
    }
  });

  test('refuses ranges that do not consist of whole units, and results outside of the image', () => {
    const odd: ChecksumRule = { ...sumRule, ranges: [{ at: 0, length: 0xff }] };
    const outside: ChecksumRule = {
      ...crcRule,
      result: { kind: 'store', at: size - 3, type: 'u32le' },
    };
    expect(states(scheme(odd, outside), image())).toEqual(['invalid', 'invalid']);
    expect(refusal(() => correctChecksums(scheme(odd, outside), image()))).toEqual({
      code: 'CHECKSUM_UNCORRECTABLE',
      detail: 'SUM, CRC',
    });
  });

  test('refuses free bytes that are only partly inside a range, or inside two', () => {
    const target = (ranges: readonly Range[]): ChecksumRule => ({
      name: 'TARGET',
      ranges,
      algorithm: catalog.crc32c,
      result: { kind: 'target', value: '0', free: { at: 0x10, length: 4 } },
    });
    for (const ranges of [
      [{ at: 0x12, length: 0x20 }],
      [{ at: 0x20, length: 0x20 }],
      [
        { at: 0, length: 0x40 },
        { at: 0x13, length: 0x10 },
      ],
    ]) {
      const { code } = refusal(() => correctChecksums(scheme(target(ranges)), image()));
      expect(code).toBe('CHECKSUM_UNCORRECTABLE');
    }
  });
});

test('a scheme of more than 256 rules throws an internal error', () => {
  const many = scheme(...Array.from({ length: 257 }, () => sumRule));
  expect(() => verifyChecksums(many, image())).toThrow(RangeError);
});
