/** Tells what a file is from its first bytes, up to a header that is complete; the browser has a smaller one in the contract. */

import type { Family } from '@recodery/contract/families';
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
import type { InternalCode } from './errors.ts';

/** What a file seems to be; `refused` bears the code that a decode would end with. */
export type Recognised =
  | { outcome: 'container'; family: Family; kind: Kind | null }
  | { outcome: 'refused'; internalCode: InternalCode };

/**
 * Signatures of archives and of an editor's swap file. Seven explicit ones and no library of magic numbers:
 * those take real firmware for archives.
 */
const archives: readonly [InternalCode, readonly number[]][] = [
  ['FILE_IS_ARCHIVE_ZIP', [0x50, 0x4b, 0x03, 0x04]],
  ['FILE_IS_ARCHIVE_ZIP', [0x50, 0x4b, 0x05, 0x06]],
  ['FILE_IS_ARCHIVE_ZIP', [0x50, 0x4b, 0x07, 0x08]],
  ['FILE_IS_ARCHIVE_7Z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['FILE_IS_ARCHIVE_RAR', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['FILE_IS_ARCHIVE_GZIP', [0x1f, 0x8b, 0x08]],
  ['FILE_IS_ARCHIVE_XZ', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['FILE_IS_ARCHIVE_VIM', [0x62, 0x30, 0x56, 0x49, 0x4d]],
];
const bzip2 = [0x42, 0x5a, 0x68];

/** The code for the archive that these bytes begin, or null. */
export function recogniseArchive(bytes: Uint8Array): InternalCode | null {
  for (const [code, signature] of archives) {
    if (startsWith(bytes, signature)) {
      return code;
    }
  }
  const level = bytes[3] ?? 0;
  return startsWith(bytes, bzip2) && level >= 0x31 && level <= 0x39 ? 'FILE_IS_ARCHIVE_BZ2' : null;
}

/** Whether these bytes begin a container, sealed by whomever. */
export function isSealed(bytes: Uint8Array): boolean {
  return startsWith(bytes, magic);
}

/** What a transfer in text mode makes of the magic: line ends turned one way or the other, or bit 7 lost. */
const damagedMagics: readonly (readonly number[])[] = [
  [0x89, 0x54, 0x46, 0x43, 0x0a, 0x1a, 0x0a],
  [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0d, 0x0a, 0x1a, 0x0d, 0x0a],
  // Converters that leave a CR LF as it stands.
  [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0d, 0x0a],
  Array.from(magic, (byte) => byte & 0x7f),
];

function isDamagedByTextTransfer(bytes: Uint8Array): boolean {
  return (
    bytes.length >= magic.length &&
    damagedMagics.some((damaged) => startsWith(bytes, damaged.slice(0, bytes.length)))
  );
}

/** The code for bytes that do not begin with the whole magic, or null when they do. */
function faultOfMagic(bytes: Uint8Array): InternalCode | null {
  if (bytes.length === 0) {
    return 'FILE_EMPTY';
  }
  const archive = recogniseArchive(bytes);
  if (archive !== null || isSealed(bytes)) {
    return archive;
  }
  if (bytes.length < magic.length && startsWith(magic, bytes)) {
    return 'FILE_TRUNCATED';
  }
  return isDamagedByTextTransfer(bytes) ? 'FILE_CORRUPTED_TEXT_TRANSFER' : 'FILE_NOT_RECOGNIZED';
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
 * Tells a file's family and kind from its first 64 bytes (or all, if it has fewer) and its size in bytes.
 * It believes the bytes: damage further on, and forgery, show when the file is opened.
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
