/**
 * The pre-flight of an encode: what would happen to each uploaded image, determined by the functions of the encode
 * itself, so that both always agree.
 */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { compareImages } from '../compare.ts';
import { type Corrections, requireOriginal } from '../recoding/correct-image.ts';
import type { Identification } from '../recoding/family-codec.ts';
import { checkAgainstRead, checkMapFile, checkSize, specOf } from '../recoding/image-checks.ts';
import { type Ident, readIdent } from '../protocols/ident.ts';
import { hasOwnChecksums } from '../protocols/protocols.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import {
  checkIdentical,
  checkMuchChanged,
  checkOutside,
  checkTuned,
  checkUploadedOriginal,
} from './changes.ts';
import type { ChangedField, IdentificationCheck, ImageCheck, UncheckedReason } from './checks.ts';
import { compareRecognitions, recognizeImage } from '../recognition/recognize.ts';
import { made, unchecked } from './checks.ts';
import { checkCorrections, type Compared } from './corrections.ts';
import { attempt, checkOf, red } from './faults.ts';
import { checkKnownChecksums, type KnownChecksums, refuseUnknown } from './known.ts';

/** A component of the encode. Components that are removed are absent. */
export interface PreflightComponent {
  readonly name: ComponentName;
  /** The read's own image; null if the read does not contain it. */
  readonly decoded: Uint8Array | null;
  /** Null if the component stays as it was read. */
  readonly modified: Uint8Array | null;
}

/** The input of an encode, before it is sealed. */
export interface PreflightInput extends Corrections {
  /** Whether the checksums of real control units are corrected; absent: no. */
  readonly willCorrectChecksums?: boolean;
  /** Null when the engine that decoded the read does not report it. */
  readonly protocolId: number | null;
  readonly mode: Mode;
  readonly components: readonly PreflightComponent[];
  /** The uploaded original or the Virtual Reading hit, for the single image. */
  readonly original: Uint8Array | null;
  readonly isOriginalFromLibrary: boolean;
  /** What the slave reported about the ECU, when the image is missing. */
  readonly identification: Identification | null;
  /** The original for the read's software, to compare a component of the read with; null: there is none. */
  readonly library: { readonly component: ComponentName; readonly image: Uint8Array } | null;
}

/** The checks of every modified image, and of the read. */
export function preflightChecks(family: Family, input: PreflightInput): ImageCheck[] {
  const { protocolId } = input;
  const checks = input.components.flatMap((component) => {
    if (component.modified === null) {
      return protocolId === null
        ? keptUnchecked(input, component)
        : checkKept(family, input, component);
    }
    const image = { ...component, modified: component.modified };
    return protocolId === null
      ? checkUnknown(input, image)
      : checkKnown(specsOf(family, input, image.name), input, image);
  });
  return [...refuseUnknown(checks, correctsKnown(input)), ...checkRead(family, input)];
}

/** Whether an encode corrects checksums that no protocol defines. */
function correctsKnown({
  willCorrectChecksums = false,
  willSkipChecksum,
}: PreflightInput): boolean {
  return willCorrectChecksums && !willSkipChecksum;
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

/** A maps file that stays as it was read, where the protocol is not known: any image may be the one that it belongs to. */
function keptUnchecked(
  { components }: PreflightInput,
  { name, decoded }: PreflightComponent,
): ImageCheck[] {
  const hasModified = components.some(({ modified }) => modified !== null);
  return name === 'mapfile' && decoded !== null && hasModified
    ? [unchecked('map-file', name, 'engine-does-not-report')]
    : [];
}

function checkMaps({ spec, specs }: Specs, input: PreflightInput, bytes: Uint8Array): ImageCheck[] {
  if (spec.format === undefined) {
    return [];
  }
  const image = input.components.find(({ name }) => name === spec.format?.appliesTo);
  const size = (image?.modified ?? image?.decoded)?.length ?? null;
  const { fault } = attempt(() => checkMapFile(specs, spec, bytes, size));
  return [
    fault === null
      ? made('map-file', spec.name, 'green', {})
      : { id: 'map-file', status: 'red', component: spec.name, fault, reason: null, values: null },
  ];
}

/** The checks of what an encode writes into an image. */
const encodeIds = ['identification', 'checksums', 'overwritten', 'cvn'] as const;
/** The checks of what a user changed in an image. */
const changeIds = ['identical', 'much-changed', 'outside-calibration'] as const;

const eachUnchecked = (
  ids: readonly ImageCheck['id'][],
  component: ComponentName,
  reason: UncheckedReason,
): ImageCheck[] => ids.map((id) => unchecked(id, component, reason));

/** An image whose protocol is not known: only its size, its changes and its original can be checked. */
function checkUnknown(input: PreflightInput, image: Modified): ImageCheck[] {
  const { original } = input;
  const { name, decoded, modified } = image;
  const { fault } = attempt(() => checkSize(name, modified, decoded));
  const unknown = [
    ...(original !== null && name === 'obd'
      ? [checkUploadedOriginal(name, null, original, image)]
      : []),
    ...eachUnchecked(
      [
        ...(name === 'mapfile' ? (['map-file'] as const) : []),
        ...encodeIds.filter((id) => id !== 'identification'),
        'outside-calibration',
      ],
      name,
      'engine-does-not-report',
    ),
    checkRecognized(name, { modified, before: decoded }, 'engine-does-not-report'),
  ];
  const changes = ['identical', 'much-changed'] as const;
  const hasKnown = name !== 'mapfile';
  if (fault !== null) {
    const left = [...(hasKnown ? (['known-checksums'] as const) : []), ...changes];
    return [red(name, fault), ...unknown, ...eachUnchecked(left, name, 'refused-before')];
  }
  const pair = { modified, before: decoded ?? (name === 'obd' ? original : null) };
  const known = hasKnown ? [checkKnownChecksums(name, correctsKnown(input), pair).check] : [];
  if (decoded === null) {
    return [...unknown, ...known, ...eachUnchecked(['size', ...changes], name, 'no-image-in-read')];
  }
  const found = compareImages(decoded, modified);
  return [
    made('size', name, 'green', { actual: modified.length, allowed: [decoded.length] }),
    ...unknown,
    ...known,
    checkIdentical(name, found),
    checkMuchChanged(name, null, found, [decoded, modified]),
  ];
}

function checkKnown(known: Specs, input: PreflightInput, image: Modified): ImageCheck[] {
  const { spec } = known;
  const { decoded, modified } = image;
  const found = attempt(() => originalOf(spec, input, decoded));
  if (found.fault !== null) {
    return withRefused(spec, [red(spec.name, found.fault)]);
  }
  const original = found.value;
  const base = original ?? decoded;
  const { fault: wrong } = attempt(() => checkAgainstRead(spec, modified, base));
  const allowed = base === null || spec.format !== undefined ? spec.sizes : [base.length];
  const size =
    wrong === null || checkOf(wrong.internalCode) !== 'size'
      ? [made('size', spec.name, 'green', { actual: modified.length, allowed })]
      : [];
  if (wrong !== null) {
    return withRefused(spec, [...size, red(spec.name, wrong)]);
  }
  const isUploaded = original !== null && !input.isOriginalFromLibrary;
  const compared = { modified, base, before: decoded ?? original };
  return [
    ...size,
    ...(isUploaded ? [checkUploadedOriginal(spec.name, spec, original, image)] : []),
    ...(spec.format === undefined
      ? checkImage(spec, input, compared)
      : [...checkMaps(known, input, modified), ...checkMapsChange(spec, compared)]),
  ];
}

/** The results so far, and the checks that a refused image does not reach. */
function withRefused(spec: ComponentSpec, checks: readonly ImageCheck[]): ImageCheck[] {
  const known = hasOwnChecksums(spec) ? [] : (['known-checksums'] as const);
  const own = spec.format === undefined ? [...encodeIds, ...known, ...changeIds] : [];
  const ids = ['size', ...own] as const;
  const left = ids.filter((id) => checks.every((check) => check.id !== id));
  return [...checks, ...eachUnchecked(left, spec.name, 'refused-before')];
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

/** A maps file lists maps: any number of them may have changed. */
function checkMapsChange({ name }: ComponentSpec, { modified, before }: Compared): ImageCheck[] {
  return before === null
    ? [unchecked('identical', name, 'no-image-in-read')]
    : [checkIdentical(name, compareImages(before, modified))];
}

function checkImage(spec: ComponentSpec, input: PreflightInput, compared: Compared): ImageCheck[] {
  const known = hasOwnChecksums(spec)
    ? null
    : checkKnownChecksums(spec.name, correctsKnown(input), compared);
  const ident = checkIdent(spec, compared);
  const edited = ident.values?.changed.map(({ name }) => name) ?? [];
  return [
    ident,
    ...withKnown(checkCorrections(spec, input, compared, known), known),
    ...checkChanges(spec, compared, edited),
  ];
}

/** A known scheme replaces the check of the checksums that the protocol does not define. */
function withKnown(checks: readonly ImageCheck[], known: KnownChecksums | null): ImageCheck[] {
  if (known === null) return [...checks];
  const isFound = known.check.status !== 'unchecked';
  return [...checks.filter(({ id }) => !(isFound && id === 'checksums')), known.check];
}

/** Hardware, software and upgrade number are the same; the other fields may have been edited. */
function checkIdent(spec: ComponentSpec, { modified, before }: Compared): IdentificationCheck {
  if (spec.ident === undefined) {
    return checkRecognized(spec.name, { modified, before }, 'no-identification');
  }
  const now = readIdent(spec, modified);
  if (now === null) {
    return unchecked('identification', spec.name, 'no-identification');
  }
  if (before === null) {
    return unchecked('identification', spec.name, 'no-image-in-read');
  }
  const then = readIdent(spec, before);
  if (then === null) {
    return unchecked('identification', spec.name, 'no-identification');
  }
  const changed = changedFields(spec.ident.fields, then, now);
  const status = changed.length === 0 ? 'green' : 'amber';
  return made('identification', spec.name, status, { changed });
}

/** Compares what both images are recognized as; `reason`: why there is no other identification. */
function checkRecognized(
  name: ComponentName,
  { modified, before }: Pick<Compared, 'modified' | 'before'>,
  reason: UncheckedReason,
): IdentificationCheck {
  const then = before && recognizeImage(before);
  const now = then && recognizeImage(modified);
  if (then === null || now === null) {
    return unchecked('identification', name, reason);
  }
  const changed = compareRecognitions(then, now);
  return made('identification', name, changed.length === 0 ? 'green' : 'amber', { changed });
}

function changedFields(
  fields: readonly { readonly name: keyof Ident }[],
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
  { modified, before }: Compared,
  edited: readonly ChangedField['name'][],
): ImageCheck[] {
  if (before === null) {
    return eachUnchecked(changeIds, spec.name, 'no-image-in-read');
  }
  const changes = compareImages(before, modified);
  return [
    checkIdentical(spec.name, changes),
    checkMuchChanged(spec.name, spec, changes, [before, modified]),
    checkOutside(spec, edited, before, modified),
  ];
}

/** Whether the read itself was already tuned, if its original is known. */
function checkRead(family: Family, input: PreflightInput): ImageCheck[] {
  const { library } = input;
  const read = input.components.find(({ name }) => name === library?.component);
  if (library === null || !read?.decoded) {
    return [];
  }
  const spec = input.protocolId === null ? null : specsOf(family, input, read.name).spec;
  return [checkTuned(read.name, spec, read.decoded, library.image)];
}
