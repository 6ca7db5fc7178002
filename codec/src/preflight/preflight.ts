/**
 * The pre-flight of an encode: what would happen to each uploaded image, determined by the functions of the encode
 * itself, so that both always agree.
 */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { type RuleReport, verifyChecksums } from '../checksum/checksum.ts';
import { cvnOf } from '../checksum/cvn.ts';
import type { ChecksumScheme } from '../checksum/scheme.ts';
import { compareImages } from '../compare.ts';
import { toHex } from '../container/bytes.ts';
import { type Corrections, correctImage, requireOriginal } from '../recoding/correct-image.ts';
import { CodecError, type InternalCode } from '../errors.ts';
import type { Identification } from '../recoding/family-codec.ts';
import { checkAgainstRead, checkMapFile, checkSize, specOf } from '../recoding/image-checks.ts';
import { type Ident, readIdent } from '../protocols/ident.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import { checkIdentical, checkMuchChanged, checkOutside, checkTuned, placesOf } from './changes.ts';
import type { ChangedField, CheckFault, ImageCheck, RuleOutcome, RulePlace } from './checks.ts';

/** A component of the encode. Components that are removed are absent. */
export interface PreflightComponent {
  readonly name: ComponentName;
  /** The read's own image; null if the read does not contain it. */
  readonly decoded: Uint8Array | null;
  /** Null: it stays as it was read. */
  readonly modified: Uint8Array | null;
}

/** The input of an encode, before it is sealed. */
export interface PreflightInput extends Corrections {
  /** Null when the engine that decoded the read does not report it. */
  readonly protocolId: number | null;
  readonly mode: Mode;
  readonly components: readonly PreflightComponent[];
  /** The uploaded original or the Virtual Reading hit, for the single image. */
  readonly original: Uint8Array | null;
  readonly isOriginalFromLibrary: boolean;
  /** What the slave reported about the ECU, when the image is missing. */
  readonly identification: Identification | null;
  /** The library's original for the read's software, to compare the read with; null: the library has none. */
  readonly library: Uint8Array | null;
}

/** The check that a fault belongs to. */
function checkOf(code: InternalCode): 'size' | 'identification' | 'original' | 'checksums' | 'cvn' {
  switch (code) {
    case 'MOD_IDENT_MISMATCH':
      return 'identification';
    case 'ORI_MISSING':
    case 'ORI_MISMATCH':
      return 'original';
    case 'CHECKSUM_UNCORRECTABLE':
      return 'checksums';
    case 'CVN_ERROR':
      return 'cvn';
    default:
      return 'size';
  }
}

/** What a step returns, or the fault that it throws. */
type Outcome<T> =
  | { readonly value: T; readonly fault: null }
  | { readonly value: null; readonly fault: CheckFault };

function attempt<T>(step: () => T): Outcome<T> {
  try {
    return { value: step(), fault: null };
  } catch (error) {
    if (!(error instanceof CodecError)) {
      throw error;
    }
    const { internalCode, detail, sizes } = error;
    return { value: null, fault: { internalCode, detail, sizes } };
  }
}

function red(component: ComponentName, fault: CheckFault): ImageCheck {
  const id = checkOf(fault.internalCode);
  return { id, status: 'red', component, fault, values: null };
}

/** The checks of every modified image, and of the read. */
export function preflight(family: Family, input: PreflightInput): ImageCheck[] {
  const { protocolId } = input;
  const checks = input.components.flatMap((component) => {
    if (component.modified === null) {
      return protocolId === null ? [] : checkKept(family, input, component);
    }
    const image = { ...component, modified: component.modified };
    return protocolId === null
      ? checkUnknown(image)
      : checkKnown(specsOf(family, input, image.name), input, image);
  });
  return [...checks, ...checkRead(family, input)];
}

type Modified = PreflightComponent & { readonly modified: Uint8Array };
type Specs = ReturnType<typeof specOf>;

function specsOf(family: Family, { protocolId, mode }: PreflightInput, component: ComponentName) {
  return specOf(family, { protocolId: protocolId ?? 0, mode, component });
}

/** A maps file stays as it was read, but the image that it belongs to may not. */
function checkKept(
  family: Family,
  input: PreflightInput,
  { name, decoded }: PreflightComponent,
): ImageCheck[] {
  const { spec, specs } = specsOf(family, input, name);
  const isWithImage = input.components.some(
    (other) => other.name === spec.format?.appliesTo && other.modified !== null,
  );
  return isWithImage && decoded !== null ? checkMaps({ spec, specs }, input, decoded) : [];
}

function checkMaps({ spec, specs }: Specs, input: PreflightInput, bytes: Uint8Array): ImageCheck[] {
  if (spec.format === undefined) {
    return [];
  }
  const image = input.components.find(({ name }) => name === spec.format?.appliesTo);
  const size = (image?.modified ?? image?.decoded)?.length ?? null;
  const { fault } = attempt(() => checkMapFile(specs, spec, bytes, size));
  const status = fault === null ? 'green' : 'red';
  return [
    { id: 'map-file', status, component: spec.name, fault, values: fault === null ? {} : null },
  ];
}

/** An image whose protocol is not known: only its size and its changes can be checked. */
function checkUnknown({ name: component, decoded, modified }: Modified): ImageCheck[] {
  const { fault } = attempt(() => checkSize(component, modified, decoded));
  const untold = { status: 'unchecked', component, fault: null, values: null } as const;
  const rest: ImageCheck[] = [
    { id: 'identification', ...untold },
    { id: 'checksums', ...untold },
    { id: 'cvn', ...untold },
    { id: 'outside-calibration', ...untold },
  ];
  if (fault !== null) {
    return [red(component, fault), ...rest];
  }
  if (decoded === null) {
    return [{ id: 'size', ...untold }, ...rest];
  }
  const changes = compareImages(decoded, modified);
  const sizes = { actual: modified.length, allowed: [decoded.length] };
  return [
    { id: 'size', status: 'green', component, fault: null, values: sizes },
    ...rest,
    checkIdentical(component, changes),
    checkMuchChanged(component, null, changes, [decoded, modified]),
  ];
}

function checkKnown(known: Specs, input: PreflightInput, image: Modified): ImageCheck[] {
  const { spec } = known;
  const { decoded, modified } = image;
  const found = attempt(() => originalOf(spec, input, decoded));
  if (found.fault !== null) {
    return [red(spec.name, found.fault)];
  }
  const base = found.value ?? decoded;
  const { fault: wrong } = attempt(() => checkAgainstRead(spec, modified, base));
  const checks: ImageCheck[] = [];
  if (wrong === null || checkOf(wrong.internalCode) !== 'size') {
    const allowed = base === null || spec.format !== undefined ? spec.sizes : [base.length];
    const values = { actual: modified.length, allowed };
    checks.push({ id: 'size', status: 'green', component: spec.name, fault: null, values });
  }
  if (wrong !== null) {
    return [...checks, red(spec.name, wrong)];
  }
  return [
    ...checks,
    ...(found.value === null ? [] : originalRight(spec, input)),
    ...checkMaps(known, input, modified),
    ...checkIdent(spec, modified, base),
    ...checkCorrections(spec, input, modified, base),
    ...checkChanges(spec, modified, base),
  ];
}

/** As in the encode: only the single image of an OBD read can have an original. */
function originalOf(
  spec: ComponentSpec,
  input: PreflightInput,
  decoded: Uint8Array | null,
): Uint8Array | null {
  if (spec.name !== 'obd') {
    return null;
  }
  const isFromLibrary = input.isOriginalFromLibrary;
  return requireOriginal(spec, { ...input, decoded, isMissing: decoded === null, isFromLibrary });
}

/** An uploaded original that fits; one from the library is not the user's. */
function originalRight(spec: ComponentSpec, input: PreflightInput): ImageCheck[] {
  const component = spec.name;
  return input.isOriginalFromLibrary
    ? []
    : [{ id: 'original', status: 'green', component, fault: null, values: {} }];
}

/** Hardware, software and upgrade number are the same; the other fields may have been edited. */
function checkIdent(
  spec: ComponentSpec,
  modified: Uint8Array,
  base: Uint8Array | null,
): ImageCheck[] {
  const after = readIdent(spec, modified);
  const before = base && readIdent(spec, base);
  if (spec.ident === undefined || after === null) {
    return [];
  }
  const changed = before === null ? [] : changedFields(spec.ident.fields, before, after);
  const status = changed.length === 0 ? 'green' : 'amber';
  const component = spec.name;
  return [{ id: 'identification', status, component, fault: null, values: { changed } }];
}

function changedFields(
  fields: readonly { readonly name: ChangedField['name'] }[],
  before: Ident,
  after: Ident,
): ChangedField[] {
  return fields.flatMap(({ name }) => {
    const field = { name, before: before[name] ?? null, after: after[name] ?? null };
    return field.before === field.after ? [] : [field];
  });
}

function checkChanges(
  spec: ComponentSpec,
  modified: Uint8Array,
  base: Uint8Array | null,
): ImageCheck[] {
  if (base === null) {
    return [];
  }
  const changes = compareImages(base, modified);
  const checks: ImageCheck[] = [checkIdentical(spec.name, changes)];
  // a maps file lists maps: any number of them may have changed
  if (spec.format !== undefined) {
    return checks;
  }
  const outside = checkOutside(spec, base, modified);
  checks.push(checkMuchChanged(spec.name, spec, changes, [base, modified]));
  return outside === null ? checks : [...checks, outside];
}

/** The CVN and the checksums, as the encode corrects them. */
function checkCorrections(
  spec: ComponentSpec,
  input: PreflightInput,
  modified: Uint8Array,
  base: Uint8Array | null,
): ImageCheck[] {
  const corrected = attempt(() => correctImage(input, spec, modified, base));
  if (corrected.fault !== null) {
    return [red(spec.name, corrected.fault)];
  }
  const encoded = corrected.value.image;
  const checks: ImageCheck[] = [];
  if (spec.checksums !== undefined) {
    // an encode that skips the correction does not verify the checksums either
    const reports = input.willSkipChecksum
      ? verifyChecksums(spec.checksums, modified, base ?? undefined)
      : corrected.value.reports;
    const rules = outcomesOf(spec.checksums, reports, [modified, encoded]);
    checks.push({
      id: 'checksums',
      status: rules.some(({ state }) => state === 'wrong') ? 'amber' : 'green',
      component: spec.name,
      fault: null,
      values: { isSkipped: input.willSkipChecksum, rules },
    });
  }
  return [...checks, ...checkCvn(spec, input, { base, modified, encoded })];
}

/** What happens to the CVN. A change is a mistake only if the CVN was to be kept. */
function checkCvn(
  { name: component, cvn }: ComponentSpec,
  { willCorrectCVN: willCorrect }: Corrections,
  images: {
    readonly base: Uint8Array | null;
    readonly modified: Uint8Array;
    readonly encoded: Uint8Array;
  },
): ImageCheck[] {
  const { base, modified, encoded } = images;
  if (cvn === undefined || base === null) {
    return [];
  }
  const textOf = (image: Uint8Array): string => cvnOf(cvn, image).toString(16).padStart(8, '0');
  const values = {
    original: textOf(base),
    modified: textOf(modified),
    encoded: textOf(encoded),
    willCorrect,
  };
  const status = willCorrect && values.encoded !== values.original ? 'amber' : 'green';
  return [{ id: 'cvn', status, component, fault: null, values }];
}

/** The bytes of a place that are reported: as many as the longest digest has. */
const longestPlace = 64;

/** How each rule changes between the uploaded image and the encoded one; the reports describe these two. */
function outcomesOf(
  scheme: ChecksumScheme,
  reports: readonly RuleReport[],
  [before, after]: readonly [Uint8Array, Uint8Array],
): RuleOutcome[] {
  return scheme.map((rule, index) => {
    const places = placesOf(rule, after).map(({ at, length }): RulePlace => {
      const show = (image: Uint8Array): string | null =>
        length > longestPlace ? null : toHex(image.subarray(at, at + length));
      return { at, length, before: show(before), after: show(after) };
    });
    const isWritten = places.some(({ at, length }) => {
      const [old, now] = [before, after].map((image) => image.subarray(at, at + length));
      return old !== undefined && now !== undefined && Buffer.compare(old, now) !== 0;
    });
    return { rule: rule.name, state: stateOf(reports[index]?.state, isWritten), places };
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

/** Whether the read itself was already tuned, if the library knows its original. */
function checkRead(family: Family, input: PreflightInput): ImageCheck[] {
  const read = input.components.find(({ name }) => name === 'obd');
  if (input.protocolId === null || input.library === null || !read?.decoded) {
    return [];
  }
  const { spec } = specsOf(family, input, read.name);
  return [checkTuned(spec, read.decoded, input.library)];
}
