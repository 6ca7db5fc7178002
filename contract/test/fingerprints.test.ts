/** Fingerprints: the same in pieces of any length, alike for a modified image, and unlike for any other. */
import { expect, test } from 'vitest';
import { BlockSums, blockBytesOf, likenessOf } from '../src/fingerprints.ts';

/** Bytes that look random but are always the same for a seed. */
function bytesOf(seed: number, length: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
}

function sumsOf(
  image: Uint8Array,
  pieceBytes = image.length,
  blockBytes = blockBytesOf(image.length),
) {
  const sums = new BlockSums(blockBytes);
  for (let at = 0; at < image.length; at += pieceBytes) {
    sums.add(image.subarray(at, at + pieceBytes));
  }
  return sums.end();
}

const image = bytesOf(7, 100_003);

test('an image has at most 2048 blocks, of at least 16 bytes', () => {
  expect([0, 512, 32_768, 32_769, 16 * 2 ** 20].map(blockBytesOf)).toEqual([16, 16, 16, 17, 8192]);
  expect(sumsOf(new Uint8Array(16 * 2 ** 20))).toHaveLength(2048);
  expect(sumsOf(image)).toHaveLength(Math.ceil(100_003 / 49));
  expect(sumsOf(new Uint8Array(0))).toEqual([]);
});

test.each([1, 16, 49, 50, 4096, 100_002])('is the same in pieces of %i bytes', (pieceBytes) => {
  expect(sumsOf(image, pieceBytes)).toEqual(sumsOf(image));
});

test('uses FNV-1a, its halves combined by XOR, modulo 65280', () => {
  // FNV-1a of "foobar" is bf9cf968
  const sum = (0xbf9c ^ 0xf968) % 65_280;
  expect(sumsOf(new TextEncoder().encode('foobar'))).toEqual([sum]);
});

test('writes a block that repeats one byte as 65280 plus that byte', () => {
  const blank = new Uint8Array(40).fill(0xff);
  expect(sumsOf(blank)).toEqual([0xffff, 0xffff, 0xffff]);
  expect(sumsOf(blank.with(20, 0))[1]).toBeLessThan(0xff00);
  expect(sumsOf(new Uint8Array(16))).toEqual([0xff00]);
});

test('the similarity of a modified image is the share of its equal blocks', () => {
  const modified = Uint8Array.from(image);
  for (let block = 0; block < 20; block += 1)
    modified.set([(modified[block * 4900] ?? 0) ^ 1], block * 4900);
  const likeness = likenessOf(sumsOf(image), sumsOf(modified));
  expect(likeness).toBeCloseTo(1 - 20 / 2041, 5);
  expect(likenessOf(sumsOf(image), sumsOf(image))).toBe(1);
});

test('a different image is not similar, even if most of both is blank', () => {
  expect(likenessOf(sumsOf(image), sumsOf(bytesOf(8, 100_003)))).toBeLessThan(0.01);
  const half = (seed: number) => {
    const padded = new Uint8Array(100_000).fill(0xff);
    padded.set(bytesOf(seed, 10_000));
    return sumsOf(padded);
  };
  expect(likenessOf(half(1), half(2))).toBeLessThan(0.01);
});

test('blocks that only one image has count as different; two blank images are equal', () => {
  const sums = sumsOf(image.subarray(0, 160), 160, 16);
  expect(likenessOf(sums, sums.slice(0, 5))).toBe(0.5);
  expect(likenessOf(sums, [])).toBe(0);
  expect(likenessOf([0xffff, 0xffff], [0xffff, 0xffff])).toBe(1);
  expect(likenessOf([0xffff], [0xff00])).toBe(0);
});
