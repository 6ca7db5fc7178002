/** The steps that turn an uploaded image into the image of an encoded file; the encode and the pre-flight share them. */

import { correctChecksums, needsOriginal, type RuleReport } from '../checksum/checksum.ts';
import { correctCvn } from '../checksum/cvn.ts';
import { CodecError } from '../errors.ts';
import type { Identification } from './family-codec.ts';
import { checkOriginalAgainstRead } from './image-checks.ts';
import type { ComponentSpec } from '../protocols/shape.ts';

/** What decides whether an original is needed, and what it is compared with. */
export interface OriginalOfImage {
  /** The uploaded original or the Virtual Reading hit; null: none. */
  readonly original: Uint8Array | null;
  /** The read's own image; null if the read does not contain it. */
  readonly decoded: Uint8Array | null;
  /** The read contains only the identification. */
  readonly isMissing: boolean;
  /** What the slave reported about the ECU; null: nothing to compare the numbers with. */
  readonly identification: Identification | null;
  /** The original was found in the library by the read's own numbers, which are not compared again. */
  readonly isFromLibrary: boolean;
  readonly willSkipChecksum: boolean;
}

/**
 * The checked original of the single image; null if none is needed and none was given. Throws ORI_MISSING and
 * ORI_MISMATCH.
 */
export function requireOriginal(spec: ComponentSpec, asked: OriginalOfImage): Uint8Array | null {
  const { original, decoded, isMissing, identification, isFromLibrary } = asked;
  if (original === null) {
    if (isMissing || (needsOriginal(spec.checksums ?? []) && !asked.willSkipChecksum)) {
      throw new CodecError('ORI_MISSING', spec.name);
    }
    return null;
  }
  checkOriginalAgainstRead(spec, {
    decoded,
    identification: isMissing && !isFromLibrary ? identification : null,
    original,
  });
  return original;
}

/** The switches of an encode. */
export interface Corrections {
  readonly willCorrectCVN: boolean;
  /** Nothing is corrected, including the CVN. */
  readonly willSkipChecksum: boolean;
}

/**
 * Corrects the CVN, if requested and possible, then the checksums, which cover it. `base` is the original, else the
 * read's own image. The input image is never modified. Throws CVN_ERROR and the errors of `correctChecksums`.
 */
export function correctImage(
  { willCorrectCVN, willSkipChecksum }: Corrections,
  spec: ComponentSpec,
  image: Uint8Array,
  base: Uint8Array | null,
): { image: Uint8Array; reports: RuleReport[] } {
  if (willSkipChecksum) {
    return { image, reports: [] };
  }
  let corrected = image;
  if (willCorrectCVN && spec.cvn !== undefined) {
    if (base === null) {
      throw new CodecError('CVN_ERROR', spec.name);
    }
    corrected = correctCvn(spec.cvn, corrected, base);
  }
  if (spec.checksums === undefined) {
    return { image: corrected, reports: [] };
  }
  return correctChecksums(spec.checksums, corrected, base ?? undefined);
}
