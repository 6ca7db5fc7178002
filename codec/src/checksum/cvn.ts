/**
 * `REF-CVN`, the calibration verification number of the reference protocols, and how a tuned image keeps the original's
 * CVN.
 */

import { crcOf, solveCrc } from './crc.ts';
import { isInside } from './ranges.ts';
import { crc32IsoHdlc } from './crc-catalog.ts';
import { CodecError } from '../errors.ts';
import type { CvnLayout } from './scheme.ts';

/** The CVN of an image: CRC-32/ISO-HDLC over its calibration area. */
export function cvnOf({ calibration: { at, length } }: CvnLayout, image: Uint8Array): number {
  return crcOf(crc32IsoHdlc, [image.subarray(at, at + length)]);
}

/**
 * The modified image with the four compensation bytes set so that its CVN equals the original's; a new array, or the
 * image itself if the CVN is already right. Checksums that cover the calibration must be corrected afterward.
 * @throws CodecError CVN_ERROR if the images differ in size or do not have this area.
 */
export function correctCvn(layout: CvnLayout, image: Uint8Array, original: Uint8Array): Uint8Array {
  const { calibration, compensationAt } = layout;
  if (image.length !== original.length || !isInside(calibration, image.length)) {
    throw new CodecError('CVN_ERROR');
  }
  const change = (cvnOf(layout, image) ^ cvnOf(layout, original)) >>> 0;
  if (change === 0) {
    return image;
  }
  const after = calibration.at + calibration.length - compensationAt - 4;
  const flips = solveCrc(crc32IsoHdlc, change, 4, after);
  if (flips === null) {
    throw new CodecError('CVN_ERROR');
  }
  // Not `slice`, which does not copy a Buffer.
  const corrected = new Uint8Array(image);
  flips.forEach((flip, index) => {
    corrected[compensationAt + index] = (image[compensationAt + index] ?? 0) ^ flip;
  });
  return corrected;
}
