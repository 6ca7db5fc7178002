/** How programs and wiring exchange the bytes and bits of an image. Each transformation undoes itself. */

export const transformations = ['pairs', 'fours', 'words', 'inverted', 'bits'] as const;
/**
 * `pairs`: the bytes of each pair are exchanged. `fours`: groups of four are reversed. `words`: the pairs of each group
 * of four are exchanged. `inverted`: every bit is inverted. `bits`: the bits of each byte are reversed.
 */
export type Transformation = (typeof transformations)[number];

/** The place of a byte in its group of four, exclusive-ored. */
const masks: Readonly<Record<Transformation, number>> = {
  pairs: 1,
  fours: 3,
  words: 2,
  inverted: 0,
  bits: 0,
};

/** Bytes that belong together. */
const groups: Readonly<Record<Transformation, number>> = {
  pairs: 2,
  fours: 4,
  words: 4,
  inverted: 1,
  bits: 1,
};

const same = Uint8Array.from({ length: 256 }, (_, value) => value);
const inverse = same.map((value) => value ^ 0xff);
const reversed = same.map((value) => {
  let bits = 0;
  for (let bit = 0; bit < 8; bit += 1) bits |= ((value >>> bit) & 1) << (7 - bit);
  return bits;
});

const tables: Readonly<Record<Transformation, Uint8Array>> = {
  pairs: same,
  fours: same,
  words: same,
  inverted: inverse,
  bits: reversed,
};

/**
 * The transformed bytes, in new memory. `first`: offset of a group; bytes before it and after the last whole group stay.
 */
export function transform(
  bytes: Uint8Array,
  transformation: Transformation,
  first = 0,
): Uint8Array {
  const group = groups[transformation];
  const mask = masks[transformation];
  const table = tables[transformation];
  const result = new Uint8Array(bytes);
  const from = ((first % group) + group) % group;
  const end = from + Math.floor((bytes.length - from) / group) * group;
  for (let at = from; at < end; at += 1) {
    result[at] = table[bytes[from + ((at - from) ^ mask)] ?? 0] ?? 0;
  }
  return result;
}
