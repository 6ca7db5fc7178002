/** What can be wrong with a file: the internal codes, and the error name that each family shows for one. */

import type { ComponentName, Family, Mode } from '@recodery/contract/families';
import type { RecodErrorName } from '@recodery/contract/errors';

/** The error name in each family; KESS3's may depend on what was being done. */
interface ErrorNames {
  kessv2: RecodErrorName;
  ktag: RecodErrorName;
  kess3: RecodErrorName | Kess3Names;
}

/** A KESS3 name that differs for the utility, by mode, or for the map file; the first that applies is taken. */
interface Kess3Names {
  mapfile?: RecodErrorName;
  utility?: RecodErrorName;
  bootbench?: RecodErrorName;
  otherwise: RecodErrorName;
}

/** The same name for KESSv2 and K-TAG, another for KESS3. */
function classic(name: RecodErrorName, kess3: RecodErrorName | Kess3Names): ErrorNames {
  return { kessv2: name, ktag: name, kess3 };
}

const archive = classic('FILE_IS_ZIP_ARCHIVE', 'KESS3_FILE_IS_ARCHIVE');
const unsupported = classic('INVALID_FILE', 'KESS3_BAD_HEADER');
const generic = classic('GENERIC_ERROR', 'KESS3_GENERIC_ERROR_WITH_CODE');
const otherThanRead: ErrorNames = {
  kessv2: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
  ktag: 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
  kess3: {
    bootbench: 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
    otherwise: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
  },
};
const originalAtFault: ErrorNames = classic(
  'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
  'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
);
const noVirtualReading: ErrorNames = {
  kessv2: 'VIRTUAL_READING_LOOKUP_ERROR',
  ktag: 'GENERIC_ERROR',
  kess3: 'KESS3_VIRTUAL_READING_NOT_SUPPORTED',
};

/** The table of case → internal code → error name. A cell that no file can reach bears GENERIC_ERROR. */
const errorNames = {
  FILE_EMPTY: classic('FILE_LOAD_ERROR', 'KESS3_PATH_OR_FILE_NOT_FOUND'),
  FILE_IO: classic('FILE_LOAD_ERROR', 'KESS3_PATH_OR_FILE_NOT_FOUND'),
  FILE_IS_ARCHIVE_ZIP: archive,
  FILE_IS_ARCHIVE_7Z: archive,
  FILE_IS_ARCHIVE_RAR: archive,
  FILE_IS_ARCHIVE_GZIP: archive,
  FILE_IS_ARCHIVE_BZ2: archive,
  FILE_IS_ARCHIVE_XZ: archive,
  FILE_IS_ARCHIVE_VIM: archive,
  FILE_NOT_RECOGNIZED: classic('INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'),
  FILE_CORRUPTED_TEXT_TRANSFER: classic('FILE_CORRUPTED', 'KESS3_BAD_HEADER'),
  FILE_TRUNCATED: classic('UNEXPECTED_SIZE', 'KESS3_BAD_HEADER'),
  UNEXPECTED_TRAILING_DATA: classic('UNEXPECTED_SIZE', 'KESS3_GENERIC_ERROR_WITH_CODE'),
  FILE_TOO_LARGE: classic('UNEXPECTED_SIZE', 'KESS3_GENERIC_ERROR_WITH_CODE'),
  BAD_HEADER: classic('FILE_CORRUPTED', 'KESS3_BAD_HEADER'),
  UNSUPPORTED_VERSION: unsupported,
  UNSUPPORTED_SUITE: unsupported,
  UNSUPPORTED_CRITICAL_FIELD: unsupported,
  WRONG_FAMILY_KTAG: {
    kessv2: 'FILE_IS_KTAG_BACKUP',
    ktag: 'GENERIC_ERROR',
    kess3: 'KESS3_FILE_IS_KTAG_BACKUP',
  },
  WRONG_FAMILY_KESSV2: {
    kessv2: 'GENERIC_ERROR',
    ktag: 'FILE_IS_KESSV2',
    kess3: 'KESS3_FILE_IS_KESSV2',
  },
  WRONG_FAMILY_KESS3: classic('FILE_IS_KESS3', 'KESS3_GENERIC_ERROR_WITH_CODE'),
  WRONG_FILE_KIND: classic('INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'),
  WRONG_MASTER_CODE: classic('WRONG_MASTER_CODE', 'KESS3_WRONG_MASTER_CODE'),
  TOOL_NOT_FOUND: classic('WRONG_MASTER_CODE', 'KESS3_TOOL_NOT_FOUND'),
  AUTHENTICATION_FAILED: classic('FILE_CORRUPTED', 'KESS3_DECRYPT_ERROR'),
  FILE_CORRUPTED: classic('FILE_CORRUPTED', 'KESS3_DECRYPT_ERROR'),
  COMPONENT_DIGEST_MISMATCH: classic('FILE_CORRUPTED', {
    utility: 'KESS3_UNPACK_BACKUP_ERROR',
    otherwise: 'KESS3_COMPONENT_READ_ERROR',
  }),
  PROTOCOL_NOT_FOUND: classic('ECU_NOT_SUPPORTED', 'KESS3_PROTOCOL_NOT_FOUND'),
  ECU_NOT_RECOGNIZED: classic('ECU_NOT_RECOGNIZED', 'KESS3_INFO_RETRIEVAL_ERROR'),
  UNEXPECTED_SIZE: classic('UNEXPECTED_SIZE', 'KESS3_COMPONENT_READ_ERROR'),
  COMPONENT_NOT_IN_PROTOCOL: classic('WRONG_IMPORT', {
    mapfile: 'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
    otherwise: 'KESS3_COMPONENT_READ_ERROR',
  }),
  MAP_FILE_ERROR: {
    kessv2: 'GENERIC_ERROR',
    ktag: 'WRONG_IMPORT',
    kess3: 'KESS3_MAPS_FILE_PROCESSING_ERROR',
  },
  INFO_ERROR: classic('FILE_CORRUPTED', 'KESS3_INFO_RETRIEVAL_ERROR'),
  READ_CHECKSUM_ERROR: classic('CHECKSUM_ERROR', 'KESS3_CHECKSUM_ERROR'),
  VR_LOOKUP_FAILED: noVirtualReading,
  VR_UNSUPPORTED: noVirtualReading,
  MOD_WRONG_SIZE: otherThanRead,
  MOD_IDENT_MISMATCH: otherThanRead,
  MOD_EMPTY: classic('FILE_LOAD_ERROR', 'KESS3_PATH_OR_FILE_NOT_FOUND'),
  MOD_STILL_ENCODED: classic('INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'),
  ORI_MISSING: originalAtFault,
  ORI_MISMATCH: originalAtFault,
  CHECKSUM_UNCORRECTABLE: classic('CHECKSUM_ERROR', 'KESS3_CHECKSUM_ERROR'),
  CVN_ERROR: {
    kessv2: 'CVN_CORRECTION_ERROR',
    ktag: 'GENERIC_ERROR',
    kess3: 'KESS3_GENERIC_ERROR_WITH_CODE',
  },
  ENCODE_FAILED: classic('FILE_SAVE_ERROR', {
    utility: 'KESS3_COMPACT_BACKUP_ERROR',
    otherwise: 'KESS3_ENCRYPT_ERROR',
  }),
  '-1073741819': classic('-1073741819', '-1073741819'),
  GENERIC_ERROR: generic,
} satisfies Record<string, ErrorNames>;

/** What the log and the support line call a fault of a file. */
export type InternalCode = keyof typeof errorNames;

/** Every internal code. */
export const internalCodes = Object.keys(errorNames) as readonly InternalCode[];

/** The size of something, in bytes, and what it may be: one of a list, or anything between two sizes. */
export interface WrongSize {
  readonly actual: number;
  readonly allowed: readonly number[] | { readonly min: number; readonly max: number };
}

/**
 * The file is at fault; an operation that meets it fails and is never retried.
 * `detail` fills the `{0}` of the texts (a component, a protocol, rule names); never a key, never which byte.
 * `sizes` is given where the fault is a size and both sides are known.
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

const archivePrefix = 'FILE_IS_ARCHIVE_';

/** The error for a fault that shows in a file's first bytes; for an archive the detail says of what sort. */
export function faultOfStart(internalCode: InternalCode): CodecError {
  const isArchive = internalCode.startsWith(archivePrefix);
  return new CodecError(internalCode, isArchive ? internalCode.slice(archivePrefix.length) : null);
}

/** Where a fault showed: what the error name may depend on. */
export interface FaultPlace {
  family: Family;
  mode?: Mode | null;
  utility?: boolean;
  component?: ComponentName | null;
}

/** The error name that a family's page shows for an internal code. Total: every code has one in every family. */
export function errorNameOf(internalCode: InternalCode, place: FaultPlace): RecodErrorName {
  const names: ErrorNames = errorNames[internalCode];
  const name = names[place.family];
  if (typeof name === 'string') {
    return name;
  }
  if (place.component === 'mapfile' && name.mapfile !== undefined) {
    return name.mapfile;
  }
  if (place.utility === true && name.utility !== undefined) {
    return name.utility;
  }
  if (place.mode === 'bootbench' && name.bootbench !== undefined) {
    return name.bootbench;
  }
  return name.otherwise;
}
