/** Decides which part each of several files belongs to, by size and similarity; pure. */
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import { componentExtensions } from '@recodery/contract/families/family';
import type { PartName } from '../../decoded-read.ts';

/** The minimum similarity at which an image is clearly a version of another. */
export const clearLikeness = 0.5;

/** A file that may be placed. */
export interface Candidate {
  readonly id: number;
  readonly name: string;
  /**
   * The parts whose size the file has, with its similarity to the read's image, 0 to 1; null if there is no image to
   * compare with.
   */
  readonly likeness: ReadonlyMap<PartName, number | null>;
}

/**
 * What decided: size and similarity; the name, if those fit several parts; or nothing, so that the user must check.
 */
export type Basis = 'content' | 'name' | 'nothing';

/** The proposal for a file; `part` null: it is not uploaded unless the user chooses a part. */
export interface Proposal {
  readonly part: PartName | null;
  readonly basis: Basis;
}

/** Whether a part accepts a file of this size in bytes. */
export function acceptsSize({ sizes }: PartFingerprint, size: number): boolean {
  if (sizes === null) return true;
  return 'min' in sizes ? size >= sizes.min && size <= sizes.max : sizes.includes(size);
}

/** Whether the size alone is meaningful: the part has only a few possible sizes. */
const isExact = ({ sizes }: PartFingerprint): boolean => sizes !== null && !('min' in sizes);

/** Whether a file is proposed for a part without asking the user: a part of any size needs a similar file. */
export function isProposed(part: PartFingerprint, likeness: number | null | undefined): boolean {
  if (likeness === undefined) return false;
  return isExact(part) || (likeness !== null && likeness >= clearLikeness);
}

/** Ranks a similarity: clearly similar, then unknown, then not similar. Differences below one percent do not count. */
function rankOf(likeness: number | null): number {
  if (likeness === null) return 100;
  return Math.round(likeness * 100) + (likeness >= clearLikeness ? 200 : 0);
}

const originalNames = /(?:^|[^a-z])(?:ori|orig|original|stock)(?![a-z])/;
const modifiedNames = /(?:^|[^a-z])(?:mod|modified|tuned|tuning|stage ?\d?)(?![a-z])/;

/** Whether a file's name mentions a part. */
function isNamed(name: string, part: PartName): boolean {
  const lower = name.toLowerCase();
  const own = part.toLowerCase();
  if (own === 'original') return originalNames.test(lower);
  if (own === 'modified') return modifiedNames.test(lower);
  const extension = Object.entries(componentExtensions).find(([component]) => component === own);
  return lower.includes(own) || (extension !== undefined && lower.endsWith(extension[1]));
}

interface Pair {
  readonly file: Candidate;
  readonly part: PartName;
  readonly rank: number;
  readonly isNamed: boolean;
}

/** Whether two pairs are equally good by size and similarity. */
const ties = (one: Pair, other: Pair): boolean => one !== other && one.rank === other.rank;

/** Pairs the files of a read of components: the best pair first, each file and each part once. */
function placeComponents(files: readonly Candidate[], parts: readonly PartFingerprint[]) {
  const all: readonly Pair[] = files
    .flatMap((file) =>
      parts
        .filter((part) => isProposed(part, file.likeness.get(part.part)))
        .map(({ part }) => ({
          file,
          part,
          rank: rankOf(file.likeness.get(part) ?? null),
          isNamed: isNamed(file.name, part),
        })),
    )
    .toSorted((one, other) => other.rank - one.rank || Number(other.isNamed) - Number(one.isNamed));
  const proposals = new Map<number, Proposal>();
  let pairs = all;
  for (let best = pairs[0]; best !== undefined; best = pairs[0]) {
    const { file, part } = best;
    const rivals = all.filter((pair) => ties(best, pair) && pair.file === file);
    proposals.set(file.id, { part, basis: basisOf(best, rivals) });
    pairs = pairs.filter((pair) => pair.file !== file && pair.part !== part);
  }
  return proposals;
}

function basisOf(best: Pair, rivals: readonly Pair[]): Basis {
  if (rivals.length === 0) return 'content';
  return best.isNamed && rivals.every((rival) => !rival.isNamed) ? 'name' : 'nothing';
}

/** The parts of a read of one image that needs its original too. */
const [modified, original] = ['modified', 'original'] as const;

/** A single file for a read that needs two: the original if it does not differ from the image, else what is missing. */
function placeAlone(file: Candidate, isFilled: (part: PartName) => boolean): Proposal {
  const likeness = file.likeness.get(original) ?? null;
  if (likeness === 1) return { part: original, basis: 'content' };
  const missing = isFilled(modified) && !isFilled(original) ? original : modified;
  if (likeness !== null) return { part: missing, basis: 'content' };
  const named = [modified, original].filter((part) => isNamed(file.name, part));
  const [only] = named;
  return only !== undefined && named.length === 1
    ? { part: only, basis: 'name' }
    : { part: missing, basis: isFilled(missing) ? 'nothing' : basisOfMissing(isFilled) };
}

/** If only one of the two is missing, no guess is needed. */
function basisOfMissing(isFilled: (part: PartName) => boolean): Basis {
  return isFilled(modified) || isFilled(original) ? 'content' : 'nothing';
}

/** How likely a file is the original, judging only by its name: 1, 0 or -1. */
function originalName({ name }: Candidate): number {
  return Number(isNamed(name, original)) - Number(isNamed(name, modified));
}

/** Two files or more for a read of one image: the one that is most similar to the image is its original. */
function placePair(files: readonly Candidate[]) {
  const rank = (file: Candidate) => rankOf(file.likeness.get(original) ?? null);
  const sorted = files.toSorted(
    (one, other) => rank(other) - rank(one) || originalName(other) - originalName(one),
  );
  const [first, second] = sorted;
  const proposals = new Map<number, Proposal>();
  if (first === undefined || second === undefined) return proposals;
  const isTie = rank(first) === rank(second);
  const basis = !isTie
    ? 'content'
    : originalName(first) !== originalName(second)
      ? 'name'
      : 'nothing';
  proposals.set(first.id, { part: original, basis });
  proposals.set(second.id, { part: modified, basis });
  return proposals;
}

/**
 * Proposes a part for each file that fits one. A file without a proposal fits no part, or only parts for which another
 * file is a better match. Names decide only where size and similarity do not. `isFilled`: the parts that have a file.
 */
export function placeFiles(
  files: readonly Candidate[],
  parts: readonly PartFingerprint[],
  isFilled: (part: PartName) => boolean,
): ReadonlyMap<number, Proposal> {
  if (!parts.some(({ part }) => part === original)) return placeComponents(files, parts);
  const fitting = files.filter(({ likeness }) => likeness.has(original));
  const [only] = fitting;
  return only !== undefined && fitting.length === 1
    ? new Map([[only.id, placeAlone(only, isFilled)]])
    : placePair(fitting);
}

/** What a page does with a file that was dropped on the row of a part. */
export type OwnPlace =
  /** Uploads it there. */
  | { readonly kind: 'fits' }
  /** Offers another part, to which it is clearly more similar; `fitsHere`: its size is right for the row too. */
  | { readonly kind: 'other'; readonly part: PartName; readonly fitsHere: boolean }
  /** Asks whether it is the right file: it has the size of the part, but not its content. */
  | { readonly kind: 'unlike'; readonly likeness: number };

/** Whether a file dropped on a part's row belongs there. A file that fits nowhere is left for the server to refuse. */
export function checkOwnPlace(
  file: Candidate,
  own: PartName,
  parts: readonly PartFingerprint[],
): OwnPlace {
  const here = file.likeness.get(own);
  if (here !== undefined && here !== null && here >= clearLikeness) return { kind: 'fits' };
  const others = placeComponents(
    [file],
    parts.filter(({ part }) => part !== own),
  ).get(file.id);
  const likeness = file.likeness.get(others?.part ?? '') ?? null;
  const isClear = likeness !== null && likeness >= clearLikeness;
  const fitsHere = here !== undefined;
  if (others?.part && others.basis !== 'nothing' && (isClear || !fitsHere)) {
    return { kind: 'other', part: others.part, fitsHere };
  }
  return here === undefined || here === null || !isOfKnownSize(parts, own)
    ? { kind: 'fits' }
    : { kind: 'unlike', likeness: here };
}

function isOfKnownSize(parts: readonly PartFingerprint[], own: PartName): boolean {
  return parts.some((part) => part.part === own && isExact(part));
}
