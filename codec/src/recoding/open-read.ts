/** Opens a sealed file with the rules of its family: every check from the first byte to the last segment, in order. */

import type { ComponentName } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { componentIds, nameOf } from '../container/container.ts';
import type { ComponentEntry, ContainerKind } from '../container/container.ts';
import { CodecError } from '../errors.ts';
import { checkKind, checkRawSize, describeHeader, readRawHeader } from '../container/header.ts';
import type { Header, RawHeader } from '../container/header.ts';
import type { ComponentSpec, Protocol } from '../protocols/shape.ts';
import { componentsFor, findProtocol, isSizeAllowed, isUsedBy } from '../protocols/protocols.ts';
import { authenticateHeader, checkTable, openComponents } from '../container/sealing.ts';
import type { OpenedComponent, Room } from '../container/sealing.ts';

/** A file whose header is authentic and whose table its protocol allows; its payload is still sealed. */
export interface AuthenticFile {
  readonly file: Uint8Array;
  readonly raw: RawHeader;
  readonly header: Header;
  readonly protocol: Protocol;
  /** What a file of this family, mode and protocol may contain. */
  readonly specs: readonly ComponentSpec[];
  readonly pairKey: Uint8Array;
}

/** The checks from "empty" to the kind. */
export function readExpectedHeader(
  file: Uint8Array,
  family: Family,
  kinds: readonly ContainerKind[],
): { raw: RawHeader; header: Header } {
  const raw = readRawHeader(file, file.length);
  const header = describeHeader(raw);
  checkKind(header, family, kinds);
  return { raw, header };
}

/**
 * The checks from the limits to "component allowed, size"; components that an encoded file need not contain are not
 * required.
 */
export function authenticateFile(
  file: Uint8Array,
  { raw, header }: { raw: RawHeader; header: Header },
  pairKey: Uint8Array,
): AuthenticFile {
  checkRawSize(raw, file.length);
  authenticateHeader(file, raw, pairKey);
  const protocol = findProtocol(header.protocolId);
  if (protocol === null || !isUsedBy(protocol, header.family, header.mode)) {
    throw new CodecError('PROTOCOL_NOT_FOUND', String(header.protocolId));
  }
  checkTable(raw);
  const specs = componentsFor(protocol, header.family, header.mode);
  for (const entry of raw.fields.COMP) {
    checkEntry(entry, specs);
  }
  return { file, raw, header, protocol, specs, pairKey };
}

/** Component allowed, then its size. The information fields are always allowed. */
function checkEntry(entry: ComponentEntry, specs: readonly ComponentSpec[]): void {
  const name = nameOf(componentIds, entry.type);
  if (name === 'info') {
    return;
  }
  const spec = specs.find((candidate) => candidate.name === name);
  if (spec === undefined) {
    throw new CodecError('COMPONENT_NOT_IN_PROTOCOL', name);
  }
  if (!isSizeAllowed(spec.sizes, entry.size)) {
    throw new CodecError('UNEXPECTED_SIZE', name, { actual: entry.size, allowed: spec.sizes });
  }
}

/** The names of the components in a file's table, except the information fields. */
export function componentsOf(authentic: AuthenticFile): ReadonlyMap<ComponentName, ComponentEntry> {
  return new Map(
    authentic.raw.fields.COMP.flatMap((entry): [ComponentName, ComponentEntry][] => {
      const name = nameOf(componentIds, entry.type);
      return name === null || name === 'info' ? [] : [[name, entry]];
    }),
  );
}

/**
 * Refuses a read without a required component. Exceptions: a read that may contain only the identification, and a
 * backup that this product compacted (it names its read), from which components may have been removed.
 */
export function checkComplete(authentic: AuthenticFile, mayImageBeMissing: boolean): void {
  const present = componentsOf(authentic);
  if (present.size === 0 && mayImageBeMissing) {
    return;
  }
  const isCompacted = authentic.header.previous !== null;
  const missing = authentic.specs.find(
    ({ name, required }) => required !== false && !present.has(name),
  );
  if (missing !== undefined && !isCompacted) {
    throw new CodecError('COMPONENT_NOT_IN_PROTOCOL', missing.name);
  }
  if (present.size === 0) {
    throw new CodecError('COMPONENT_NOT_IN_PROTOCOL');
  }
}

/** The contents of a file. */
export interface OpenedFile {
  readonly images: ReadonlyMap<ComponentName, OpenedComponent>;
  /** INFO's bytes, or null. */
  readonly info: Uint8Array | null;
}

/** Decrypts the payload: segments, then digests. */
export function openFile(authentic: AuthenticFile, room: Room): OpenedFile {
  const images = new Map<ComponentName, OpenedComponent>();
  let info: Uint8Array | null = null;
  const { file, raw, pairKey } = authentic;
  for (const component of openComponents(file, raw, pairKey, room)) {
    if (component.name === 'info') {
      info = component.bytes;
    } else if (component.name !== null) {
      images.set(component.name, component);
    }
  }
  return { images, info };
}
