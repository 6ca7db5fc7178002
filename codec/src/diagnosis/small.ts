/** Exact tests for small components, where too few pieces are distinctive to search them. */

import {
  compareAt,
  leastAgreement,
  leastInformative,
  overlapOf,
  type Reference,
} from './agreement.ts';
import type { Explained } from './candidate.ts';
import { explainPlacement, explainRepeated } from './places.ts';
import { type Transformation, transform, transformations } from './transformations.ts';

/** Below this size, only a whole image at one end of the file, or the reverse, is reported. */
const tiny = 1024;
const shifts = { least: 16, most: 65_536 } as const;

/** Displacements that are tried, in this order. */
function displacementsOf(imageSize: number, fileSize: number): readonly number[] {
  const difference = fileSize - imageSize;
  const list = [0, difference];
  for (let at = imageSize; at <= difference; at += imageSize) list.push(at);
  if (imageSize >= tiny) {
    for (let shift: number = shifts.least; shift <= shifts.most; shift *= 2)
      list.push(shift, -shift);
  }
  return [...new Set(list)].filter(
    (displacement) => displacement < fileSize && -displacement < imageSize,
  );
}

/** Whether a file without much information is, byte for byte, the beginning or the end of the image. */
function isEqualPart({ image }: Reference, file: Uint8Array, displacement: number): boolean {
  const isAnEnd = displacement === 0 || displacement === file.length - image.length;
  const part = image.subarray(-displacement, file.length - displacement);
  return displacement <= 0 && isAnEnd && Buffer.compare(part, file) === 0;
}

function explainAt(
  reference: Reference,
  file: Uint8Array,
  displacement: number,
  transformation: Transformation | null,
): Explained | null {
  const { from, to } = overlapOf(reference.image.length, file.length, displacement);
  const agreement = compareAt(reference, file, displacement, { from, to });
  const isEnough = agreement.total >= leastInformative;
  if (isEnough ? agreement.share < leastAgreement : !isEqualPart(reference, file, displacement)) {
    return null;
  }
  return explainPlacement(reference, { transformation, displacement, file, agreement });
}

/** Explains a misfit of a small component; null if the exact tests find nothing. */
export function explainSmall(reference: Reference, file: Uint8Array): Explained | null {
  const { image } = reference;
  const repeated = explainRepeated(reference, file, null);
  if (repeated) return repeated;
  if (file.length === image.length && image.length >= tiny) {
    for (const transformation of transformations) {
      const undone = transform(file, transformation);
      const explained = explainAt(reference, undone, 0, transformation);
      if (explained) return explained;
    }
  }
  for (const displacement of displacementsOf(image.length, file.length)) {
    const explained = explainAt(reference, file, displacement, null);
    if (explained) return explained;
  }
  return null;
}
