/** Explains a file with every second byte of the image: the contents of one of two memory chips. */

import { compareAt, leastAgreement, makeReference, type Reference } from './agreement.ts';
import type { Explained } from './candidate.ts';

const shares = { least: 0.4, most: 0.6 } as const;

/** Every second byte, from `first`. */
function laneOf(image: Uint8Array, first: number): Uint8Array {
  const lane = new Uint8Array((image.length - first + 1) >>> 1);
  for (let index = 0; index < lane.length; index += 1) lane[index] = image[first + 2 * index] ?? 0;
  return lane;
}

/** Explains a file of about half the size of the image; null if it is not every second byte. */
export function explainLane({ image }: Reference, file: Uint8Array): Explained | null {
  const share = file.length / image.length;
  if (share < shares.least || share > shares.most) return null;
  for (const [first, lane] of (['even', 'odd'] as const).entries()) {
    const reference = makeReference(laneOf(image, first));
    const agreement = compareAt(reference, file, 0).share;
    if (agreement >= leastAgreement) {
      return {
        kind: 'every-second-byte',
        details: { lane, agreement },
        result: null,
        isOffered: false,
        isLossless: false,
      };
    }
  }
  return null;
}
