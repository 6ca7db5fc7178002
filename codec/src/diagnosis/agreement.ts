/** How much of a read is in a file at a displacement, counted only where the read carries information. */

/** Bytes of a block. */
export const blockBytes = 16;
/** Parts of an overlap whose ends are judged on their own. */
const parts = 16;

/** Erased areas and tables of one value are equal in unrelated images, so only informative blocks are compared. */
function isInformative(image: Uint8Array, at: number): boolean {
  const first = image[at];
  let second: number | undefined;
  let third: number | undefined;
  for (let index = at + 1; index < at + blockBytes; index += 1) {
    const value = image[index];
    if (value === first || value === second || value === third) continue;
    if (second === undefined) second = value;
    else if (third === undefined) third = value;
    else return true;
  }
  return false;
}

/** Which blocks of 16 bytes have at least four different values: 1 for each that has. */
export function markInformative(image: Uint8Array): Uint8Array {
  const marks = new Uint8Array(Math.floor(image.length / blockBytes));
  for (let block = 0; block < marks.length; block += 1) {
    marks[block] = isInformative(image, block * blockBytes) ? 1 : 0;
  }
  return marks;
}

/** A read's image that files are compared with. */
export interface Reference {
  readonly image: Uint8Array;
  /** See {@link markInformative}. */
  readonly marks: Uint8Array;
}

/** Prepares an image for comparisons. */
export function makeReference(image: Uint8Array): Reference {
  return { image, marks: markInformative(image) };
}

/** The result of a comparison. */
export interface Agreement {
  /** Informative bytes that were compared. */
  readonly total: number;
  /** Those of them that are equal. */
  readonly equal: number;
  /** `equal / total`; 0 if nothing could be compared. */
  readonly share: number;
  /** Whether at least half is equal in the first and in the last sixteenth. */
  readonly hasEvenEdges: boolean;
}

/** A part of an image, in bytes. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The part of the image that overlaps a file at a displacement (offset in the file minus offset in the image). */
export function overlapOf(imageSize: number, fileSize: number, displacement: number): Window {
  const from = Math.max(0, -displacement);
  return { from, to: Math.max(from, Math.min(imageSize, fileSize - displacement)) };
}

/** Compares a window of the image with the file. `displacement`: offset in the file minus offset in the image. */
export function compareAt(
  { image, marks }: Reference,
  file: Uint8Array,
  displacement: number,
  window: Window = overlapOf(image.length, file.length, displacement),
): Agreement {
  const first = Math.ceil(window.from / blockBytes);
  const last = Math.floor(window.to / blockBytes);
  const totals = new Uint32Array(parts);
  const equals = new Uint32Array(parts);
  const blocks = Math.max(1, last - first);
  for (let block = first; block < last; block += 1) {
    if (marks[block] === 0) continue;
    const at = block * blockBytes;
    let equal = 0;
    for (let index = at; index < at + blockBytes; index += 1) {
      if (image[index] === file[index + displacement]) equal += 1;
    }
    const part = Math.floor(((block - first) * parts) / blocks);
    totals[part] = (totals[part] ?? 0) + blockBytes;
    equals[part] = (equals[part] ?? 0) + equal;
  }
  const total = totals.reduce((sum, count) => sum + count, 0);
  const equal = equals.reduce((sum, count) => sum + count, 0);
  const isEven = (part: number): boolean => (equals[part] ?? 0) * 2 >= (totals[part] ?? 0);
  return {
    total,
    equal,
    share: total === 0 ? 0 : equal / total,
    hasEvenEdges: isEven(0) && isEven(parts - 1),
  };
}

/** The share of equal informative bytes from which a file is the image. */
export const leastAgreement = 0.9;

/** Informative bytes without which a comparison says nothing. */
export const leastInformative = 32;

/** Whether a file of the same size is the image, perhaps tuned. Images with little information must be equal. */
export function fits(reference: Reference, file: Uint8Array): boolean {
  if (file.length !== reference.image.length) return false;
  const { total, share } = compareAt(reference, file, 0);
  return total < leastInformative
    ? Buffer.compare(reference.image, file) === 0
    : share >= leastAgreement;
}
