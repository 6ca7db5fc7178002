/** Verifies and corrects the checksums of real control units, as far as they are known. */

import { correctChecksums, type RuleReport, verifyChecksums } from '../checksum/checksum.ts';
import type { ChecksumRule } from '../checksum/scheme.ts';
import { compareImages } from '../compare.ts';
import { CodecError } from '../errors.ts';
import { findPart } from './expand.ts';
import type { FoundPart } from './found-part.ts';
import type { Fold, KnownScheme } from './language.ts';
import { checksumRanges } from '../checksum/places.ts';
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
  /** `valid`: it matches the key that is in the image. Null: the image is not signed. */
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

function inspectAs(scheme: KnownScheme, image: Uint8Array, read: Uint8Array): Inspection | null {
  if (!isSize(scheme, image.length) || read.length !== image.length) return null;
  const { fold } = scheme;
  const view = fold && foldOf(image, fold) !== null ? image.subarray(0, fold.to) : image;
  const both = { image: view, read: read.subarray(0, view.length) };
  const find = (names: (name: string) => boolean) =>
    scheme.parts
      .filter(({ name }) => names(name))
      .map((part) => ({ name: part.name, found: findPart(part, scheme, both) }));
  // first those that prove the scheme: another image costs no more than their search
  const proof = find((name) => scheme.provedBy.includes(name));
  if (proof.every(({ found }) => found.state !== 'rules')) return null;
  const others = find((name) => !scheme.provedBy.includes(name));
  const parts = scheme.parts.flatMap(({ name }) =>
    [...proof, ...others].filter((part) => part.name === name),
  );
  return { scheme, image, view, parts };
}

/**
 * The scheme of an image, and where the image has its parts; null if none is known, or if several could be meant. `read`:
 * the image before the user's changes, if it is known.
 */
export function inspectImage(image: Uint8Array, read = image): Inspection | null {
  const found = knownSchemes.flatMap((scheme) => inspectAs(scheme, image, read) ?? []);
  return found.length === 1 ? (found[0] ?? null) : null;
}

function reportPart(
  name: string,
  reports: readonly RuleReport[],
  skipped: number,
): KnownPartReport {
  const count = (state: RuleReport['state']) => reports.filter((one) => one.state === state).length;
  const wrong = count('mismatch');
  const notChecked = count('invalid') + count('uncheckable') + skipped;
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
    const taken = take(found.rules.length + found.fixed.length);
    return [reportPart(name, taken, found.skipped ?? 0)];
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

/** What is known of the checksums of an image; null if its scheme is not known. `read`: as in {@link inspectImage}. */
export function verifyKnown(image: Uint8Array, read = image): KnownReport | null {
  const inspection = inspectImage(image, read);
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

/** The rules of an image that are wrong. */
function wrongRules({ parts, view }: Inspection): readonly string[] {
  const rules = parts.flatMap(({ found }) =>
    found.state === 'rules' ? [...found.rules, ...found.fixed] : [],
  );
  const reports = verifyChecksums(rules, view);
  return rules.flatMap((rule, at) =>
    reports[at]?.state === 'mismatch' ? [JSON.stringify(rule)] : [],
  );
}

/** The rules of the parts that were right in the read, with the same tables: only they were proved to be checksums. */
function provedRules(now: Inspection, earlier: Inspection): readonly ChecksumRule[] {
  const { parts } = reportOf(earlier);
  const isProved = (name: string) =>
    isSamePart(now, earlier, name) &&
    parts.some((part) => part.name === name && (part.state === 'right' || part.state === 'off'));
  return now.parts.flatMap(({ name, found }) =>
    found.state === 'rules' && isProved(name) ? found.rules : [],
  );
}

/** Whether nothing but the places of these rules differs. */
function differOnlyIn(rules: readonly ChecksumRule[], one: Uint8Array, other: Uint8Array): boolean {
  // not `slice`, which does not copy a Buffer
  const same = new Uint8Array(other);
  for (const rule of rules) {
    for (const { at, length } of checksumRanges(rule, one))
      same.set(one.subarray(at, at + length), at);
  }
  return Buffer.compare(same, one) === 0;
}

/**
 * The image with right checksums; the same one if nothing was wrong. Only bytes of checksums change, and only of parts
 * that were right in the read: the others stay as they are. Throws CHECKSUM_UNCORRECTABLE if the scheme is not known, the
 * image is signed, the read is not known, or if more would be wrong than in the read.
 */
export function correctKnown(image: Uint8Array, read: Uint8Array | null): Uint8Array {
  const before = inspectImage(image, read ?? image);
  if (before === null) throw new CodecError('CHECKSUM_UNCORRECTABLE');
  const { scheme, view, parts } = before;
  const refused = new CodecError('CHECKSUM_UNCORRECTABLE', scheme.name);
  if (read === null || !isCorrectable(reportOf(before))) throw refused;
  const earlier = inspectImage(read);
  if (earlier?.scheme !== scheme) throw refused;
  if (earlier.view.length !== view.length) throw refused;
  const rules = provedRules(before, earlier);
  const corrected = correctChecksums(rules, view).image;
  if (corrected === view) {
    requireRight(before, []);
    return image;
  }
  if (!differOnlyIn(rules, view, corrected)) throw refused;
  const whole = new Uint8Array(image);
  whole.set(corrected);
  if (foldOf(image, scheme.fold) === 'repeated') whole.set(corrected, corrected.length);
  const after = inspectImage(whole, read);
  // a table that covers a sum of its own could otherwise be another one now
  const isSame = parts.every(({ name }) => after !== null && isSamePart(before, after, name));
  if (after === null || !isSame) throw refused;
  requireRight(after, wrongRules(earlier));
  return whole;
}

/** Throws if rules are wrong that were not wrong in the read, or if a part is not checked. */
function requireRight(inspection: Inspection, wasWrong: readonly string[]): void {
  const wrong = wrongRules(inspection).filter((rule) => !wasWrong.includes(rule));
  const { parts } = reportOf(inspection);
  const open = parts.filter(({ state }) => state === 'not-checked');
  if (wrong.length + open.length === 0) return;
  const named = parts.filter(({ state }) => state === 'wrong' || state === 'not-checked');
  throw new CodecError('CHECKSUM_UNCORRECTABLE', named.map(({ name }) => name).join(', '));
}

/**
 * What a correction did: the parts that it corrected, and the bytes that it changed. Null if the scheme of the image is
 * not known. Throws as {@link correctKnown}.
 */
export function correctWithReport(
  image: Uint8Array,
  read: Uint8Array | null,
): {
  readonly scheme: string;
  readonly parts: readonly string[];
  readonly bytes: number;
  readonly corrected: Uint8Array;
} | null {
  const report = verifyKnown(image, read ?? image);
  if (report === null) return null;
  const corrected = correctKnown(image, read);
  const left = verifyKnown(corrected, read ?? image)?.parts ?? [];
  const isWrong = (name: string) => left.some((one) => one.name === name && one.state === 'wrong');
  return {
    scheme: report.scheme,
    parts: report.parts
      .filter(({ name, state }) => state === 'wrong' && !isWrong(name))
      .map(({ name }) => name),
    bytes: corrected === image ? 0 : compareImages(image, corrected).bytes,
    corrected,
  };
}
