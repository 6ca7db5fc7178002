/** Explains a file that contains the image, or one part of it, at one displacement: whole, repeated, shifted or cut. */

import { fits, overlapOf, type Reference } from './agreement.ts';
import { type Explained, extrasAround, gapsBetween, lay } from './candidate.ts';
import type { Piece } from './finding.ts';
import type { DiagnosisKind } from './kinds.ts';
import { mostListed } from './finding.ts';
import type { Transformation } from './transformations.ts';
import type { Placement } from './votes.ts';

const transformationFact = (transformation: Transformation | null) =>
  transformation === null ? {} : { transformation };

/** The kind of a file whose bytes were exchanged or changed in place. */
function kindOf(transformation: Transformation): DiagnosisKind {
  if (transformation === 'inverted') return 'inverted';
  return transformation === 'bits' ? 'bit-order' : 'swapped';
}

/** A file of several images, one behind the other. `file`: with the transformation undone. */
export function explainRepeated(
  reference: Reference,
  file: Uint8Array,
  transformation: Transformation | null,
): Explained | null {
  const { image } = reference;
  const count = file.length / image.length;
  if (!Number.isInteger(count) || count < 2) return null;
  const copyAt = (copy: number): Uint8Array =>
    file.subarray(copy * image.length, (copy + 1) * image.length);
  const copies = Array.from({ length: count }, (_, copy) => copyAt(copy));
  if (!copies.every((copy) => fits(reference, copy))) return null;
  const differing = copies.flatMap((copy, index) =>
    Buffer.compare(copy, image) === 0 ? [] : [index],
  );
  const first = copyAt(0);
  const areEqual = copies.every((copy) => Buffer.compare(copy, first) === 0);
  const [changed = 0] = differing;
  return {
    kind: 'repeated',
    details: {
      ...transformationFact(transformation),
      copies: { count, changed: areEqual ? [] : differing.slice(0, mostListed) },
      pieces: copies
        .map((_, copy): Piece => ({ from: copy * image.length, to: 0, length: image.length }))
        .slice(0, mostListed),
    },
    // If several copies were changed in different ways, only the user knows which one is meant.
    result: () => new Uint8Array(areEqual ? first : copyAt(changed)),
    isOffered: areEqual || differing.length === 1,
    isLossless: true,
  };
}

/** A file that contains the image, or a part of it, in one piece. */
export function explainPlacement(reference: Reference, placement: Placement): Explained | null {
  const { image } = reference;
  const { transformation, displacement, file, agreement } = placement;
  const { from, to } = overlapOf(image.length, file.length, displacement);
  const piece: Piece = { from: from + displacement, to: from, length: to - from };
  const pieces = [piece];
  const outside = extrasAround(file, piece);
  const missing = gapsBetween(pieces, image.length);
  const details = {
    ...transformationFact(transformation),
    pieces,
    ...(outside.length > 0 ? { outside } : {}),
    ...(missing.length > 0 ? { missing } : {}),
    agreement: agreement.share,
  };
  const isOffered = agreement.hasEvenEdges;
  if (missing.length === 0 && outside.length === 0) {
    return transformation === null
      ? null
      : { kind: kindOf(transformation), details, result: () => file, isOffered, isLossless: true };
  }
  if (missing.length === 0) {
    const isOnlyFill = outside.every(({ fill }) => fill !== null);
    const result = () => file.slice(piece.from, piece.from + piece.length);
    return {
      kind: 'inside',
      details,
      result,
      isOffered: isOffered && isOnlyFill,
      isLossless: true,
    };
  }
  return {
    kind: outside.length === 0 ? 'partial' : 'shifted',
    details: outside.length === 0 ? details : { ...details, shift: displacement },
    result: () => lay(reference, file, pieces),
    isOffered,
    isLossless: false,
  };
}
