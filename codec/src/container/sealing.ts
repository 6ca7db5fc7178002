/** Opens and seals whole containers: authenticates the header, decrypts, inflates and verifies the components. */

import { hash } from 'node:crypto';
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { toHex, viewOf } from './bytes.ts';
import { deriveFileKey, isSameMac, macOf, openSegments, sealSegments } from './cipher.ts';
import type { Collect, SegmentKeys } from './cipher.ts';
import {
  componentIds,
  crcLength,
  exactLength,
  headerEndLength,
  nameOf,
  preambleLayout,
  storageIds,
  writeHeader,
} from './container.ts';
import type { ComponentEntry, Fields, PreambleChoice, TableName } from './container.ts';
import { CodecError } from '../errors.ts';
import type { RawHeader } from './header.ts';
import { allocateFresh } from '../workspace.ts';
import type { Allocate } from '../workspace.ts';

/** A component read from a container: verified, a view into the payload if it was stored plain. */
export interface OpenedComponent {
  readonly entry: ComponentEntry;
  /** Null: an unknown type. */
  readonly name: TableName | null;
  readonly bytes: Uint8Array;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** The MAC stored in a file. */
function macIn(file: Uint8Array, { preamble }: RawHeader): Uint8Array {
  const { headerLength } = preamble;
  return file.subarray(headerLength + crcLength, headerLength + headerEndLength);
}

/**
 * Whether the slave with this pair key wrote a header. `file` contains at least the header with its MAC; what follows is
 * not checked.
 */
export function isAuthentic(file: Uint8Array, raw: RawHeader, pairKey: Uint8Array): boolean {
  const { preamble } = raw;
  const headerKey = deriveFileKey(pairKey, 'header', preamble);
  const covered = file.subarray(0, preamble.headerLength + crcLength);
  return isSameMac(macOf(headerKey, covered), macIn(file, raw));
}

/** Authenticates a header; throws AUTHENTICATION_FAILED. */
export function authenticateHeader(file: Uint8Array, raw: RawHeader, pairKey: Uint8Array): void {
  if (!isAuthentic(file, raw, pairKey)) throw new CodecError('AUTHENTICATION_FAILED');
}

/** A deflated component takes at least 2 bytes: an empty final block. */
const shortestDeflate = 2;

/** Checks that the component table is consistent with itself and with the payload's length; throws BAD_HEADER. */
export function checkTable(raw: RawHeader): void {
  const types = new Set<number>();
  let least = 0;
  let isExact = true;
  for (const entry of raw.fields.COMP) {
    const isKnownStorage =
      entry.storage === storageIds.stored || entry.storage === storageIds.deflated;
    if (!isKnownStorage || entry.flags !== 0 || types.has(entry.type)) {
      throw new CodecError('BAD_HEADER');
    }
    types.add(entry.type);
    isExact = isExact && entry.storage === storageIds.stored;
    least += entry.storage === storageIds.stored ? entry.size : shortestDeflate;
  }
  const { payloadLength } = raw.preamble;
  if (least > payloadLength || (isExact && least !== payloadLength)) {
    throw new CodecError('BAD_HEADER');
  }
}

/** What zlib returns with the option `info`, which is missing from its types. */
interface InflateResult {
  buffer: Uint8Array;
  /** Its `bytesWritten` counts the input: the deflated bytes up to the end of the stream. */
  engine: { bytesWritten: number };
}

/** Node reports broken and oversized deflate streams only by throwing. */
function inflate(bytes: Uint8Array, most: number): { plain: Uint8Array; used: number } | null {
  try {
    const result: unknown = inflateRawSync(bytes, {
      info: true,
      maxOutputLength: Math.max(1, most),
    });
    const { buffer, engine } = result as InflateResult;
    return { plain: buffer, used: engine.bytesWritten };
  } catch {
    return null;
  }
}

function digestMismatch(name: TableName | null): CodecError {
  return new CodecError('COMPONENT_DIGEST_MISMATCH', name);
}

/** Splits the payload into components, inflates them, and verifies their digests; throws COMPONENT_DIGEST_MISMATCH. */
function unpack(payload: Uint8Array, entries: readonly ComponentEntry[]): OpenedComponent[] {
  const opened: OpenedComponent[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = nameOf(componentIds, entry.type);
    const rest = payload.subarray(at);
    const cut =
      entry.storage === storageIds.stored
        ? { plain: rest.subarray(0, entry.size), used: entry.size }
        : inflate(rest, entry.size);
    if (cut === null || cut.plain.length !== entry.size || crc32(cut.plain) !== entry.crc32) {
      throw digestMismatch(name);
    }
    const sha256 = hash('sha256', cut.plain, 'hex');
    if (sha256 !== toHex(entry.sha256)) {
      throw digestMismatch(name);
    }
    at += cut.used;
    opened.push({ entry, name, bytes: cut.plain, sha256 });
  }
  if (at !== payload.length) {
    throw digestMismatch(opened.at(-1)?.name ?? null);
  }
  return opened;
}

/** Memory to work in. */
export interface Room {
  /** For decrypted and sealed data; default: fresh memory. See `makeWorkspace`. */
  readonly allocate?: Allocate;
  /** Decrypts in place: the payload overwrites the file, which saves one copy. Default: the file is not changed. */
  readonly mayOverwriteFile?: boolean;
  /** Called now and then during long work; default: the garbage collector decides. See `makeWorkspace`. */
  readonly collect?: Collect;
}

/**
 * Decrypts and verifies everything after an authenticated header with a consistent table. Throws FILE_CORRUPTED or
 * COMPONENT_DIGEST_MISMATCH without returning any data.
 */
export function openComponents(
  file: Uint8Array,
  raw: RawHeader,
  pairKey: Uint8Array,
  { allocate = allocateFresh, mayOverwriteFile = false, collect }: Room,
): readonly OpenedComponent[] {
  const { preamble } = raw;
  const keys: SegmentKeys = {
    payloadKey: deriveFileKey(pairKey, 'payload', preamble),
    headerMac: macIn(file, raw),
    segmentLog2: preamble.segmentLog2,
  };
  const sealed = file.subarray(preamble.headerLength + headerEndLength);
  const { payloadLength } = preamble;
  const payload = mayOverwriteFile ? sealed.subarray(0, payloadLength) : allocate(payloadLength);
  openSegments(sealed, keys, payload, collect);
  return unpack(payload, raw.fields.COMP);
}

/** A component to be sealed. */
export interface PlainComponent {
  readonly name: TableName;
  readonly bytes: Uint8Array;
  /** The ECU's address of its first byte; default: 0. */
  readonly base?: number;
  readonly isDeflated?: boolean;
}

/** The properties of a container to be sealed, except its components. */
export type SealChoice = Omit<PreambleChoice, 'payloadLength'> & {
  readonly pairKey: Uint8Array;
  readonly fields: Omit<Fields, 'COMP'>;
};

/** A container that is sealed when its bytes are requested. */
export interface Sealed {
  /** Bytes of the whole file. */
  readonly size: number;
  /** SHA-256 (hexadecimal) of each component, in the given order. */
  readonly sha256: readonly string[];
  /**
   * The file in pieces, each valid until the next one is requested: a file of 64 MiB needs no memory of that size. Only
   * while the components are unchanged: the same nonces must never encrypt other bytes.
   */
  pieces(): Iterable<Uint8Array>;
  /** The whole file, in memory of its own. */
  whole(): Uint8Array;
}

/** Seals components into a container; the same input gives the same bytes. */
export function sealContainer(
  choice: SealChoice,
  components: readonly PlainComponent[],
  { allocate = allocateFresh, collect }: Pick<Room, 'allocate' | 'collect'> = {},
): Sealed {
  const packed = components.map(({ bytes, isDeflated }) =>
    isDeflated === true ? deflateRawSync(bytes, { level: constants.Z_BEST_SPEED }) : bytes,
  );
  const entries = components.map(
    ({ name, bytes, base, isDeflated }): ComponentEntry => ({
      type: componentIds[name],
      storage: isDeflated === true ? storageIds.deflated : storageIds.stored,
      flags: 0,
      base: base ?? 0,
      size: bytes.length,
      crc32: crc32(bytes),
      sha256: hash('sha256', bytes, 'buffer'),
    }),
  );
  const payloadLength = packed.reduce((sum, bytes) => sum + bytes.length, 0);
  const header = writeHeader({ ...choice, payloadLength }, { ...choice.fields, COMP: entries });
  const preamble = preambleLayout.read(viewOf(header), 0);
  const start = new Uint8Array(header.length + headerEndLength);
  start.set(header, 0);
  viewOf(start).setUint32(header.length, crc32(header), true);
  const macAt = header.length + crcLength;
  const headerKey = deriveFileKey(choice.pairKey, 'header', preamble);
  const headerMac = macOf(headerKey, start.subarray(0, macAt));
  start.set(headerMac, macAt);
  const keys: SegmentKeys = {
    payloadKey: deriveFileKey(choice.pairKey, 'payload', preamble),
    headerMac,
    segmentLog2: choice.segmentLog2,
  };
  const size = exactLength(preamble);
  function* pieces(): Generator<Uint8Array, void, undefined> {
    yield start;
    yield* sealSegments(packed, payloadLength, keys, { allocate, collect });
  }
  return {
    size,
    sha256: entries.map((entry) => toHex(entry.sha256)),
    pieces,
    whole() {
      const file = allocateFresh(size);
      let at = 0;
      for (const piece of pieces()) {
        file.set(piece, at);
        at += piece.length;
      }
      return file;
    },
  };
}
