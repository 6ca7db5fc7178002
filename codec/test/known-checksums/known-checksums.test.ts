/** Checksums of real control units: found in the image, verified and corrected; never wrong because of a guess. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  correctKnown,
  isCorrectable,
  verifyKnown,
} from '../../src/known-checksums/known-checksums.ts';
import { generateTriCore, structures } from '../../samples/tricore-images.ts';
import { generateDenso, makeDensoRight, tableOf } from '../../samples/denso-images.ts';
import { report, refusal, changed } from './me7-images.ts';

describe.each([0x80000, 0x100000])('a Subaru Denso image of %i bytes', (size) => {
  test('is verified, and never corrected: the scheme was never tried on a real image', () => {
    const image = generateDenso(size);
    expect(report(image)).toEqual({
      scheme: 'Subaru Denso SH7055/SH7058',
      isProved: false,
      signature: null,
      parts: [{ name: 'Table', state: 'right', rules: 17, wrong: 0 }],
    });
    changed(image, [
      { at: 0x2100, bit: 3 },
      { at: 0x6100, bit: 3 },
    ]);
    expect(report(image).parts[0]).toMatchObject({ state: 'wrong', wrong: 2 });
    expect(isCorrectable(report(image))).toBe(false);
    expect(refusal(() => correctKnown(image, generateDenso(size)))).toBe('CHECKSUM_UNCORRECTABLE');
    makeDensoRight(image);
    expect(report(image).parts[0]).toMatchObject({ state: 'right', wrong: 0 });
  });

  test('reports that entries are switched off', () => {
    const image = generateDenso(size, 17);
    expect(report(image).parts).toEqual([{ name: 'Table', state: 'off', rules: 17, wrong: 0 }]);
  });

  test.each([
    ['an odd start', 0, 0x2001],
    ['an end inside of a word', 4, 0x5ffe],
    ['an end outside of the image', 4, 0x7ffffff],
    ['an end before the start', 4, 0x1003],
  ])('is not known with %s', (_, place, value) => {
    const image = generateDenso(size);
    new DataView(image.buffer).setUint32(tableOf(size) + 12 * 5 + place, value);
    expect(verifyKnown(image)).toBeNull();
  });
});

describe('a TriCore image', () => {
  const table = 0x20034;

  test('is verified, and never corrected', () => {
    const image = generateTriCore();
    expect(report(image)).toEqual({
      scheme: 'Bosch EDC17/MED17',
      isProved: false,
      signature: null,
      parts: [{ name: 'Blocks', state: 'right', rules: 2, wrong: 0 }],
    });
    for (const { first } of structures) changed(image, [{ at: first + 8, bit: 1 }]);
    expect(report(image).parts[0]).toMatchObject({ state: 'wrong', wrong: 2 });
    expect(isCorrectable(report(image))).toBe(false);
    expect(refusal(() => correctKnown(image, generateTriCore()))).toBe('CHECKSUM_UNCORRECTABLE');
  });

  test('is not checked if ranges outside of the image or other algorithms are skipped', () => {
    const image = generateTriCore();
    const view = new DataView(image.buffer);
    view.setUint32(table + 4, 0x70000000, true);
    expect(report(image).parts[0]).toMatchObject({ state: 'not-checked', rules: 1 });
    image[table + 32 + 28] = 0x10;
    expect(verifyKnown(image)).toBeNull();
  });

  test('is not known without the end mark of its block', () => {
    const image = generateTriCore();
    image[0x2fffc] = 0;
    expect(verifyKnown(image)).toBeNull();
  });

  test('of nothing but structures claims nothing', () => {
    const image = new Uint8Array(Buffer.alloc(0x1000000, 'fecadefafeaffeca', 'hex'));
    expect(verifyKnown(image)).toBeNull();
  });
});

test.each([0, 1, 0x1000, 0x80000, 0x100000, 0x200000])(
  'knows nothing of %i empty bytes',
  (size) => {
    for (const fill of [0, 0xff]) expect(verifyKnown(new Uint8Array(size).fill(fill))).toBeNull();
  },
);

const firmware = new URL('../../../../shared/firmware/', import.meta.url);
test.skipIf(!existsSync(firmware))('claims nothing about open firmware', () => {
  for (const name of readdirSync(firmware).filter((one) => one.endsWith('.bin'))) {
    const image = new Uint8Array(readFileSync(new URL(name, firmware)));
    expect(verifyKnown(image), name).toBeNull();
    for (const size of [0x80000, 0x100000]) {
      const padded = new Uint8Array(size).fill(0xff);
      padded.set(image.subarray(0, size));
      expect(verifyKnown(padded), name).toBeNull();
    }
  }
});
