/** The changes of a user that a correction overwrites; the encode and the pre-flight share them. */

import { isDisabled } from '../checksum/judge.ts';
import { checksumRanges, isCopy } from '../checksum/places.ts';
import { isInside } from '../checksum/ranges.ts';
import type { Range } from '../checksum/scheme.ts';
import { type Changes, compareImages, type Span } from '../compare.ts';
import { CodecError } from '../errors.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import type { Corrections } from './correct-image.ts';

/** An image before the user's changes, with them, and as it is encoded. All have the same size. */
export interface ImageStages {
  readonly before: Uint8Array;
  readonly modified: Uint8Array;
  readonly encoded: Uint8Array;
}

/** The changed bytes that are not encoded as they were uploaded. */
export interface LostChanges {
  readonly bytes: number;
  /** At most 64. */
  readonly spans: readonly Readonly<Span>[];
  /** The rules that overwrite them; `CVN` for its correction. */
  readonly rules: readonly string[];
  /** Nothing of the change is left, and more than checksum fields is lost. */
  readonly isAll: boolean;
}

const nothing: LostChanges = { bytes: 0, spans: [], rules: [], isAll: false };

/** Whether a correction of this component can overwrite more than checksum fields. */
export function hasCopies({ checksums = [] }: ComponentSpec): boolean {
  return checksums.some(isCopy);
}

/** The error with which an encode refuses to lose a whole change; null if it does not. */
export function faultOfLost({ isAll, rules }: LostChanges): CodecError | null {
  return isAll ? new CodecError('CHANGE_OVERWRITTEN', rules.join(', ')) : null;
}

/** Where a correction writes, and the name under which it is reported. */
interface Writer {
  readonly name: string;
  readonly isCopy: boolean;
  readonly places: readonly Range[];
}

function writersOf(
  { checksums = [], cvn }: ComponentSpec,
  { willCorrectCVN }: Corrections,
  encoded: Uint8Array,
): Writer[] {
  const rules = checksums
    .filter((rule) => !isDisabled(rule, encoded))
    .map((rule) => ({
      name: rule.name,
      isCopy: isCopy(rule),
      places: checksumRanges(rule, encoded).filter((place) => isInside(place, encoded.length)),
    }));
  return willCorrectCVN && cvn !== undefined
    ? [...rules, { name: 'CVN', isCopy: false, places: [{ at: cvn.compensationAt, length: 4 }] }]
    : rules;
}

/** The encoded image with the lost bytes as the user had changed them. */
function withLost({ before, modified, encoded }: ImageStages, { strip }: Changes): Uint8Array {
  // not `slice`, which does not copy a Buffer
  const wanted = new Uint8Array(encoded);
  for (const { offset, length } of strip) {
    for (let at = offset; at < offset + length; at += 1) {
      const byte = modified[at];
      if (byte !== undefined && byte !== before[at]) {
        wanted[at] = byte;
      }
    }
  }
  return wanted;
}

const isSame = (one: Uint8Array, other: Uint8Array, { at, length }: Range): boolean =>
  Buffer.compare(one.subarray(at, at + length), other.subarray(at, at + length)) === 0;

/** What an encode with these corrections loses of a user's changes. */
export function findLost(
  spec: ComponentSpec,
  corrections: Corrections,
  stages: ImageStages,
): LostChanges {
  const { before, modified, encoded } = stages;
  if (encoded === modified) {
    return nothing;
  }
  const wanted = withLost(stages, compareImages(modified, encoded));
  const { bytes, strip } = compareImages(encoded, wanted);
  if (bytes === 0) {
    return nothing;
  }
  const writers = writersOf(spec, corrections, encoded).filter(({ places }) =>
    places.some((place) => !isSame(encoded, wanted, place)),
  );
  return {
    bytes,
    spans: strip,
    rules: writers.map(({ name }) => name),
    isAll: bytes === compareImages(before, modified).bytes && isMoreLost(writers, encoded, wanted),
  };
}

/** Whether a lost byte is not in a field of a checksum or of the CVN. */
function isMoreLost(writers: readonly Writer[], encoded: Uint8Array, wanted: Uint8Array): boolean {
  const rest = new Uint8Array(wanted);
  for (const { places } of writers.filter((writer) => !writer.isCopy)) {
    for (const { at, length } of places) {
      rest.set(encoded.subarray(at, at + length), at);
    }
  }
  return Buffer.compare(rest, encoded) !== 0;
}
