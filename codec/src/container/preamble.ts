/** The first bytes of a file, up to a complete preamble; the contract's recognizer makes the first check. */

import { recognizeArchive, recognizeStart } from '@recodery/contract/recognize';
import { startsWith, viewOf } from './bytes.ts';
import { currentMajor, headerEndLength, limits, magicBytes, preambleLayout } from './container.ts';
import type { Preamble } from './container.ts';
import { archiveCode, type InternalCode } from '../errors.ts';

/** The code for the archive type that these bytes begin with, or null. */
export function faultOfArchive(bytes: Uint8Array): InternalCode | null {
  const archive = recognizeArchive(bytes);
  return archive === null ? null : archiveCode(archive);
}

/** Whether a container begins with these bytes, regardless of who sealed it. */
export function isSealed(bytes: Uint8Array): boolean {
  return startsWith(bytes, magicBytes);
}

/** The code for bytes that do not begin with the complete magic, or null if they do. */
function faultOfMagic(bytes: Uint8Array): InternalCode | null {
  if (isSealed(bytes)) return null;
  const start = recognizeStart(bytes);
  if (start.outcome === 'empty') return 'FILE_EMPTY';
  if (start.outcome === 'archive') return archiveCode(start.archive);
  if (start.outcome === 'text-transfer') return 'FILE_CORRUPTED_TEXT_TRANSFER';
  const isCut = bytes.length < magicBytes.length && startsWith(magicBytes, bytes);
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
