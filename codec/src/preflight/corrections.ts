/** The checks of a pre-flight on what the encode writes into an image: checksums, CVN, and what they overwrite. */

import { type RuleReport, verifyChecksums } from '../checksum/checksum.ts';
import { cvnOf } from '../checksum/cvn.ts';
import { checksumRanges } from '../checksum/places.ts';
import type { ChecksumScheme, Range } from '../checksum/scheme.ts';
import { toHex } from '../container/bytes.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import { type Corrections, correctImage } from '../recoding/correct-image.ts';
import { faultOfLost, findLost } from '../recoding/lost-changes.ts';
import type { ImageCheck, RuleOutcome, RulePlace } from './checks.ts';
import { made, unchecked } from './checks.ts';
import { attempt, checkFaultOf, red } from './faults.ts';
import type { KnownChecksums } from './known.ts';

/** A modified image, and the images that it is compared with. */
export interface Compared {
  readonly modified: Uint8Array;
  /** Before the user's changes: the read's own image, or without one its original. */
  readonly before: Uint8Array | null;
  /** What the encode corrects it with: the original, or without one the read's own image. */
  readonly base: Uint8Array | null;
}

type Encoded = Compared & { readonly encoded: Uint8Array };

/**
 * The checksums, what they overwrite, and the CVN: as the encode corrects them. `known`: what is corrected of a component
 * without checksum rules, before the encode; null: it has rules.
 */
export function checkCorrections(
  spec: ComponentSpec,
  corrections: Corrections,
  compared: Compared,
  known: KnownChecksums | null = null,
): ImageCheck[] {
  const { modified, base } = compared;
  const corrected = attempt(() => correctImage(corrections, spec, modified, base));
  if (corrected.fault !== null) {
    const fault = red(spec.name, corrected.fault);
    const left = (['checksums', 'overwritten', 'cvn'] as const).filter((id) => id !== fault.id);
    return [fault, ...left.map((id) => unchecked(id, spec.name, 'refused-before'))];
  }
  const { image: encoded, reports } = corrected.value;
  const images = { ...compared, encoded };
  return [
    checkChecksums(spec, corrections, images, reports),
    known === null || known.encoded === modified
      ? checkOverwritten(spec, corrections, images)
      : checkKnownOverwritten(spec, corrections, { ...compared, encoded: known.encoded }, known),
    ...checkCvn(spec, corrections, images),
  ];
}

function checkChecksums(
  { name, checksums }: ComponentSpec,
  { willSkipChecksum: isSkipped }: Corrections,
  { modified, base, encoded }: Encoded,
  corrected: readonly RuleReport[],
): ImageCheck {
  if (checksums === undefined) {
    return unchecked('checksums', name, 'no-scheme');
  }
  // an encode that skips the correction does not verify the checksums either
  const reports = isSkipped ? verifyChecksums(checksums, modified, base ?? undefined) : corrected;
  const rules = outcomesOf(checksums, reports, [modified, encoded]);
  const isWrong = rules.some(({ state }) => state === 'wrong');
  return made('checksums', name, isWrong ? 'amber' : 'green', { isSkipped, rules });
}

/** Whether the slave gets every byte as it was changed. */
function checkOverwritten(
  spec: ComponentSpec,
  corrections: Corrections,
  { before, modified, encoded }: Encoded,
): ImageCheck {
  if (before === null && encoded !== modified) {
    return unchecked('overwritten', spec.name, 'no-image-in-read');
  }
  const lost = findLost(spec, corrections, { before: before ?? modified, modified, encoded });
  const { bytes, spans, rules } = lost;
  const values = { bytes, spans, rules };
  const fault = faultOfLost(lost);
  const check = made('overwritten', spec.name, bytes === 0 ? 'green' : 'amber', values);
  return fault === null ? check : { ...check, status: 'red', fault: checkFaultOf(fault) };
}

/** As {@link checkOverwritten}, by the checksums of a real control unit, which overwrite nothing but checksum fields. */
function checkKnownOverwritten(
  spec: ComponentSpec,
  corrections: Corrections,
  { before, modified, encoded }: Encoded,
  { check }: KnownChecksums,
): ImageCheck {
  if (before === null) return unchecked('overwritten', spec.name, 'no-image-in-read');
  const { bytes, spans } = findLost(spec, corrections, { before, modified, encoded });
  const written = (check.values?.parts ?? []).filter(({ state }) => state === 'corrected');
  const rules = bytes === 0 ? [] : written.map(({ name }) => name);
  return made('overwritten', spec.name, bytes === 0 ? 'green' : 'amber', { bytes, spans, rules });
}

/**
 * What happens to the CVN. A change is a mistake only if the CVN was to be kept. A component without calibration has no
 * CVN, and no check.
 */
function checkCvn(
  { name, cvn, areas }: ComponentSpec,
  { willCorrectCVN: willCorrect }: Corrections,
  { base, modified, encoded }: Encoded,
): ImageCheck[] {
  if (cvn === undefined) {
    const isPossible = areas?.some(({ kind }) => kind === 'calibration') ?? true;
    return isPossible ? [unchecked('cvn', name, 'no-cvn')] : [];
  }
  if (base === null) {
    return [unchecked('cvn', name, 'no-image-in-read')];
  }
  const textOf = (image: Uint8Array): string => cvnOf(cvn, image).toString(16).padStart(8, '0');
  const values = {
    original: textOf(base),
    modified: textOf(modified),
    encoded: textOf(encoded),
    willCorrect,
  };
  const isLost = willCorrect && values.encoded !== values.original;
  return [made('cvn', name, isLost ? 'amber' : 'green', values)];
}

/** The maximum number of bytes of a place that are shown: as many as the longest digest has. */
const mostShown = 64;

/** The bytes of a place before and after; of a long one, those from the first that differs. */
function showPlace({ at, length }: Range, before: Uint8Array, after: Uint8Array): RulePlace {
  let first = 0;
  if (length > mostShown) {
    const differs = before
      .subarray(at, at + length)
      .findIndex((byte, index) => byte !== after[at + index]);
    first = Math.max(0, Math.min(differs, length - mostShown));
  }
  const shownAt = at + first;
  const show = (image: Uint8Array): string =>
    toHex(image.subarray(shownAt, Math.min(shownAt + mostShown, at + length)));
  return { at, length, shownAt, before: show(before), after: show(after) };
}

/** How each rule changes between the uploaded image and the encoded one; the reports describe these two. */
function outcomesOf(
  scheme: ChecksumScheme,
  reports: readonly RuleReport[],
  [before, after]: readonly [Uint8Array, Uint8Array],
): RuleOutcome[] {
  return scheme.map((rule, index) => {
    const places = checksumRanges(rule, after);
    const isWritten = places.some(({ at, length }) => {
      const [old, now] = [before, after].map((image) => image.subarray(at, at + length));
      return old !== undefined && now !== undefined && Buffer.compare(old, now) !== 0;
    });
    return {
      rule: rule.name,
      state: stateOf(reports[index]?.state, isWritten),
      places: places.map((place) => showPlace(place, before, after)),
    };
  });
}

function stateOf(state: string | undefined, isWritten: boolean): RuleOutcome['state'] {
  if (state === 'disabled') {
    return 'disabled';
  }
  if (state !== 'ok') {
    return 'wrong';
  }
  return isWritten ? 'corrected' : 'right';
}
