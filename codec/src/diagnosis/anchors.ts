/** Anchors: short pieces of one file that are searched in another one to find where its parts belong. */

/** Bytes of an anchor, and those of them that are searched. */
const anchorBytes = 32;
export const needleBytes = 16;
const mostBins = 256;
const smallestBin = 64;
const candidatesInBin = 16;
/** Different values that an anchor must have. */
const leastValues = 10;
/** Anchors start at multiples of 4, so that exchanged bytes stay within a needle. */
const grid = 4;

/** How many different values an anchor has. */
function countValues(file: Uint8Array, at: number, seen: Uint32Array, stamp: number): number {
  let count = 0;
  for (let index = at; index < at + anchorBytes; index += 1) {
    const value = file[index] ?? 0;
    if (seen[value] !== stamp) {
      seen[value] = stamp;
      count += 1;
    }
  }
  return count;
}

/** The offsets of the most distinctive pieces of a file: at most one in each of up to 256 equal parts. */
export function chooseAnchors(file: Uint8Array): number[] {
  const part = Math.max(smallestBin, Math.floor(file.length / mostBins / grid) * grid);
  const step = Math.max(grid, Math.floor(part / candidatesInBin / grid) * grid);
  const seen = new Uint32Array(256);
  let stamp = 0;
  const anchors: number[] = [];
  for (let bin = 0; bin + part <= file.length; bin += part) {
    let best = -1;
    let most = leastValues - 1;
    for (let at = bin; at < bin + part && at + anchorBytes <= file.length; at += step) {
      stamp += 1;
      const values = countValues(file, at, seen, stamp);
      if (values > most) {
        most = values;
        best = at;
      }
    }
    if (best !== -1) anchors.push(best);
  }
  return anchors;
}

/** A sequence of 16 bytes to search. */
export interface Needle<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

const filterBits = 16;
/** Needles that one place of a file is compared with in total: only files that are made for it reach this limit. */
const mostComparisons = 50_000_000;

const hashOf = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - filterBits);

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) |
  ((bytes[at + 1] ?? 0) << 8) |
  ((bytes[at + 2] ?? 0) << 16) |
  ((bytes[at + 3] ?? 0) << 24);

/** Needles by their first four bytes: chains of indexes, -1 at their end. */
class NeedleIndex<T> {
  readonly #needles: readonly Needle<T>[];
  readonly #heads = new Int32Array(2 ** filterBits).fill(-1);
  readonly #next: Int32Array;

  constructor(needles: readonly Needle<T>[]) {
    this.#needles = needles;
    this.#next = new Int32Array(needles.length).fill(-1);
    for (const [index, { bytes }] of needles.entries()) {
      const hash = hashOf(wordAt(bytes, 0));
      this.#next[index] = this.#heads[hash] ?? -1;
      this.#heads[hash] = index;
    }
  }

  /** Calls back with each needle and where it is; stops when that returns false. */
  find(file: Uint8Array, visit: (value: T, at: number) => boolean): void {
    const heads = this.#heads;
    const last = file.length - needleBytes;
    let word = wordAt(file, 0) << 8;
    let comparisons = 0;
    for (let at = 0; at <= last; at += 1) {
      word = at === 0 ? wordAt(file, 0) : (word >>> 8) | ((file[at + 3] ?? 0) << 24);
      let index = heads[Math.imul(word, 0x9e3779b1) >>> (32 - filterBits)] ?? -1;
      while (index !== -1) {
        const needle = this.#needles[index];
        comparisons += 1;
        if (comparisons > mostComparisons || needle === undefined) return;
        if (isAt(file, at, needle.bytes) && !visit(needle.value, at)) return;
        index = this.#next[index] ?? -1;
      }
    }
  }
}

function isAt(file: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < needleBytes; index += 1) {
    if (file[at + index] !== bytes[index]) return false;
  }
  return true;
}

/** Calls back with each needle that is in the file, and its offset; stops when that returns false. One pass. */
export function findNeedles<T>(
  needles: readonly Needle<T>[],
  file: Uint8Array,
  visit: (value: T, at: number) => boolean,
): void {
  new NeedleIndex(needles).find(file, visit);
}

/** The anchors that are only once in their own file: others would vote for several places. */
export function keepUnique(file: Uint8Array, anchors: readonly number[]): number[] {
  const counts = new Map<number, number>();
  const needles = anchors.map((at) => ({
    bytes: file.subarray(at, at + needleBytes),
    value: at,
  }));
  findNeedles(needles, file, (at) => {
    counts.set(at, (counts.get(at) ?? 0) + 1);
    return true;
  });
  return anchors.filter((at) => counts.get(at) === 1);
}
