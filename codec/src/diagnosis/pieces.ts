/** Explains a file whose parts belong to different places of the image, or that lost bytes in the middle. */

import { compareAt, leastAgreement, overlapOf, type Reference } from './agreement.ts';
import { type Explained, extrasAround, gapsBetween, lay } from './candidate.ts';
import { mostListed, type Piece } from './finding.ts';
import type { Alignment, Votes } from './votes.ts';

const leastVotes = 4;
/** Votes as a share of the anchors, for each piece and for all of them. */
const leastShareOfPiece = 0.03;
const leastShareOfAll = 0.5;
/** Pieces whose displacements differ by no more were one piece that lost or gained bytes. */
const mostLost = 4096;
const mostPieces = 32;

interface Interval {
  readonly displacement: number;
  readonly first: number;
  readonly last: number;
  readonly votes: number;
}

function intervalOf({ displacement, hits }: Alignment): Interval {
  return { displacement, first: hits[0] ?? 0, last: hits.at(-1) ?? 0, votes: hits.length };
}

/** The intervals of the file in ascending order; null if they overlap or are not enough. */
function chooseIntervals(votes: Votes): readonly Interval[] | null {
  const total = votes.anchors.length;
  const chosen = votes.candidates.filter(
    ({ transformation, hits }) =>
      transformation === null &&
      hits.length >= leastVotes &&
      hits.length >= leastShareOfPiece * total,
  );
  if (chosen.length < 2 || chosen.length > mostPieces) return null;
  const intervals = chosen.map(intervalOf).toSorted((a, b) => a.first - b.first);
  const areDisjoint = intervals.every(
    ({ first }, index) => index === 0 || first > (intervals[index - 1]?.last ?? 0),
  );
  const all = intervals.reduce((sum, { votes: count }) => sum + count, 0);
  return areDisjoint && all >= leastShareOfAll * total ? intervals : null;
}

/** How often a number can be divided by 2. */
const alignmentOf = (value: number): number => (value === 0 ? 32 : Math.log2(value & -value));

/**
 * Where in the file one piece ends and the next begins: where the fewest bytes are wrong; of several such places, the one
 * at the roundest offset, because memories are divided at those.
 */
function findSplit(image: Uint8Array, file: Uint8Array, before: Interval, after: Interval): number {
  const isWrong = (at: number, { displacement }: Interval): number =>
    file[at] === image[at - displacement] ? 0 : 1;
  let wrong = 0;
  for (let at = before.last; at < after.first; at += 1) wrong += isWrong(at, after);
  let best = before.last;
  let fewest = wrong;
  for (let at = before.last; at < after.first; at += 1) {
    wrong += isWrong(at, before) - isWrong(at, after);
    const split = at + 1;
    const isRounder = wrong === fewest && alignmentOf(split) > alignmentOf(best);
    if (wrong < fewest || isRounder) {
      fewest = wrong;
      best = split;
    }
  }
  return best;
}

function cut(reference: Reference, file: Uint8Array, intervals: readonly Interval[]): Piece[] {
  const { image } = reference;
  const splits = intervals
    .slice(1)
    .map((after, index) => findSplit(image, file, intervals[index] ?? after, after));
  const bounds = [0, ...splits, file.length];
  return intervals.map(({ displacement }, index) => {
    const inside = overlapOf(image.length, file.length, displacement);
    const from = Math.max(bounds[index] ?? 0, inside.from + displacement);
    const to = Math.min(bounds[index + 1] ?? 0, inside.to + displacement);
    return { from, to: from - displacement, length: Math.max(0, to - from) };
  });
}

/** Whether the pieces agree with the image as a whole. */
function agree(reference: Reference, file: Uint8Array, pieces: readonly Piece[]): boolean {
  let total = 0;
  let equal = 0;
  for (const { from, to, length } of pieces) {
    const found = compareAt(reference, file, from - to, { from: to, to: to + length });
    total += found.total;
    equal += found.equal;
  }
  return total > 0 && equal >= leastAgreement * total;
}

/** Whether no byte of the image is in two pieces. */
function areApart(pieces: readonly Piece[]): boolean {
  const sorted = pieces.toSorted((a, b) => a.to - b.to);
  return sorted.every(
    ({ to }, index) =>
      index === 0 || to >= (sorted[index - 1]?.to ?? 0) + (sorted[index - 1]?.length ?? 0),
  );
}

/** Bytes that were lost (positive) or inserted between two pieces; null if they are different parts. */
function lostBetween([one, other, ...rest]: readonly Interval[]): number | null {
  if (one === undefined || other === undefined || rest.length > 0) return null;
  const lost = one.displacement - other.displacement;
  return Math.abs(lost) <= mostLost ? lost : null;
}

/** Explains a file in pieces; null if it is not in pieces. */
export function explainPieces(
  reference: Reference,
  file: Uint8Array,
  votes: Votes,
): Explained | null {
  const intervals = chooseIntervals(votes);
  if (intervals === null) return null;
  const pieces = cut(reference, file, intervals);
  const lost = lostBetween(intervals);
  if (!agree(reference, file, pieces) || (lost === null && !areApart(pieces))) return null;
  const missing = gapsBetween(pieces, reference.image.length);
  const last = pieces.at(-1) ?? { from: 0, to: 0, length: 0 };
  const from = pieces[0]?.from ?? 0;
  const outside = extrasAround(file, { from, to: 0, length: last.from + last.length - from });
  const isWhole = missing.length === 0 && outside.length === 0 && areApart(pieces);
  return {
    kind: 'pieces',
    details: {
      pieces: pieces.slice(0, mostListed),
      ...(missing.length > 0 ? { missing } : {}),
      ...(outside.length > 0 ? { outside } : {}),
      ...(lost === null ? {} : { lost }),
    },
    result: () => lay(reference, file, pieces),
    isOffered: areApart(pieces),
    isLossless: isWhole,
  };
}
