/** Verifies and corrects the checksums of real control units, as far as they are known. */

import { correctChecksums, type RuleReport, verifyChecksums } from '../checksum/checksum.ts';
import { compareImages } from '../compare.ts';
import { CodecError } from '../errors.ts';
import { findPart } from './expand.ts';
import type { FoundPart } from './found-part.ts';
import type { Fold, KnownScheme } from './language.ts';
import { knownSchemes } from './schemes/registry.ts';

/**
 * A part of a scheme that an image has. `off`: the image switches some of its rules off, the others are right.
 * `not-checked`: it is there, but what it covers is not certain.
 */
interface KnownPartReport {
  readonly name: string;
  readonly state: 'right' | 'wrong' | 'off' | 'not-checked';
  /** How many checksums it has, and how many of them are wrong. */
  readonly rules: number;
  readonly wrong: number;
}

/** What is known of the checksums of an image. */
export interface KnownReport {
  readonly scheme: string;
  /** False: the scheme was never tried on a real image, and is only verified. */
  readonly isProved: boolean;
  /** Null: the image is not signed. */
  readonly signature: 'valid' | 'wrong' | 'not-checked' | null;
  /** Without the signature. */
  readonly parts: readonly KnownPartReport[];
}

/** An image whose scheme is known. */
export interface Inspection {
  readonly scheme: KnownScheme;
  readonly image: Uint8Array;
  /** The part of the image that the scheme is about. */
  readonly view: Uint8Array;
  readonly parts: readonly { readonly name: string; readonly found: FoundPart }[];
}

/** Whether the second half repeats the first one, or is erased. */
function foldOf(image: Uint8Array, fold: Fold | undefined): 'repeated' | 'erased' | null {
  if (image.length !== fold?.from) return null;
  const rest = image.subarray(fold.to);
  if (Buffer.compare(rest, image.subarray(0, fold.to)) === 0) return 'repeated';
  return rest.every((byte) => byte === 0xff) ? 'erased' : null;
}

function isSize({ sizes }: KnownScheme, size: number): boolean {
  return 'min' in sizes ? size >= sizes.min && size <= sizes.max : sizes.includes(size);
}

function inspectAs(scheme: KnownScheme, image: Uint8Array): Inspection | null {
  if (!isSize(scheme, image.length)) return null;
  const { fold } = scheme;
  const view = fold && foldOf(image, fold) !== null ? image.subarray(0, fold.to) : image;
  const find = (names: (name: string) => boolean) =>
    scheme.parts
      .filter(({ name }) => names(name))
      .map((part) => ({ name: part.name, found: findPart(part, scheme, view) }));
  // first those that prove the scheme: another image costs no more than their search
  const proof = find((name) => scheme.provedBy.includes(name));
  if (proof.every(({ found }) => found.state !== 'rules')) return null;
  const others = find((name) => !scheme.provedBy.includes(name));
  const parts = scheme.parts.flatMap(({ name }) =>
    [...proof, ...others].filter((part) => part.name === name),
  );
  return { scheme, image, view, parts };
}

/** The scheme of an image, and where the image has its parts; null if none is known, or if several could be meant. */
export function inspectImage(image: Uint8Array): Inspection | null {
  const found = knownSchemes.flatMap((scheme) => inspectAs(scheme, image) ?? []);
  return found.length === 1 ? (found[0] ?? null) : null;
}

function reportPart(name: string, reports: readonly RuleReport[]): KnownPartReport {
  const count = (state: RuleReport['state']) => reports.filter((one) => one.state === state).length;
  const wrong = count('mismatch');
  const notChecked = count('invalid') + count('uncheckable');
  const isOff = count('disabled') > 0;
  const rest = notChecked > 0 ? 'not-checked' : isOff ? 'off' : 'right';
  return { name, state: wrong > 0 ? 'wrong' : rest, rules: reports.length, wrong };
}

/** What is right and wrong in an image. */
export function reportOf({ scheme, view, parts }: Inspection): KnownReport {
  const rules = parts.flatMap(({ found }) =>
    found.state === 'rules' ? [...found.rules, ...found.fixed] : [],
  );
  const reports = verifyChecksums(rules, view);
  let next = 0;
  const take = (count: number): RuleReport[] => {
    next += count;
    return reports.slice(next - count, next);
  };
  const lines = parts.flatMap(({ name, found }): KnownPartReport[] => {
    if (found.state === 'unclear') return [{ name, state: 'not-checked', rules: 0, wrong: 0 }];
    if (found.state !== 'rules') return [];
    return [reportPart(name, take(found.rules.length + found.fixed.length))];
  });
  const isSigned = (part: string) =>
    scheme.parts.some(({ name, kind }) => name === part && kind === 'rsa-md5');
  const signature = parts.find(({ name, found }) => isSigned(name) && found.state !== 'absent');
  const state = signature?.found;
  return {
    scheme: scheme.name,
    isProved: scheme.isProved,
    signature:
      state === undefined
        ? null
        : state.state === 'signature'
          ? state.isValid
            ? 'valid'
            : 'wrong'
          : 'not-checked',
    parts: lines.filter(({ name }) => !isSigned(name)),
  };
}

/** What is known of the checksums of an image; null if its scheme is not known. */
export function verifyKnown(image: Uint8Array): KnownReport | null {
  const inspection = inspectImage(image);
  return inspection && reportOf(inspection);
}

/** Whether the checksums can be corrected: everything that the scheme has in this image is understood, and nothing is signed. */
export function isCorrectable({ isProved, signature, parts }: KnownReport): boolean {
  return isProved && signature === null && parts.every(({ state }) => state !== 'not-checked');
}

/** What a part covers and where it is stored, as text. */
function layoutOf({ parts }: Inspection, name: string): string {
  const part = parts.find((one) => one.name === name)?.found;
  // 64-bit numbers do not occur in rules
  return JSON.stringify(part ?? null);
}

/** Whether a part covers the same in both images: their tables and code agree. */
export function isSamePart(one: Inspection, other: Inspection, name: string): boolean {
  return layoutOf(one, name) === layoutOf(other, name);
}

/**
 * The image with right checksums; the same one if nothing was wrong. Only bytes of checksums change. Throws
 * CHECKSUM_UNCORRECTABLE if the scheme is not known, the image is signed, or its checksums cannot all be right.
 */
export function correctKnown(image: Uint8Array): Uint8Array {
  const before = inspectImage(image);
  if (before === null) throw new CodecError('CHECKSUM_UNCORRECTABLE');
  const { scheme, view, parts } = before;
  const report = reportOf(before);
  if (!isCorrectable(report)) throw new CodecError('CHECKSUM_UNCORRECTABLE', scheme.name);
  const rules = parts.flatMap(({ found }) => (found.state === 'rules' ? found.rules : []));
  const corrected = correctChecksums(rules, view).image;
  if (corrected === view) {
    requireRight(report);
    return image;
  }
  // not `slice`, which does not copy a Buffer
  const whole = new Uint8Array(image);
  whole.set(corrected);
  if (foldOf(image, scheme.fold) === 'repeated') whole.set(corrected, corrected.length);
  const after = inspectImage(whole);
  // a table that covers a sum of its own could otherwise be another one now
  const isSame = parts.every(({ name }) => after !== null && isSamePart(before, after, name));
  if (after === null || !isSame) throw new CodecError('CHECKSUM_UNCORRECTABLE', scheme.name);
  requireRight(reportOf(after));
  return whole;
}

function requireRight({ parts }: KnownReport): void {
  const wrong = parts.filter(({ state }) => state === 'wrong' || state === 'not-checked');
  if (wrong.length > 0) {
    throw new CodecError('CHECKSUM_UNCORRECTABLE', wrong.map(({ name }) => name).join(', '));
  }
}

/**
 * What a correction did: the parts that it corrected, and the bytes that it changed. Null if the scheme of the image is
 * not known. Throws as {@link correctKnown}.
 */
export function correctWithReport(image: Uint8Array): {
  readonly scheme: string;
  readonly parts: readonly string[];
  readonly bytes: number;
  readonly corrected: Uint8Array;
} | null {
  const report = verifyKnown(image);
  if (report === null) return null;
  const corrected = correctKnown(image);
  return {
    scheme: report.scheme,
    parts: report.parts.filter(({ state }) => state === 'wrong').map(({ name }) => name),
    bytes: corrected === image ? 0 : compareImages(image, corrected).bytes,
    corrected,
  };
}
