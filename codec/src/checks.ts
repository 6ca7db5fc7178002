/** What an uploaded modified or original file is held against before it may be encoded. */

import type { ComponentName, Family, Mode } from '@recodery/contract/families';
import type { ModifiedToCheck, OriginalToCheck } from './codec.ts';
import { CodecError } from './errors.ts';
import type { InternalCode } from './errors.ts';
import { matchIdent, readIdent } from './ident.ts';
import type { ComponentSpec } from './protocol-shape.ts';
import { componentsFor, findProtocol, isSizeAllowed } from './protocols.ts';
import { isSealed, recogniseArchive } from './recognise.ts';

/** The protocol's component that a family may touch in this mode; throws PROTOCOL_NOT_FOUND or COMPONENT_NOT_IN_PROTOCOL. */
function specOf(
  family: Family,
  place: { protocolId: number; mode: Mode; component: ComponentName },
): ComponentSpec {
  const protocol = findProtocol(place.protocolId);
  if (protocol === null) {
    throw new CodecError('PROTOCOL_NOT_FOUND', String(place.protocolId));
  }
  const specs = componentsFor(protocol, family, place.mode);
  const spec = specs.find(({ name }) => name === place.component);
  if (spec === undefined) {
    throw new CodecError('COMPONENT_NOT_IN_PROTOCOL', place.component);
  }
  return spec;
}

/** Empty, an archive, or still sealed: no image at all. */
function checkIsImage(image: Uint8Array): void {
  if (image.length === 0) {
    throw new CodecError('FILE_EMPTY');
  }
  const archive = recogniseArchive(image);
  if (archive !== null) {
    throw new CodecError(archive, archiveName(archive));
  }
  if (isSealed(image)) {
    throw new CodecError('MOD_STILL_ENCODED');
  }
}

/** `ZIP` for `FILE_IS_ARCHIVE_ZIP`. */
function archiveName(code: InternalCode): string {
  return code.slice(code.lastIndexOf('_') + 1);
}

/** Whether an image has the size of the one that it is held against, or without one a size that the protocol allows. */
function isSizeRight(spec: ComponentSpec, image: Uint8Array, expected: number | null): boolean {
  return expected === null ? isSizeAllowed(spec.sizes, image.length) : image.length === expected;
}

/**
 * Holds a modified image against the read's own (`decoded`), or against the protocol where the read did not hold it.
 * `expectedSize`: the size of the read's own where it has not been deciphered.
 */
export function checkAgainstRead(
  spec: ComponentSpec,
  modified: Uint8Array,
  decoded: Uint8Array | null,
  expectedSize: number | null = decoded?.length ?? null,
): void {
  checkIsImage(modified);
  if (!isSizeRight(spec, modified, expectedSize)) {
    throw new CodecError('MOD_WRONG_SIZE', spec.name);
  }
  if (!hasIdentOf(spec, modified, decoded)) {
    throw new CodecError('MOD_IDENT_MISMATCH', spec.name);
  }
}

/** Whether an image is of the same ECU and software as another; without another, whether it is of any of the protocol's. */
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

/** Checks a modified file; see `FamilyCodec.checkModified`. */
export function checkModified(family: Family, input: ModifiedToCheck): void {
  checkAgainstRead(specOf(family, input), input.modified, input.decoded);
}

/** Holds an original against the read's own image, or against what the slave said of the ECU. */
export function checkOriginalAgainstRead(
  spec: ComponentSpec,
  input: Pick<OriginalToCheck, 'decoded' | 'identification' | 'original'>,
): void {
  const { decoded, identification, original } = input;
  checkIsImage(original);
  const hasSize = isSizeRight(spec, original, decoded?.length ?? null);
  if (!hasSize || !hasIdentOf(spec, original, decoded)) {
    throw new CodecError('ORI_MISMATCH', spec.name);
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

/** Checks an original file; see `FamilyCodec.checkOriginal`. Originals exist for the one image of OBD reads only. */
export function checkOriginal(family: Family, input: OriginalToCheck): void {
  checkOriginalAgainstRead(specOf(family, { ...input, component: 'obd' }), input);
}
