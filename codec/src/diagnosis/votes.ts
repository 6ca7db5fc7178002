/** Finds where the parts of a file belong in an image: each anchor that is found votes for a displacement. */

import {
  type Agreement,
  compareAt,
  leastAgreement,
  overlapOf,
  type Reference,
} from './agreement.ts';
import { chooseAnchors, findNeedles, keepUnique, type Needle, needleBytes } from './anchors.ts';
import { type Transformation, transform, transformations } from './transformations.ts';

/** Hits that are counted. */
const mostHits = 200_000;
/** Below this share of the image, anchors are taken from the file. */
const shortFile = 0.9;
/** Anchors without which nothing is searched. */
export const leastAnchors = 8;

/** A displacement (offset in the file minus offset in the image) that anchors voted for. */
export interface Alignment {
  /** Null: the bytes are as they are in the image. */
  readonly transformation: Transformation | null;
  readonly displacement: number;
  /** Offsets in the file where anchors were found, ascending. */
  readonly hits: readonly number[];
}

/** The result of a search. */
export interface Votes {
  /** Offsets in the image or, if `isFromFile`, in the file. */
  readonly anchors: readonly number[];
  readonly isFromFile: boolean;
  /** Most votes first. */
  readonly candidates: readonly Alignment[];
}

interface Mark {
  readonly transformation: Transformation | null;
  readonly anchor: number;
}

function makeNeedles(source: Uint8Array, anchors: readonly number[]): Needle<Mark>[] {
  return anchors.flatMap((anchor) => {
    const bytes = source.subarray(anchor, anchor + needleBytes);
    return [
      { bytes, value: { transformation: null, anchor } },
      ...transformations.map((transformation) => ({
        bytes: transform(bytes, transformation),
        value: { transformation, anchor },
      })),
    ];
  });
}

/**
 * Searches the parts of the file in the image. `image` can be one half of an image whose halves are equal; then the
 * displacements are those in this half.
 */
export function findVotes(image: Uint8Array, file: Uint8Array): Votes {
  const isFromFile = file.length < shortFile * image.length;
  const [source, searched] = isFromFile ? [file, image] : [image, file];
  const anchors = keepUnique(source, chooseAnchors(source));
  if (anchors.length < leastAnchors) return { anchors, isFromFile, candidates: [] };
  const found = new Map<string, { candidate: Alignment; hits: number[] }>();
  let count = 0;
  findNeedles(makeNeedles(source, anchors), searched, ({ transformation, anchor }, at) => {
    const [inFile, inImage] = isFromFile ? [anchor, at] : [at, anchor];
    const displacement = inFile - inImage;
    const key = `${transformation} ${displacement}`;
    const known = found.get(key);
    if (known) {
      known.hits.push(inFile);
    } else {
      const hits = [inFile];
      found.set(key, { candidate: { transformation, displacement, hits }, hits });
    }
    count += 1;
    return count < mostHits;
  });
  for (const { hits } of found.values()) hits.sort((a, b) => a - b);
  const candidates = Array.from(found.values(), ({ candidate }) => candidate).toSorted(
    (a, b) =>
      b.hits.length - a.hits.length ||
      Number(a.transformation !== null) - Number(b.transformation !== null) ||
      Math.abs(a.displacement) - Math.abs(b.displacement),
  );
  return { anchors, isFromFile, candidates };
}

/** A candidate that was compared with the whole overlap. */
export interface Placement {
  readonly transformation: Transformation | null;
  readonly displacement: number;
  /** The file, with the transformation undone. */
  readonly file: Uint8Array;
  readonly agreement: Agreement;
}

export const leastVotes = 4;
const leastVotesOfTinyFile = 2;
const tinyFile = 8192;
/** Votes as a share of the anchors that could be found. */
const leastShare = 0.35;
/** A part of the image that is smaller than this needs less agreement if no other place has a third of its votes. */
const smallPart = 0.75;
const leastAgreementOfPart = 0.6;
const votesOfOthers = 3;
const mostCompared = 16;

/** The anchors that could be found at a displacement. */
function countPossible(
  { anchors, isFromFile }: Votes,
  imageSize: number,
  fileSize: number,
  displacement: number,
): number {
  const { from, to } = overlapOf(imageSize, fileSize, displacement);
  const shift = isFromFile ? displacement : 0;
  return anchors.filter((at) => at - shift >= from && at - shift + needleBytes <= to).length;
}

/**
 * The file with a transformation undone. Anchors are at multiples of four of the file that they are from, and so are the
 * groups.
 */
function undo(
  file: Uint8Array,
  { transformation, displacement }: Pick<Alignment, 'transformation' | 'displacement'>,
  isFromFile: boolean,
): Uint8Array {
  return transformation === null
    ? file
    : transform(file, transformation, isFromFile ? 0 : displacement);
}

/**
 * The places where the file fits the image, most votes first. `period`: bytes after which the image repeats; its size if
 * it does not.
 */
export function findPlacements(
  reference: Reference,
  file: Uint8Array,
  votes: Votes,
  period: number,
): Placement[] {
  const { image } = reference;
  const least = file.length < tinyFile ? leastVotesOfTinyFile : leastVotes;
  const [first, second] = votes.candidates;
  return votes.candidates.slice(0, mostCompared).flatMap((candidate) => {
    const { transformation, hits } = candidate;
    const possible = countPossible(votes, period, file.length, candidate.displacement);
    if (hits.length < least || hits.length < leastShare * possible) return [];
    const displacement = widest(image.length, file.length, candidate.displacement, period);
    const undone = undo(file, candidate, votes.isFromFile);
    const agreement = compareAt(reference, undone, displacement);
    const { from, to } = overlapOf(image.length, file.length, displacement);
    const isAlone =
      candidate === first && votesOfOthers * (second?.hits.length ?? 0) <= hits.length;
    const isPart = to - from < smallPart * image.length && isAlone;
    const needed = isPart ? leastAgreementOfPart : leastAgreement;
    return agreement.share < needed
      ? []
      : [{ transformation, displacement, file: undone, agreement }];
  });
}

/** Of the places in an image that repeats, the one where most of the file is inside. */
function widest(imageSize: number, fileSize: number, displacement: number, period: number): number {
  let best = displacement;
  let most = -1;
  for (let moved = displacement; moved > displacement - imageSize; moved -= period) {
    const { from, to } = overlapOf(imageSize, fileSize, moved);
    if (to - from > most) {
      most = to - from;
      best = moved;
    }
  }
  return best;
}
