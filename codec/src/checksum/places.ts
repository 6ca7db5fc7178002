/** Where in an image the rules of a scheme write. */

import { calculate, newMeter } from './calculate.ts';
import { writePlaces } from './judge.ts';
import type { ChecksumRule, Range } from './scheme.ts';

/** The bytes that a rule's correction writes, or that contain its signature. */
export function checksumRanges(rule: ChecksumRule, image: Uint8Array): readonly Range[] {
  const { algorithm, result } = rule;
  if (algorithm.kind === 'signature') {
    return result.kind === 'store-bytes' ? [{ at: result.at, length: algorithm.length }] : [];
  }
  if (result.kind !== 'store-bytes') {
    return writePlaces(rule, 0);
  }
  const value = calculate(rule, image, newMeter(image.length))?.value;
  return value instanceof Uint8Array ? writePlaces(rule, value.length) : [];
}

/** Whether a rule writes a second copy of a range: bytes with a meaning of their own, which a user may have changed. */
export function isCopy({ algorithm }: ChecksumRule): boolean {
  return algorithm.kind === 'copy';
}
