/** Explains images that were transferred or stored as text: line ends, encodings and lost bits. */

import { compareAt, fits, leastAgreement, type Reference } from './agreement.ts';
import type { Explained } from './candidate.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Line ends from which a damage is recognized. */
const leastLineEnds = 16;
const leastPairs = 4;
/** By how much the number of lost bytes may differ from the number of line ends of the read. */
const tolerance = 0.2;
/** The share of line ends that may remain after a conversion. */
const mostLeft = 0.1;
const leastReplaced = 8;

const explained = (
  kind: 'line-ends' | 'utf-8' | 'utf-16' | 'seven-bit',
  result: Uint8Array | null,
): Explained => ({
  kind,
  details: { isReversible: result !== null },
  result: result && (() => result),
  isOffered: result !== null,
  isLossless: true,
});

interface LineEnds {
  readonly lineFeeds: number;
  readonly pairs: number;
}

function countLineEnds(file: Uint8Array): LineEnds {
  let lineFeeds = 0;
  let pairs = 0;
  for (let at = file.indexOf(lineFeed); at !== -1; at = file.indexOf(lineFeed, at + 1)) {
    lineFeeds += 1;
    if (file[at - 1] === carriageReturn) pairs += 1;
  }
  return { lineFeeds, pairs };
}

/** The file without the 0D before each 0A. */
function withoutReturns(file: Uint8Array, pairs: number): Uint8Array {
  const result = new Uint8Array(file.length - pairs);
  let used = 0;
  for (let at = 0; at < file.length; at += 1) {
    if (file[at] === carriageReturn && file[at + 1] === lineFeed) continue;
    result[used] = file[at] ?? 0;
    used += 1;
  }
  return result;
}

function explainLineEnds(reference: Reference, file: Uint8Array): Explained | null {
  const { image } = reference;
  const found = countLineEnds(file);
  const isAdded = found.pairs >= leastLineEnds && found.pairs === found.lineFeeds;
  if (isAdded && file.length - found.pairs === image.length) {
    const result = withoutReturns(file, found.pairs);
    if (fits(reference, result)) return explained('line-ends', result);
  }
  const lost = image.length - file.length;
  if (lost <= 0) return null;
  const { pairs } = countLineEnds(image);
  const isRemoved =
    pairs >= leastPairs &&
    Math.abs(lost - pairs) <= tolerance * pairs &&
    found.pairs <= mostLeft * pairs;
  return isRemoved ? explained('line-ends', null) : null;
}

/** The characters of Windows-1252 that are not those of Latin-1, by their byte from 80. */
const windows1252 = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index),
);
const bytesOf1252 = new Map(
  Array.from(windows1252, (character, index) => [character.codePointAt(0) ?? 0, 0x80 + index]),
);

/** The bytes of a file that was written as UTF-8; null if it was not, or does not have `size` characters. */
function fromUtf8(file: Uint8Array, size: number): Uint8Array | null {
  const result = new Uint8Array(size);
  let used = 0;
  for (let at = 0; at < file.length; used += 1) {
    const first = file[at] ?? 0;
    const length = first < 0x80 ? 1 : first >> 5 === 0b110 ? 2 : first >> 4 === 0b1110 ? 3 : 0;
    if (length === 0 || at + length > file.length || used === size) return null;
    let point = length === 1 ? first : first & (0x7f >> length);
    for (let index = 1; index < length; index += 1) {
      const next = file[at + index] ?? 0;
      if ((next & 0xc0) !== 0x80) return null;
      point = (point << 6) | (next & 0x3f);
    }
    const byte = point <= 0xff ? point : bytesOf1252.get(point);
    // the shortest encoding is the only valid one
    if (byte === undefined || (length === 2 && point < 0x80) || (length === 3 && point < 0x800)) {
      return null;
    }
    result[used] = byte;
    at += length;
  }
  return used === size ? result : null;
}

/** Whether most bytes above 7F are the character that replaces unknown ones: EF BF BD. */
function isReplaced(file: Uint8Array): boolean {
  let replaced = 0;
  let high = 0;
  for (let at = 0; at < file.length; at += 1) {
    if ((file[at] ?? 0) < 0x80) continue;
    high += 1;
    if (file[at] === 0xef && file[at + 1] === 0xbf && file[at + 2] === 0xbd) replaced += 1;
  }
  return replaced >= leastReplaced && 3 * replaced * 2 > high;
}

function explainUtf8(reference: Reference, file: Uint8Array): Explained | null {
  const { image } = reference;
  const result = file.length > image.length ? fromUtf8(file, image.length) : null;
  if (result && fits(reference, result)) return explained('utf-8', result);
  return isReplaced(file) && !isReplaced(image) ? explained('utf-8', null) : null;
}

function explainUtf16(reference: Reference, file: Uint8Array): Explained | null {
  const { length } = reference.image;
  const mark = file.length - 2 * length;
  if (mark !== 0 && mark !== 2) return null;
  for (const low of [0, 1]) {
    const result = new Uint8Array(length);
    let isSpread = true;
    for (let index = 0; index < length && isSpread; index += 1) {
      const at = mark + 2 * index;
      result[index] = file[at + low] ?? 0;
      isSpread = file[at + 1 - low] === 0;
    }
    if (isSpread && fits(reference, result)) return explained('utf-16', result);
  }
  return null;
}

/** Explains a file that went through a text mode; null if it did not. */
export function explainTextDamage(reference: Reference, file: Uint8Array): Explained | null {
  return (
    explainLineEnds(reference, file) ??
    explainUtf16(reference, file) ??
    explainUtf8(reference, file)
  );
}

/** The share of high bytes of the read from which their loss is recognized. */
const leastHigh = 0.05;

/** Explains a file that lost the highest bit of each byte. */
export function explainSevenBit(reference: Reference, file: Uint8Array): Explained | null {
  const { image, marks } = reference;
  if (file.length !== image.length || file.some((byte) => byte >= 0x80)) return null;
  const low = image.map((byte) => byte & 0x7f);
  const high = image.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  const { share } = compareAt({ image: low, marks }, file, 0);
  return high > leastHigh * image.length && share >= leastAgreement
    ? explained('seven-bit', null)
    : null;
}
