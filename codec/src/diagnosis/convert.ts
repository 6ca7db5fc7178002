/** Converts a text that stores an image: which part of it is in the text, and what is missing. */

import { fits, type Reference } from './agreement.ts';
import { describeExtra, type Explained, gapsBetween, lay } from './candidate.ts';
import { type Extra, mostListed, type Piece } from './finding.ts';
import { DamagedLine } from './text/damaged-line.ts';
import { Records, type Segment } from './text/records.ts';
import type { RecognizedText } from './text/registry.ts';
import { findVotes, leastAnchors } from './votes.ts';

type Facts = Explained['details'];

/** A text that was read: its bytes, or the line that is damaged. */
export type ReadText =
  | { readonly segments: readonly Segment[]; readonly fault: null }
  | { readonly segments: null; readonly fault: NonNullable<Facts['fault']> };

/** Reads the bytes of a text. */
export function readText({ format, text }: RecognizedText): ReadText {
  const records = new Records();
  try {
    format?.read(text, records);
    return { segments: records.merge(), fault: null };
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    const { line, problem, otherLine } = error;
    return { segments: null, fault: { line, problem, otherLine } };
  }
}

/** Votes without which a window is not certain: a number, and a share of the anchors. */
const least = { votes: 4, votesOfTinyText: 2, share: 0.35 } as const;
const tinyText = 8192;

function join(segments: readonly Segment[]): Uint8Array {
  return segments.length === 1 && segments[0]
    ? segments[0].bytes
    : Buffer.concat(segments.map(({ bytes }) => bytes));
}

/** The address that the image starts at, if the bytes of the text are somewhere in it; null if none is certain. */
function findBase({ image }: Reference, segments: readonly Segment[]): number | null {
  const joined = join(segments);
  const { anchors, candidates } = findVotes(image, joined);
  if (anchors.length < leastAnchors) return null;
  const votes = new Map<number, number>();
  const ends: number[] = [];
  for (const { bytes } of segments) ends.push((ends.at(-1) ?? 0) + bytes.length);
  for (const { transformation, displacement, hits } of candidates) {
    if (transformation !== null) continue;
    let index = 0;
    for (const hit of hits) {
      while (hit >= (ends[index] ?? Infinity)) index += 1;
      const segment = segments[index];
      const start = (ends[index] ?? 0) - (segment?.bytes.length ?? 0);
      const base = (segment?.at ?? 0) - start + displacement;
      votes.set(base, (votes.get(base) ?? 0) + 1);
    }
  }
  const [best] = [...votes].toSorted(([, a], [, b]) => b - a);
  const needed = joined.length < tinyText ? least.votesOfTinyText : least.votes;
  if (best === undefined || best[1] < needed) return null;
  // anchors of the image count only where the text has bytes
  const possible = anchors.length * Math.min(1, joined.length / image.length);
  return best[1] >= least.share * possible ? best[0] : null;
}

/** The pieces of the text in the image, and those outside it. `from` of a piece is its place in the joined bytes. */
function clip(segments: readonly Segment[], base: number, size: number) {
  const pieces: Piece[] = [];
  const outside: Extra[] = [];
  let start = 0;
  for (const { at, bytes } of segments) {
    const from = Math.min(Math.max(0, base - at), bytes.length);
    const to = Math.max(from, Math.min(bytes.length, base + size - at));
    const parts = [[0, from] as const, [to, bytes.length] as const];
    for (const [first, end] of parts) {
      if (end > first) outside.push({ ...describeExtra(bytes, first, end), offset: at + first });
    }
    if (to > from) pieces.push({ from: start + from, to: at + from - base, length: to - from });
    start += bytes.length;
  }
  return { pieces, outside };
}

/** Whether parts have only one value, the same in all of them. */
function isOneFill(outside: readonly Extra[]): boolean {
  return outside.every(({ fill }) => fill !== null && fill === outside[0]?.fill);
}

/** Whether a part of the read is erased: programs leave such parts out. */
function isErased(image: Uint8Array, offset: number, length: number): boolean {
  const first = image[offset];
  const isFill = first === 0xff || first === 0x00;
  return isFill && image.subarray(offset, offset + length).every((byte) => byte === first);
}

/** What a text is in terms of the image that it should be. */
export function placeText(
  reference: Reference,
  segments: readonly Segment[],
): Omit<Explained, 'kind'> {
  const { image } = reference;
  const [only, ...others] = segments;
  const isExact = only !== undefined && others.length === 0 && only.bytes.length === image.length;
  const base = isExact ? only.at : findBase(reference, segments);
  if (base === null) return { details: {}, result: null, isOffered: false, isLossless: false };
  const { pieces, outside } = clip(segments, base, image.length);
  const gaps = gapsBetween(pieces, image.length);
  const filled = gaps.filter(({ offset, length }) => isErased(image, offset, length));
  const missing = gaps.filter((gap) => !filled.includes(gap));
  const joined = join(segments);
  return {
    details: {
      pieces: pieces.slice(0, mostListed),
      ...(outside.length > 0 ? { outside: outside.slice(0, mostListed) } : {}),
      ...(filled.length > 0 ? { filled } : {}),
      ...(missing.length > 0 ? { missing } : {}),
    },
    result: () => lay(reference, joined, pieces),
    isOffered: isOneFill(outside),
    isLossless: missing.length === 0,
  };
}

/** The bytes of a text that stores exactly one block of them; null if it stores several. */
export function onlyBlock(segments: readonly Segment[]): Uint8Array | null {
  const [only, ...others] = segments;
  return only !== undefined && others.length === 0 ? only.bytes : null;
}

/** Whether a text stores exactly this image, perhaps tuned. */
export function isTextOf(reference: Reference, segments: readonly Segment[]): boolean {
  const only = onlyBlock(segments);
  return only !== null && fits(reference, only);
}
