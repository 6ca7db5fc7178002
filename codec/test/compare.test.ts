/** The differences between two images. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareImages, RegionScan } from '../src/compare.ts';
import { noise } from './slaves.ts';

const image = noise(1000);

function changed(...offsets: number[]): Uint8Array {
  const other = image.slice();
  for (const at of offsets) {
    other[at] = (other[at] ?? 0) ^ 0xff;
  }
  return other;
}

describe('a comparison', () => {
  test('finds nothing in equal images', () => {
    expect(compareImages(image, image.slice())).toEqual({
      bytes: 0,
      regions: 0,
      size: 1000,
      strip: [],
      fraction: 0,
    });
    expect(compareImages(new Uint8Array(0), new Uint8Array(0)).fraction).toBe(0);
  });

  // promise d7.results.changes
  test('counts bytes, and merges regions that are less than 16 bytes apart', () => {
    // The 15 bytes between 0 and 16 are equal, and the 16 between 16 and 33.
    expect(compareImages(image, changed(0, 16, 33, 999))).toEqual({
      bytes: 4,
      regions: 3,
      size: 1000,
      strip: [
        { offset: 0, length: 17 },
        { offset: 33, length: 1 },
        { offset: 999, length: 1 },
      ],
      fraction: 0.004,
    });
  });

  test('counts the bytes by which one image is longer', () => {
    const result = compareImages(image, image.subarray(0, 900));
    expect(result).toMatchObject({ bytes: 100, regions: 1, size: 1000 });
    expect(result.strip).toEqual([{ offset: 900, length: 100 }]);
  });

  test('closes the narrowest gaps first if there are more than 64 regions', () => {
    const before = new Uint8Array(10_000);
    const after = before.slice();
    for (let index = 0; index < 100; index += 1) {
      after[index * 50 + (index >= 50 ? 3000 : 0)] = 1;
    }
    const { regions, strip } = compareImages(before, after);
    expect(regions).toBe(100);
    expect(strip).toHaveLength(64);
    expect(strip.some(({ offset }) => offset === 50 * 50 + 3000)).toBe(true);
  });

  test('returns the same result for any alignment and number of regions', () => {
    const before = new Uint8Array(400_001);
    const after = before.slice();
    for (let at = 0; at < after.length; at += 20) {
      after[at] = 1;
    }
    const result = compareImages(before, after);
    const shifted = new Uint8Array(400_002);
    shifted.set(after, 1);
    expect(compareImages(before, shifted.subarray(1))).toEqual(result);
    expect(result).toMatchObject({ bytes: 20_001, regions: 20_001 });
    expect(result.strip.length).toBeLessThanOrEqual(64);
  });

  test('covers every changed byte with its strip, in order, for any change', () => {
    const offsets = fc.array(fc.nat(999), { maxLength: 300 });
    fc.assert(
      fc.property(offsets, (changes) => {
        const distinct = new Set(changes);
        const { bytes, regions, strip } = compareImages(image, changed(...distinct));
        expect(bytes).toBe(distinct.size);
        expect(strip.length).toBe(Math.min(regions, 64));
        let end = -1;
        for (const { offset, length } of strip) {
          expect(offset).toBeGreaterThan(end);
          end = offset + length - 1;
          expect(distinct.has(offset) && distinct.has(end)).toBe(true);
        }
        for (const at of distinct) {
          expect(strip.some(({ offset, length }) => at >= offset && at < offset + length)).toBe(
            true,
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a scan in pieces', () => {
  function scan(after: Uint8Array, pieces: readonly number[]) {
    const regions: { offset: number; length: number; bytes: number }[] = [];
    const found = new RegionScan((offset, length, bytes) =>
      regions.push({ offset, length, bytes }),
    );
    let at = 0;
    let bytes = 0;
    for (const length of [...pieces, image.length]) {
      const end = Math.min(image.length, at + length);
      bytes += found.compare(image.subarray(at, end), after.subarray(at, end));
      at = end;
    }
    found.finish();
    expect(found).toMatchObject({ bytes, regions: regions.length });
    return regions;
  }

  test('reports offset, length and differing bytes of each region', () => {
    expect(scan(changed(0, 16, 33, 999), [])).toEqual([
      { offset: 0, length: 17, bytes: 2 },
      { offset: 33, length: 1, bytes: 1 },
      { offset: 999, length: 1, bytes: 1 },
    ]);
  });

  test('finds the same regions, regardless of where the pieces are cut', () => {
    const offsets = fc.array(fc.nat(999), { maxLength: 200 });
    const pieces = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 20 });
    fc.assert(
      fc.property(offsets, pieces, (changes, cuts) => {
        const after = changed(...new Set(changes));
        const whole = scan(after, []);
        expect(scan(after, cuts)).toEqual(whole);
        const { bytes, regions } = compareImages(image, after);
        expect(whole).toHaveLength(regions);
        expect(whole.reduce((sum, region) => sum + region.bytes, 0)).toBe(bytes);
      }),
      { numRuns: 100 },
    );
  });

  test('continues a region with the bytes that only one image has', () => {
    const regions: { offset: number; length: number; bytes: number }[] = [];
    const found = new RegionScan((offset, length, bytes) =>
      regions.push({ offset, length, bytes }),
    );
    found.compare(image, changed(990));
    found.addChanged(50);
    found.finish();
    expect(regions).toEqual([{ offset: 990, length: 60, bytes: 51 }]);
  });
});
