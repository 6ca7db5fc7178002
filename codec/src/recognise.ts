/** Recognizes a file by its first bytes, up to a complete header; the contract's recognizer makes the first check. */

import type { Family } from '@recodery/contract/families/registry';
import { recogniseArchive as findArchive, recogniseStart } from '@recodery/contract/recognise';
import { startsWith, viewOf } from './container/bytes.ts';
import {
  currentMajor,
  familyIds,
  headerEndLength,
  kindIds,
  limits,
  magic,
  nameOf,
  preambleLayout,
} from './container/container.ts';
import type { Kind, Preamble } from './container/container.ts';
import { archiveCode, type InternalCode } from './errors.ts';

/** What a file appears to be; `refused` is the code that a decode would fail with. */
export type Recognised =
  | { outcome: 'container'; family: Family; kind: Kind | null }
  | { outcome: 'refused'; internalCode: InternalCode };

/** The code for the archive type that these bytes begin with, or null. */
export function recogniseArchive(bytes: Uint8Array): InternalCode | null {
  const archive = findArchive(bytes);
  return archive === null ? null : archiveCode(archive);
}

/** Whether a container begins with these bytes, regardless of who sealed it. */
export function isSealed(bytes: Uint8Array): boolean {
  return startsWith(bytes, magic);
}

/** The code for bytes that do not begin with the complete magic, or null if they do. */
function faultOfMagic(bytes: Uint8Array): InternalCode | null {
  if (isSealed(bytes)) return null;
  const start = recogniseStart(bytes);
  if (start.outcome === 'empty') return 'FILE_EMPTY';
  if (start.outcome === 'archive') return archiveCode(start.archive);
  if (start.outcome === 'text-transfer') return 'FILE_CORRUPTED_TEXT_TRANSFER';
  const isCut = bytes.length < magic.length && startsWith(magic, bytes);
  return isCut ? 'FILE_TRUNCATED' : 'FILE_NOT_RECOGNIZED';
}

/** The preamble of a file of `fileSize` bytes, or the code of the first check that fails, up to "header complete". */
export function readPreamble(
  start: Uint8Array,
  fileSize: number,
): { preamble: Preamble } | { internalCode: InternalCode } {
  const fault = faultOfMagic(fileSize === 0 ? start.subarray(0, 0) : start);
  if (fault !== null) {
    return { internalCode: fault };
  }
  if (start.length < preambleLayout.size) {
    return { internalCode: 'FILE_TRUNCATED' };
  }
  const preamble = preambleLayout.read(viewOf(start), 0);
  if (preamble.major !== currentMajor) {
    return { internalCode: 'UNSUPPORTED_VERSION' };
  }
  const { headerLength } = preamble;
  if (headerLength < preambleLayout.size || headerLength > limits.headerLength) {
    return { internalCode: 'BAD_HEADER' };
  }
  if (fileSize < headerLength + headerEndLength) {
    return { internalCode: 'FILE_TRUNCATED' };
  }
  return { preamble };
}

/**
 * Recognizes a file's family and kind from its first 64 bytes (or all, if it has fewer) and its size in bytes. Only
 * these bytes are checked: damage further in, and forgery, are found when the file is opened.
 */
export function recognise(first64Bytes: Uint8Array, fileSize: number): Recognised {
  const result = readPreamble(first64Bytes, fileSize);
  if ('internalCode' in result) {
    return { outcome: 'refused', internalCode: result.internalCode };
  }
  const family = nameOf(familyIds, result.preamble.family);
  return family === null
    ? { outcome: 'refused', internalCode: 'BAD_HEADER' }
    : { outcome: 'container', family, kind: nameOf(kindIds, result.preamble.kind) };
}
