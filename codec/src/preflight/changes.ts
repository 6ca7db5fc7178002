/** The checks of a pre-flight that compare two images: how much was changed, and where. */

import { isChecksumFault, verifyChecksums } from '../checksum/checksum.ts';
import { checksumRanges, isCopy } from '../checksum/places.ts';
import { isInside, mergeRanges } from '../checksum/ranges.ts';
import type { ChecksumScheme, Range } from '../checksum/scheme.ts';
import { type Changes, compareImages } from '../compare.ts';
import type { ComponentSpec, IdentFieldName } from '../protocols/shape.ts';
import { made, unchecked } from './checks.ts';
import type {
  ChangedField,
  IdenticalCheck,
  MuchChangedCheck,
  OriginalCheck,
  OutsideCheck,
  TunedCheck,
} from './checks.ts';

/**
 * The share of an image, and of its calibration, above which a change is unusual. A tune changes single maps: between a
 * few bytes and a few percent of the image. Another software version, a shifted or byte-swapped image changes most of
 * the program; the data set of another vehicle changes most of the calibration, which is often less than a tenth of the
 * image and would not be noticed there.
 */
export const unusualShares = { image: 0.1, calibration: 0.5 } as const;

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

/** The differences within some ranges that do not overlap; positions are those in the whole image. */
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
  return made('identical', component, bytes === 0 ? 'amber' : 'green', { bytes });
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
  const values = { bytes, size, fraction, calibration };
  return made('much-changed', component, isUnusual ? 'amber' : 'green', values);
}

/** The maximum number of spans listed. */
const mostSpans = 64;

/**
 * Whether protected bytes, or bytes outside of the calibration were changed. `edited`: the fields that the check of the
 * identification reports. Checksums and second copies are not counted, unless they are protected. Without a
 * calibration only protected bytes are counted. Both images have one size.
 */
export function checkOutside(
  spec: ComponentSpec,
  edited: readonly ChangedField['name'][],
  before: Uint8Array,
  after: Uint8Array,
): OutsideCheck {
  const size = after.length;
  const without = (ranges: readonly Range[], ...others: readonly Range[]) =>
    gapsOf([...gapsOf(ranges, size), ...others], size);
  const count = (ranges: readonly Range[]) => compareWithin(ranges, before, after);
  const calibration = calibrationOf(spec, size);
  const { protectedRanges = [], ident, checksums = [] } = spec;
  if (calibration.length === 0 && protectedRanges.length === 0) {
    return unchecked('outside-calibration', spec.name, 'no-areas');
  }
  const fields = (ident?.fields ?? []).filter(({ name }) => edited.includes(name));
  const places = checksums.flatMap((rule) => checksumRanges(rule, after));
  const guarded = without(protectedRanges, ...fields);
  const beyond =
    calibration.length === 0 ? [] : gapsOf([...calibration, ...fields, ...places], size);
  const counted = mergeRanges([...guarded, ...beyond]);
  const { bytes, strip } = count(counted);
  const values = {
    bytes,
    protectedBytes: count(guarded).bytes,
    hasCalibration: calibration.length > 0,
    identificationBytes: count(mergeRanges(fields)).bytes,
    checksumBytes: count(without(places, ...calibration, ...fields, ...counted)).bytes,
    spans: strip.slice(0, mostSpans),
  };
  return made('outside-calibration', spec.name, bytes === 0 ? 'green' : 'amber', values);
}

/** The fields that differ between vehicles with the same software. */
const vehicleFields: readonly IdentFieldName[] = ['vin', 'serialNumber'];

/**
 * Whether a read still matches the library's original for its software. Values that differ between vehicles (VIN,
 * serial number, counters) are not compared, nor the checksums that follow from them; second copies are. `spec` is null if
 * the protocol is not known: then every byte counts.
 */
export function checkTuned(
  component: ComponentSpec['name'],
  spec: ComponentSpec | null,
  read: Uint8Array,
  original: Uint8Array,
): TunedCheck {
  const own = [
    ...(spec?.ident?.fields ?? []).filter(({ name }) => vehicleFields.includes(name)),
    ...(spec?.areas ?? []).filter(({ kind }) => kind === 'counters'),
    ...(spec?.checksums ?? [])
      .filter((rule) => !isCopy(rule))
      .flatMap((rule) => checksumRanges(rule, read)),
  ];
  const size = Math.max(read.length, original.length);
  const { bytes } = compareWithin(gapsOf(own, size), read, original);
  return made('already-tuned', component, bytes === 0 ? 'green' : 'amber', { bytes });
}

/**
 * Whether an uploaded original is the original of the read: the read's own image is the best witness, and every byte
 * counts. A read without it only leaves the original's own checksums, and whether it is the modified file. `spec` is
 * null if the protocol is not known.
 */
export function checkUploadedOriginal(
  component: ComponentSpec['name'],
  spec: ComponentSpec | null,
  original: Uint8Array,
  { modified, decoded }: Readonly<Record<'modified' | 'decoded', Uint8Array | null>>,
): OriginalCheck {
  const isModified = modified !== null && Buffer.compare(original, modified) === 0;
  const bytes = decoded === null ? null : compareImages(decoded, original).bytes;
  const rules = rulesAgainst(spec?.checksums ?? [], original, decoded);
  const isDoubtful = rules.length > 0 || (bytes === null ? isModified : bytes > 0);
  if (bytes === null && !isDoubtful) {
    return unchecked('original', component, 'no-image-in-read');
  }
  return made('original', component, isDoubtful ? 'amber' : 'green', { bytes, isModified, rules });
}

/** The rules that an original breaks: those of the read that need it, or without the read's image its own. */
function rulesAgainst(
  checksums: ChecksumScheme,
  original: Uint8Array,
  decoded: Uint8Array | null,
): string[] {
  const needing = checksums.filter(({ needsOriginal }) => needsOriginal);
  const reports =
    decoded === null
      ? verifyChecksums(checksums, original)
      : verifyChecksums(needing, decoded, original);
  return reports.filter((report) => isChecksumFault(checksums, report)).map(({ rule }) => rule);
}
