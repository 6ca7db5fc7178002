/** Recognizes a file from its first 64 bytes: its family declares how, and the page reports it before an upload. */
import { type FileKind, fileKinds } from './families/family.ts';
import { definitionOf, type Family, families } from './families/registry.ts';

/** How many bytes from the start of a file are inspected. */
export const recognizedBytes = 64;

export const archiveNames = ['zip', '7z', 'rar', 'gzip', 'bz2', 'xz', 'vim'] as const;
export type ArchiveName = (typeof archiveNames)[number];

/**
 * The apparent type of a file. Only the first bytes are checked: forgery and damage further in are found when the file
 * is opened.
 */
export type Recognized =
  | {
      readonly outcome: 'recognized';
      readonly family: Family;
      readonly kind: FileKind;
      /** Whether it is in the portal's own container; otherwise, a vendor's slave has written it. */
      readonly isContainer: boolean;
    }
  /** `hasPassword`: its first file needs one, so that unpacking it gives nothing. */
  | { readonly outcome: 'archive'; readonly archive: ArchiveName; readonly hasPassword?: true }
  | { readonly outcome: 'text-transfer' }
  | { readonly outcome: 'empty' }
  /** `isWebPage`: a page that was saved in place of a file; no slave writes one. */
  | { readonly outcome: 'unknown'; readonly isWebPage?: true };

const familyOffset = 10;
const kindOffset = 11;

/** The first bytes of every container. */
export const magic = [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0a] as const;

/** How text-mode transfers damage the magic: line endings converted either way, or bit 7 lost. */
const damagedMagics: readonly (readonly number[])[] = [
  [0x89, 0x54, 0x46, 0x43, 0x0a, 0x1a, 0x0a],
  [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0d, 0x0a, 0x1a, 0x0d, 0x0a],
  // Converters that leave a CR LF unchanged.
  [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0d, 0x0a],
  magic.map((byte) => byte & 0x7f),
];

/** Seven explicit signatures instead of a magic-number library: such libraries mistake real firmware for archives. */
const archiveSignatures: readonly (readonly [ArchiveName, readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['zip', [0x50, 0x4b, 0x07, 0x08]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['gzip', [0x1f, 0x8b, 0x08]],
  ...Array.from('123456789', (level): [ArchiveName, number[]] => [
    'bz2',
    [0x42, 0x5a, 0x68, level.charCodeAt(0)],
  ]),
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['vim', [0x62, 0x30, 0x56, 0x49, 0x4d]],
];

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return bytes.length >= beginning.length && beginning.every((byte, at) => bytes[at] === byte);
}

/** The archive type that these bytes begin with, or null. */
export function recognizeArchive(start: Uint8Array): ArchiveName | null {
  return archiveSignatures.find(([, signature]) => startsWith(start, signature))?.[0] ?? null;
}

/** Whether a file entry with an encrypted content begins here: bit 0 of its flags. */
function hasZipPassword(start: Uint8Array): boolean {
  return startsWith(start, [0x50, 0x4b, 0x03, 0x04]) && ((start[6] ?? 0) & 1) === 1;
}

/** Whether a web page begins here: a download that has failed, or that needs a sign-in. */
function isWebPage(start: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head)\b/i.test(
    String.fromCharCode(...start.subarray(0, recognizedBytes)),
  );
}

function recognizeContainer(start: Uint8Array): Recognized {
  const number = start[familyOffset];
  const family = families.find((one) => definitionOf(one).container?.number === number);
  const kind = fileKinds[(start[kindOffset] ?? 0) - 1];
  return family && kind
    ? { outcome: 'recognized', family, kind, isContainer: true }
    : { outcome: 'unknown' };
}

function recognizeVendorFile(start: Uint8Array): Recognized | null {
  for (const family of families) {
    const kind = definitionOf(family).recognize?.(start) ?? null;
    if (kind !== null) return { outcome: 'recognized', family, kind, isContainer: false };
  }
  return null;
}

/**
 * Recognizes a file by its beginning: `start` is its first {@link recognizedBytes} bytes, or all of them when it has
 * fewer. A container of an unknown family or kind is `unknown`.
 */
export function recognizeStart(start: Uint8Array): Recognized {
  if (start.length === 0) return { outcome: 'empty' };
  if (startsWith(start, magic)) return recognizeContainer(start);
  // before archives: a vendor's file may be one
  const vendorFile = recognizeVendorFile(start);
  if (vendorFile !== null) return vendorFile;
  const archive = recognizeArchive(start);
  if (archive !== null) {
    return { outcome: 'archive', archive, ...(hasZipPassword(start) ? { hasPassword: true } : {}) };
  }
  const damaged =
    start.length >= magic.length &&
    damagedMagics.some((magicThen) => startsWith(start, magicThen.slice(0, start.length)));
  if (damaged) return { outcome: 'text-transfer' };
  return { outcome: 'unknown', ...(isWebPage(start) ? { isWebPage: true } : {}) };
}
