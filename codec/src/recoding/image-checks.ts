/** The checks of an uploaded modified or original file, before it may be encoded. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import type { ModifiedToCheck, OriginalToCheck } from './family-codec.ts';
import { CodecError, faultOfStart, type WrongSize } from '../errors.ts';
import { matchIdent, readIdent } from '../protocols/ident.ts';
import { readMapFile } from '../protocols/map-file.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import { componentsFor, findProtocol, isSizeAllowed } from '../protocols/protocols.ts';
import { faultOfArchive, isSealed } from '../container/preamble.ts';

/**
 * The protocol's component that a family may modify in this mode; throws PROTOCOL_NOT_FOUND or
 * COMPONENT_NOT_IN_PROTOCOL.
 */
export function specOf(
  family: Family,
  place: { protocolId: number; mode: Mode; component: ComponentName },
): { spec: ComponentSpec; specs: readonly ComponentSpec[] } {
  const protocol = findProtocol(place.protocolId);
  if (protocol === null) {
    throw new CodecError('PROTOCOL_NOT_FOUND', String(place.protocolId));
  }
  const specs = componentsFor(protocol, family, place.mode);
  const spec = specs.find(({ name }) => name === place.component);
  if (spec === undefined) {
    throw new CodecError('COMPONENT_NOT_IN_PROTOCOL', place.component);
  }
  return { spec, specs };
}

/** Empty, an archive, or still sealed: not an image. */
function checkIsImage(image: Uint8Array): void {
  if (image.length === 0) {
    throw new CodecError('MOD_EMPTY');
  }
  const archive = faultOfArchive(image);
  if (archive !== null) {
    throw faultOfStart(archive);
  }
  if (isSealed(image)) {
    throw new CodecError('MOD_STILL_ENCODED');
  }
}

/**
 * Whether a maps file fits its image; throws MAP_FILE_ERROR. `imageSize`: bytes of that image, or null when it is not
 * available: then the only size that the protocol allows is used, and if there are several, the check is skipped.
 */
export function checkMapFile(
  specs: readonly ComponentSpec[],
  { format }: ComponentSpec,
  bytes: Uint8Array,
  imageSize: number | null,
): void {
  if (format === undefined) {
    return;
  }
  const sizes = specs.find(({ name }) => name === format.appliesTo)?.sizes;
  const onlySize = sizes !== undefined && !('min' in sizes) && sizes.length === 1 ? sizes[0] : null;
  const size = imageSize ?? onlySize ?? null;
  if (size !== null) {
    readMapFile(bytes, size);
  }
}

/**
 * The problem with an image's size, or null: it must equal that of the image it is compared with, or without one be a
 * size that the protocol allows.
 */
function wrongSize(
  spec: ComponentSpec,
  image: Uint8Array,
  expected: number | null,
): WrongSize | null {
  const allowed = expected === null ? spec.sizes : [expected];
  return isSizeAllowed(allowed, image.length) ? null : { actual: image.length, allowed };
}

/**
 * Compares a modified image with the read's own (`decoded`), or with the protocol if the read does not contain it.
 * `expectedSize`: the size of the read's own image when it has not been decrypted.
 */
export function checkAgainstRead(
  spec: ComponentSpec,
  modified: Uint8Array,
  decoded: Uint8Array | null,
  expectedSize: number | null = decoded?.length ?? null,
): void {
  checkIsImage(modified);
  // A maps file grows with its maps; every other component is as long as the ECU's memory.
  const sizes = wrongSize(spec, modified, spec.format === undefined ? expectedSize : null);
  if (sizes !== null) {
    throw new CodecError('MOD_WRONG_SIZE', spec.name, sizes);
  }
  if (!hasIdentOf(spec, modified, decoded)) {
    throw new CodecError('MOD_IDENT_MISMATCH', spec.name);
  }
}

/**
 * Whether an image is of the same ECU and software as another; without another, whether it is of any of the protocol's.
 */
function hasIdentOf(spec: ComponentSpec, image: Uint8Array, other: Uint8Array | null): boolean {
  if (spec.ident === undefined) {
    return true;
  }
  const ident = readIdent(spec, image);
  if (ident === null || other === null) {
    return ident !== null;
  }
  const otherIdent = readIdent(spec, other);
  return otherIdent === null || matchIdent(ident, otherIdent);
}

/**
 * Checks an uploaded image of a read whose protocol is not known: it must be an image, and as long as the read's own.
 * `decoded` is null if the read did not contain it. A maps file may have any size.
 */
export function checkSize(
  component: ComponentName,
  image: Uint8Array,
  decoded: Uint8Array | null,
): void {
  checkIsImage(image);
  if (decoded === null || component === 'mapfile' || image.length === decoded.length) return;
  const sizes = { actual: image.length, allowed: [decoded.length] };
  throw new CodecError('MOD_WRONG_SIZE', component, sizes);
}

/** Checks a modified file; see `FamilyCodec.checkModified`. */
export function checkModified(family: Family, input: ModifiedToCheck): void {
  const { spec, specs } = specOf(family, input);
  checkAgainstRead(spec, input.modified, input.decoded);
  checkMapFile(specs, spec, input.modified, null);
}

/** Compares an original with the read's own image, or with what the slave reported about the ECU. */
export function checkOriginalAgainstRead(
  spec: ComponentSpec,
  input: Pick<OriginalToCheck, 'decoded' | 'identification' | 'original'>,
): void {
  const { decoded, identification, original } = input;
  checkIsImage(original);
  const sizes = wrongSize(spec, original, decoded?.length ?? null);
  if (sizes !== null || !hasIdentOf(spec, original, decoded)) {
    throw new CodecError('ORI_MISMATCH', spec.name, sizes);
  }
  const ident = identification === null ? null : readIdent(spec, original);
  if (identification === null || ident === null) {
    return;
  }
  if (
    isOther(identification.hardware, ident.hardware) ||
    isOther(identification.software, ident.software)
  ) {
    throw new CodecError('ORI_MISMATCH', spec.name);
  }
}

/** Whether both are known and differ. */
function isOther(said: string | null, found: string | null | undefined): boolean {
  return said !== null && found !== null && found !== undefined && said !== found;
}

/** Checks an original file; see `FamilyCodec.checkOriginal`. Originals exist only for the single image of OBD reads. */
export function checkOriginal(family: Family, input: OriginalToCheck): void {
  const { spec } = specOf(family, { ...input, component: 'obd' });
  checkOriginalAgainstRead(spec, input);
}
