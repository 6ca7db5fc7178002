/** The check of the checksums of a real control unit, for images whose protocol defines none. */

import { compareImages } from '../compare.ts';
import { CodecError } from '../errors.ts';
import {
  correctKnown,
  inspectImage,
  type Inspection,
  isSamePart,
  type KnownReport,
  reportOf,
} from '../known-checksums/known-checksums.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import type { ImageCheck, KnownChecksumsCheck, KnownPart } from './checks.ts';
import { made, unchecked } from './checks.ts';
import { attempt, checkFaultOf } from './faults.ts';

/** The check, and the image with the corrections that were asked for. */
export interface KnownChecksums {
  readonly check: KnownChecksumsCheck;
  readonly encoded: Uint8Array;
}

function refused(name: ComponentSpec['name'], error: CodecError): KnownChecksumsCheck {
  const fault = checkFaultOf(error);
  const check = unchecked('known-checksums', name, 'no-known-scheme');
  return { ...check, status: 'red', fault, reason: null };
}

/** The parts as they will be encoded; `before` is the image before the user's changes. */
function partsOf(now: Inspection, after: KnownReport, before: Inspection | null): KnownPart[] {
  const earlier = before && reportOf(before);
  return reportOf(now).parts.map(({ name, state, rules, wrong }) => ({
    name,
    state: state === 'wrong' && isRight(after, name) ? 'corrected' : state,
    rules,
    wrong,
    wasWrong: earlier?.parts.some((part) => part.name === name && part.state === 'wrong') ?? false,
    isTableChanged: before !== null && !isSamePart(before, now, name),
  }));
}

const isRight = ({ parts }: KnownReport, name: string): boolean =>
  parts.some((part) => part.name === name && (part.state === 'right' || part.state === 'off'));

/** Parts that the image had before the user's changes, and has no longer: all of them if its scheme is another one now. */
function lostParts(now: Inspection, before: Inspection | null): string[] {
  const earlier = before === null ? [] : reportOf(before).parts.map(({ name }) => name);
  if (before?.scheme !== now.scheme) return earlier;
  const names = reportOf(now).parts.map(({ name }) => name);
  return earlier.filter((name) => !names.includes(name));
}

/** An image that had a known scheme before the user's changes, and has none now: nothing in it can be found or corrected. */
function lostScheme(
  name: ComponentSpec['name'],
  willCorrect: boolean,
  before: Inspection,
): KnownChecksumsCheck {
  if (willCorrect) return refused(name, new CodecError('CHECKSUM_UNCORRECTABLE'));
  const { scheme, isProved, parts } = reportOf(before);
  return made('known-checksums', name, 'amber', {
    ...{ scheme, isProved, signature: null, parts: [], willCorrect, canCorrect: false, bytes: 0 },
    lost: parts.map((part) => part.name),
  });
}

/**
 * What is known of the checksums of a modified image, and what an encode writes. `before` is the image before the user's
 * changes; null if it is not known.
 */
export function checkKnownChecksums(
  name: ComponentSpec['name'],
  willCorrect: boolean,
  { modified, before }: { readonly modified: Uint8Array; readonly before: Uint8Array | null },
): KnownChecksums {
  const found = before === null ? null : inspectImage(before);
  const now = inspectImage(modified, before ?? modified);
  if (now === null) {
    const check =
      found === null
        ? unchecked('known-checksums', name, 'no-known-scheme')
        : lostScheme(name, willCorrect, found);
    return { check, encoded: modified };
  }
  const report = reportOf(now);
  const correction = attempt(() => correctKnown(modified, before));
  if (willCorrect && correction.value === null) {
    const { internalCode, detail } = correction.fault;
    return { check: refused(name, new CodecError(internalCode, detail)), encoded: modified };
  }
  const encoded = (willCorrect ? correction.value : null) ?? modified;
  const earlier = found?.scheme === now.scheme ? found : null;
  const after =
    encoded === modified ? report : reportOf(inspectImage(encoded, before ?? modified) ?? now);
  const parts = partsOf(now, after, earlier);
  const lost = lostParts(now, found);
  const { scheme, isProved, signature } = report;
  const isDoubtful =
    !isProved ||
    lost.length > 0 ||
    (signature !== null && signature !== 'valid') ||
    parts.some(({ state, isTableChanged }) => isTableChanged || isOpen(state));
  const values = {
    ...{ scheme, isProved, signature, parts, willCorrect, lost },
    canCorrect: correction.value !== null,
    bytes: encoded === modified ? 0 : compareImages(modified, encoded).bytes,
  };
  const check = made('known-checksums', name, isDoubtful ? 'amber' : 'green', values);
  return { check, encoded };
}

const isOpen = (state: KnownPart['state']): boolean => state !== 'right' && state !== 'corrected';

/** The checks when a correction was asked for: the encode refuses each image that has no known scheme. */
export function refuseUnknown(checks: readonly ImageCheck[], willCorrect: boolean): ImageCheck[] {
  if (!willCorrect) return [...checks];
  const error = new CodecError('CHECKSUM_UNCORRECTABLE');
  return checks.map((check) =>
    check.id === 'known-checksums' && check.reason === 'no-known-scheme'
      ? refused(check.component, error)
      : check,
  );
}
