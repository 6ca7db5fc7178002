/** The texts in an image: its runs of printable characters, joined so that one search covers all of them. */

/** Shorter runs are too common in code and data; every number that a family is recognized by is longer. */
const shortestRun = 8;
/** No longer run is a text: it is an erased area, or a table. */
const longestRun = 8192;
/** More characters than any firmware has: the file is no image, and searching it would take too long. */
const mostCharacters = 1 << 20;
const separator = '\n';

/** A match of a pattern. */
export interface TextMatch {
  /** In the image. */
  readonly offset: number;
  readonly text: string;
  /** The groups of the pattern; one that did not take part is empty. */
  readonly groups: readonly string[];
}

/** Where to search, in the image: from the first offset up to, not including, the second. */
export type SearchArea = readonly [from: number, to: number];

/** The texts of one image. */
export interface ImageText {
  /** Whether a text occurs. */
  has(text: string): boolean;
  /** The matches of a global pattern that start in an area, in the order of their offsets. */
  find(pattern: RegExp, area?: SearchArea): TextMatch[];
}

const isPrintable = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x7f ? 1 : 0,
);

/** Whether none of the four bytes of a word is below 20 or above 7F; subtracting borrows only from bytes that fail. */
const mayBeText = (word: number): boolean => ((word | (word - 0x20202020)) & 0x80808080) === 0;

/** The runs as pairs of start and end; null if the image has more text than a firmware. */
function findRuns(image: Uint8Array): number[] | null {
  const runs: number[] = [];
  let characters = 0;
  let end = 0;
  // every run has a whole word: reading words is four times as fast as reading bytes
  const first = -image.byteOffset & 3;
  const count = Math.max(0, image.length - first) >>> 2;
  const words = new Int32Array(image.buffer, image.byteOffset + first, count);
  for (let index = 0; index < count; index += 1) {
    if (!mayBeText(words[index] ?? 0)) continue;
    const at = first + 4 * index;
    if (at < end) continue;
    let start = at;
    while (start > end && isPrintable[image[start - 1] ?? 0] === 1) start -= 1;
    end = at;
    while (end < image.length && isPrintable[image[end] ?? 0] === 1) end += 1;
    if (end - start < shortestRun || end - start > longestRun) continue;
    characters += end - start;
    if (characters > mostCharacters) return null;
    runs.push(start, end);
  }
  return runs;
}

/** Reads the texts of an image in one pass; null if it has more text than a firmware. */
export function readImageText(image: Uint8Array): ImageText | null {
  const runs = findRuns(image);
  if (runs === null) return null;
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const parts: string[] = [];
  /** Where each run starts in the joined text. */
  const starts: number[] = [];
  let length = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const part = bytes.toString('latin1', runs[at], runs[at + 1]);
    starts.push(length);
    parts.push(part);
    length += part.length + separator.length;
  }
  const joined = parts.join(separator);
  const offsetOf = (index: number): number => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return (runs[2 * low] ?? 0) + index - (starts[low] ?? 0);
  };
  return {
    has: (text) => joined.includes(text),
    find(pattern, [from, to] = [0, image.length]) {
      const matches = Array.from(joined.matchAll(pattern), (match) => ({
        offset: offsetOf(match.index),
        text: match[0],
        groups: match.slice(1).map((group) => group ?? ''),
      }));
      return matches.filter(({ offset }) => offset >= from && offset < to);
    },
  };
}
