/** The checks of a pre-flight that compare two images: how much was changed, and where. */

import { calculate, newMeter } from '../checksum/calculate.ts';
import { writePlaces } from '../checksum/judge.ts';
import { isInside, mergeRanges } from '../checksum/ranges.ts';
import type { ChecksumRule, Range } from '../checksum/scheme.ts';
import { type Changes, compareImages } from '../compare.ts';
import type { ComponentSpec, IdentFieldName } from '../protocols/shape.ts';
import type { IdenticalCheck, MuchChangedCheck, OutsideCheck, TunedCheck } from './checks.ts';

/**
 * The share of an image, and of its calibration, above which a change is unusual. A tune changes single maps: between a
 * few bytes and a few percent of the image. Another software version, a shifted or byte-swapped image changes most of
 * the program; the data set of another vehicle changes most of the calibration, which is often less than a tenth of the
 * image and would not be noticed there.
 */
export const unusualShares = { image: 0.1, calibration: 0.5 } as const;

/** The bytes that a rule's correction writes, or that contain its signature. */
export function placesOf(rule: ChecksumRule, image: Uint8Array): readonly Range[] {
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

/** The parts of an image of this size that none of the ranges covers. */
function gapsOf(ranges: readonly Range[], size: number): readonly Range[] {
  const gaps: Range[] = [];
  let from = 0;
  for (const { at, length } of mergeRanges(ranges)) {
    if (Math.min(at, size) > from) {
      gaps.push({ at: from, length: Math.min(at, size) - from });
    }
    from = Math.max(from, at + length);
  }
  return from < size ? [...gaps, { at: from, length: size - from }] : gaps;
}

/** The differences within some ranges; positions are those in the whole image. */
function compareWithin(
  ranges: readonly Range[],
  before: Uint8Array,
  after: Uint8Array,
): Pick<Changes, 'bytes' | 'strip'> {
  let bytes = 0;
  const strip: Changes['strip'] = [];
  for (const { at, length } of ranges) {
    const found = compareImages(before.subarray(at, at + length), after.subarray(at, at + length));
    bytes += found.bytes;
    strip.push(...found.strip.map((span) => ({ ...span, offset: span.offset + at })));
  }
  return { bytes, strip };
}

/** The calibration of a component in an image of this size; empty if the protocol does not know it. */
function calibrationOf({ areas = [], cvn }: ComponentSpec, size: number): readonly Range[] {
  const known = areas.filter(({ kind }) => kind === 'calibration');
  return mergeRanges([...known, ...(cvn === undefined ? [] : [cvn.calibration])]).filter((range) =>
    isInside(range, size),
  );
}

/** Whether the modified image is the read's own. */
export function checkIdentical(
  component: ComponentSpec['name'],
  { bytes }: Pick<Changes, 'bytes'>,
): IdenticalCheck {
  const status = bytes === 0 ? 'amber' : 'green';
  return { id: 'identical', status, component, fault: null, values: { bytes } };
}

/** Whether an unusually large part was changed. `spec` is null if the protocol is not known. */
export function checkMuchChanged(
  component: ComponentSpec['name'],
  spec: ComponentSpec | null,
  { bytes, size, fraction }: Changes,
  [before, after]: readonly [Uint8Array, Uint8Array],
): MuchChangedCheck {
  const ranges = spec === null ? [] : calibrationOf(spec, Math.min(before.length, after.length));
  const length = ranges.reduce((sum, range) => sum + range.length, 0);
  const calibration = length === 0 ? null : compareWithin(ranges, before, after).bytes / length;
  const isUnusual =
    fraction > unusualShares.image || (calibration ?? 0) > unusualShares.calibration;
  return {
    id: 'much-changed',
    status: isUnusual ? 'amber' : 'green',
    component,
    fault: null,
    values: { bytes, size, fraction, calibration },
  };
}

/** The maximum number of spans listed. */
const mostSpans = 64;

/**
 * Whether bytes outside of the calibration were changed, not counting identification fields, which have a separate
 * check, and checksums. Null if the protocol does not know where the calibration is. Both images have one size.
 */
export function checkOutside(
  spec: ComponentSpec,
  before: Uint8Array,
  after: Uint8Array,
): OutsideCheck | null {
  const calibration = calibrationOf(spec, after.length);
  if (calibration.length === 0) {
    return null;
  }
  const expected = [
    ...calibration,
    ...(spec.ident?.fields ?? []),
    ...(spec.checksums ?? []).flatMap((rule) => placesOf(rule, after)),
  ];
  const { bytes, strip } = compareWithin(gapsOf(expected, after.length), before, after);
  // protected bytes that are not expected to change
  const guarded = gapsOf(
    [...expected, ...gapsOf(spec.protectedRanges ?? [], after.length)],
    after.length,
  );
  return {
    id: 'outside-calibration',
    status: bytes === 0 ? 'green' : 'amber',
    component: spec.name,
    fault: null,
    values: {
      bytes,
      protectedBytes: compareWithin(guarded, before, after).bytes,
      spans: strip.slice(0, mostSpans),
    },
  };
}

/** The fields that differ between vehicles with the same software. */
const vehicleFields: readonly IdentFieldName[] = ['vin', 'serialNumber'];

/**
 * Whether a read still matches the library's original for its software. Checksums and values that differ between
 * vehicles (VIN, serial number, counters) are not compared.
 */
export function checkTuned(
  spec: ComponentSpec,
  read: Uint8Array,
  original: Uint8Array,
): TunedCheck {
  const own = [
    ...(spec.ident?.fields ?? []).filter(({ name }) => vehicleFields.includes(name)),
    ...(spec.areas ?? []).filter(({ kind }) => kind === 'counters'),
    ...(spec.checksums ?? []).flatMap((rule) => placesOf(rule, read)),
  ];
  const size = Math.max(read.length, original.length);
  const { bytes } = compareWithin(gapsOf(own, size), read, original);
  return {
    id: 'already-tuned',
    status: bytes === 0 ? 'green' : 'amber',
    component: spec.name,
    fault: null,
    values: { bytes },
  };
}
