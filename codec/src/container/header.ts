/** The unencrypted header of a container: it routes a file to its master and slave before anything is decrypted. */

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Family } from '@recodery/contract/families/registry';
import type { Mode } from '@recodery/contract/families/family';
import { toHex, viewOf } from './bytes.ts';
import {
  checkPreamble,
  componentIds,
  exactLength,
  familyIds,
  headerEndLength,
  kindIds,
  limits,
  nameOf,
  preambleLayout,
  readHeaderFields,
} from './container.ts';
import type { ContainerKind, Fields, Preamble, TableName } from './container.ts';
import { CodecError, faultOfStart, wrongFamilyCode } from '../errors.ts';
import { readPreamble } from './preamble.ts';

/** A header as stored in the file: undamaged but not yet authenticated. */
export interface RawHeader {
  readonly preamble: Preamble;
  readonly fields: Fields;
  /** The H bytes of preamble and fields. */
  readonly bytes: Uint8Array;
}

/** The contents of the unencrypted header. Plain JSON; not trusted until the MAC is verified. */
export interface Header {
  readonly family: Family;
  /** Null: an unknown kind. */
  readonly kind: ContainerKind | null;
  readonly minor: number;
  readonly keyId: number;
  readonly masterDeviceSerialNumber: string;
  readonly slaveSerialNumber: string;
  readonly protocolId: number;
  readonly mode: Mode;
  /** 16 bytes, hexadecimal; created with the read and copied into every file that is encoded for it. */
  readonly readId: string;
  /** The table; name null: an unknown type. Sizes in plain bytes. */
  readonly components: readonly { name: TableName | null; type: number; size: number }[];
  /** For an encoded file: SHA-256 of the header of its read, hexadecimal. */
  readonly previous: string | null;
  /** Increases with each encoded file for a slave. */
  readonly number: number | null;
  readonly tool: string | null;
  readonly time: string | null;
  readonly note: string | null;
  /** SHA-256 of bytes 0..H-1, hexadecimal. */
  readonly headerSha256: string;
  readonly headerLength: number;
  /** Plain bytes. */
  readonly payloadLength: number;
  /** Plain bytes per segment. */
  readonly segmentSize: number;
}

/**
 * Reads a header of any family: every check from "empty" to "unknown critical field", in that order. `start` contains
 * the file's first bytes, `longestHeader` of them or the whole file.
 */
export function readRawHeader(start: Uint8Array, fileSize: number): RawHeader {
  const result = readPreamble(start, fileSize);
  if ('internalCode' in result) {
    throw faultOfStart(result.internalCode);
  }
  const { preamble } = result;
  const { headerLength } = preamble;
  if (start.length < headerLength + headerEndLength) {
    throw new RangeError('too little of the file was handed in to read its header');
  }
  const bytes = start.subarray(0, headerLength);
  if (crc32(bytes) !== viewOf(start).getUint32(headerLength, true)) {
    throw new CodecError('BAD_HEADER');
  }
  checkPreamble(preamble);
  return { preamble, fields: readHeaderFields(bytes.subarray(preambleLayout.size)), bytes };
}

/** A header as JSON, with the bare number for an unknown family or kind. */
export type NumberedHeader = Omit<Header, 'family' | 'kind'> & {
  readonly family: Family | number;
  readonly kind: ContainerKind | number;
};

/** Converts a header of any family to JSON. */
export function describeAnyHeader(raw: RawHeader): NumberedHeader {
  const { preamble, fields } = raw;
  return {
    family: nameOf(familyIds, preamble.family) ?? preamble.family,
    kind: nameOf(kindIds, preamble.kind) ?? preamble.kind,
    minor: preamble.minor,
    keyId: preamble.keyId,
    masterDeviceSerialNumber: fields.MCOD,
    slaveSerialNumber: fields.SSER,
    protocolId: fields.PROT,
    mode: fields.MODE,
    readId: toHex(fields.RDID),
    components: fields.COMP.map(({ type, size }) => ({
      name: nameOf(componentIds, type),
      type,
      size,
    })),
    previous: fields.PREV === undefined ? null : toHex(fields.PREV),
    number: fields.NUMB ?? null,
    tool: fields.tool ?? null,
    time: fields.time ?? null,
    note: fields.note ?? null,
    headerSha256: hash('sha256', raw.bytes, 'hex'),
    headerLength: preamble.headerLength,
    payloadLength: preamble.payloadLength,
    segmentSize: 2 ** preamble.segmentLog2,
  };
}

/** Converts a header to JSON; an unknown family is BAD_HEADER. */
export function describeHeader(raw: RawHeader): Header {
  const { family, kind, ...rest } = describeAnyHeader(raw);
  if (typeof family === 'number') {
    throw new CodecError('BAD_HEADER');
  }
  return { family, kind: typeof kind === 'number' ? null : kind, ...rest };
}

/**
 * The unencrypted header of a file of `fileSize` bytes. `firstBytes`: `longestHeader` of them, or the whole file.
 * Throws the CodecError of the first check that fails, from "empty" to "unknown critical field".
 */
export function readHeader(firstBytes: Uint8Array, fileSize: number): Header {
  return describeHeader(readRawHeader(firstBytes, fileSize));
}

const kindsWithAnswer: readonly (ContainerKind | null)[] = ['encoded-file', 'encoded-backup'];

/**
 * Family, then kind. Throws WRONG_FAMILY_… (named after the file's actual family), WRONG_FILE_KIND, or BAD_HEADER for
 * an encoded file that does not name the read it was made from.
 */
export function checkKind(header: Header, family: Family, accepts: readonly ContainerKind[]): void {
  if (header.family !== family) {
    throw new CodecError(wrongFamilyCode(header.family));
  }
  if (header.kind === null || !accepts.includes(header.kind)) {
    throw new CodecError('WRONG_FILE_KIND');
  }
  const isAnswer = kindsWithAnswer.includes(header.kind);
  if (isAnswer && (header.previous === null || header.number === null)) {
    throw new CodecError('BAD_HEADER');
  }
}

/**
 * Checks the limits, then the exact length that the header declares. Throws FILE_TOO_LARGE, FILE_TRUNCATED or
 * UNEXPECTED_TRAILING_DATA.
 */
export function checkRawSize(raw: RawHeader, fileSize: number): void {
  const { preamble, fields } = raw;
  let together = 0;
  for (const { size } of fields.COMP) {
    together += size;
    if (size > limits.componentSize) {
      throw new CodecError('FILE_TOO_LARGE');
    }
  }
  if (
    fileSize > limits.fileSize ||
    preamble.payloadLength > limits.fileSize ||
    together > limits.componentsSize
  ) {
    throw new CodecError('FILE_TOO_LARGE');
  }
  const exact = exactLength(preamble);
  if (fileSize < exact) {
    throw new CodecError('FILE_TRUNCATED', null, { actual: fileSize, allowed: [exact] });
  }
  if (fileSize > exact) {
    throw new CodecError('UNEXPECTED_TRAILING_DATA', null, { actual: fileSize, allowed: [exact] });
  }
}
