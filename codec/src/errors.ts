/** The errors of a file: the internal codes, and the error that carries one. */

import {
  type ContainerFamily,
  containerFamilies,
  type Family,
} from '@recodery/contract/families/registry';
import { type ArchiveName, archiveNames } from '@recodery/contract/recognize';

const codes = [
  'FILE_EMPTY',
  'FILE_IO',
  'FILE_NOT_RECOGNIZED',
  'FILE_CORRUPTED_TEXT_TRANSFER',
  'FILE_TRUNCATED',
  'UNEXPECTED_TRAILING_DATA',
  'FILE_TOO_LARGE',
  'BAD_HEADER',
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_SUITE',
  'UNSUPPORTED_CRITICAL_FIELD',
  'WRONG_FILE_KIND',
  'WRONG_MASTER_CODE',
  'TOOL_NOT_FOUND',
  'REVOKED_KEY',
  'AUTHENTICATION_FAILED',
  'FILE_CORRUPTED',
  'COMPONENT_DIGEST_MISMATCH',
  'PROTOCOL_NOT_FOUND',
  'ECU_NOT_RECOGNIZED',
  'UNEXPECTED_SIZE',
  'COMPONENT_NOT_IN_PROTOCOL',
  'MAP_FILE_ERROR',
  'INFO_ERROR',
  'READ_CHECKSUM_ERROR',
  'VR_LOOKUP_FAILED',
  'VR_UNSUPPORTED',
  'MOD_WRONG_SIZE',
  'MOD_IDENT_MISMATCH',
  'MOD_EMPTY',
  'MOD_STILL_ENCODED',
  'ORI_MISSING',
  'ORI_MISMATCH',
  'CHECKSUM_UNCORRECTABLE',
  'CHANGE_OVERWRITTEN',
  'CVN_ERROR',
  'ENCODE_FAILED',
  '-1073741819',
  'GENERIC_ERROR',
] as const;

/** The file is of another family, the one that the code names. */
export type WrongFamilyCode = `WRONG_FAMILY_${Uppercase<ContainerFamily>}`;

/** The code for a file of this family where a different family is expected. */
export function wrongFamilyCode(family: Family): WrongFamilyCode {
  return `WRONG_FAMILY_${family.toUpperCase() as Uppercase<ContainerFamily>}`;
}

/** The file is an archive, of the type that the code names. */
export type ArchiveCode = `FILE_IS_ARCHIVE_${Uppercase<ArchiveName>}`;

/** The code for an archive of this type. */
export function archiveCode(archive: ArchiveName): ArchiveCode {
  return `FILE_IS_ARCHIVE_${archive.toUpperCase() as Uppercase<ArchiveName>}`;
}

/** The description of a file error in the log and the support line. */
export type InternalCode = (typeof codes)[number] | ArchiveCode | WrongFamilyCode;

const archiveCodes: readonly ArchiveCode[] = archiveNames.map(archiveCode);

/** Every internal code. */
export const internalCodes: readonly InternalCode[] = [
  ...codes,
  ...archiveCodes,
  ...containerFamilies.map(wrongFamilyCode),
];

/** Whether a code names a type of archive. */
export function isArchiveCode(code: InternalCode): code is ArchiveCode {
  return archiveCodes.some((one) => one === code);
}

/** The size of something in bytes, and the allowed sizes: one of a list, or any size between two limits. */
export interface WrongSize {
  readonly actual: number;
  readonly allowed: readonly number[] | { readonly min: number; readonly max: number };
}

/**
 * The file is invalid; an operation that meets it fails and is never retried. `detail` replaces the `{0}` in the texts
 * (a component, a protocol, rule names); never a key, never a byte position. `sizes` is present if the error is about a
 * size and both sizes are known.
 */
export class CodecError extends Error {
  readonly internalCode: InternalCode;
  readonly detail: string | null;
  readonly sizes: WrongSize | null;
  constructor(
    internalCode: InternalCode,
    detail: string | null = null,
    sizes: WrongSize | null = null,
  ) {
    super(detail === null ? internalCode : `${internalCode}: ${detail}`);
    this.name = 'CodecError';
    this.internalCode = internalCode;
    this.detail = detail;
    this.sizes = sizes;
  }
}

/** Whether a file is in no container, so that its content may say what it is instead. */
export function isForeign({ internalCode }: Pick<CodecError, 'internalCode'>): boolean {
  return internalCode === 'FILE_NOT_RECOGNIZED' || isArchiveCode(internalCode);
}

/** The error for a problem in a file's first bytes; for an archive the detail names its type. */
export function faultOfStart(internalCode: InternalCode): CodecError {
  const type = isArchiveCode(internalCode) ? internalCode.split('_').at(-1) : null;
  return new CodecError(internalCode, type);
}
