/** All error codes: refusals with their HTTP status, and the error names of failed operations. */

/** Codes that a call can be refused with, and the HTTP status of each (product specification, section 8). */
export const refusalStatus = {
  BAD_REQUEST: 400,
  CUSTOMER_CODE_CHANGED: 400,
  FILE_TOO_LARGE: 400,
  FILE_MISSING: 400,
  FILE_EMPTY: 400,
  UPLOAD_INTERRUPTED: 400,
  TOO_MANY_UPLOADS: 400,
  STORAGE_QUOTA_REACHED: 400,
  PREFERENCES_CONTRADICT: 400,
  OPERATION_NOT_POSSIBLE: 400,
  SLOT_CLOSED: 400,
  CALLBACK_URL_NOT_ALLOWED: 400,
  TOO_MANY_CLIENTS: 400,
  API_ERROR_UNAUTHORIZED: 401,
  USER_NO_RIGHTS: 403,
  FeatureNotAvailable: 403,
  USER_NOT_AUTHORIZED: 403,
  USER_NOT_AUTHORIZED_KESS3: 403,
  INVALID_CREDENTIALS: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  IDEMPOTENCY_KEY_IN_USE: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  SIGN_IN_AGAIN: 422,
  API_ERROR_THROTTLING: 429,
  TOO_MANY_OPEN_SLOTS: 429,
  TOO_MANY_ACCESS_TOKENS: 429,
  TOO_MANY_EVENT_STREAMS: 429,
  TOO_MANY_REPLAYS: 429,
  GENERIC_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** A code of {@link refusalStatus}. */
export type RefusalCode = keyof typeof refusalStatus;

/** Codes that only programs receive, or that pages do not show; the pages have no texts for them. */
export const programRefusals: ReadonlySet<string> = new Set<RefusalCode>([
  'SLOT_CLOSED',
  'INVALID_CREDENTIALS',
  'IP_NOT_ALLOWED',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_OPEN_SLOTS',
  'TOO_MANY_ACCESS_TOKENS',
  'TOO_MANY_EVENT_STREAMS',
]);

/**
 * The request was understood and refused. The server throws it, and the browser throws the same error again. `code` is
 * a {@link RefusalCode}, or the error name of a file check (returned with status 400).
 */
export class Refusal extends Error {
  readonly code: string;
  readonly details: unknown;
  constructor(code: RefusalCode | RecodErrorName, details?: unknown) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }
}

/** The HTTP status of a refusal; a file check's error name has status 400. */
export function statusOf(code: string): number {
  return Object.hasOwn(refusalStatus, code) ? refusalStatus[code as RefusalCode] : 400;
}

/** The error names of failed KESSv2 and K-TAG operations. */
export const classicErrorNames = [
  'FILE_LOAD_ERROR',
  'FILE_SAVE_ERROR',
  'FILE_IS_ZIP_ARCHIVE',
  'FILE_IS_KTAG_BACKUP',
  'FILE_IS_KESSV2',
  'FILE_IS_KESS3',
  'INVALID_FILE',
  'FILE_CORRUPTED',
  'UNEXPECTED_SIZE',
  'WRONG_SIZE',
  'WRONG_IMPORT',
  'WRONG_MASTER_CODE',
  'ECU_NOT_SUPPORTED',
  'ECU_NOT_RECOGNIZED',
  'CHECKSUM_ERROR',
  'CVN_CORRECTION_ERROR',
  'VIRTUAL_READING_LOOKUP_ERROR',
] as const;

/** The error names of failed KESS3 operations; their texts take a `{0}` detail. */
export const kess3ErrorNames = [
  'KESS3_PATH_OR_FILE_NOT_FOUND',
  'KESS3_FILE_IS_ARCHIVE',
  'KESS3_FILE_IS_KTAG_BACKUP',
  'KESS3_FILE_IS_KESSV2',
  'KESS3_FILE_NOT_RECOGNIZED',
  'KESS3_FILE_COMPATIBLE_WITH_KESS3',
  'KESS3_BAD_HEADER',
  'KESS3_GENERIC_ERROR_WITH_CODE',
  'KESS3_WRONG_MASTER_CODE',
  'KESS3_TOOL_NOT_FOUND',
  'KESS3_DECRYPT_ERROR',
  'KESS3_ENCRYPT_ERROR',
  'KESS3_COMPONENT_READ_ERROR',
  'KESS3_UNPACK_BACKUP_ERROR',
  'KESS3_COMPACT_BACKUP_ERROR',
  'KESS3_PROTOCOL_NOT_FOUND',
  'KESS3_INFO_RETRIEVAL_ERROR',
  'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
  'KESS3_MAPS_FILE_PROCESSING_ERROR',
  'KESS3_CHECKSUM_ERROR',
  'KESS3_DECODED_WITH_CHECKSUM_ERROR',
  'KESS3_VIRTUAL_READING_NOT_SUPPORTED',
] as const;

/** The error names that all families share. */
export const sharedErrorNames = [
  'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
  'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
  'STORAGE_QUOTA_REACHED',
  'ENGINE_REFUSED',
  'ENGINE_UNAVAILABLE',
  '-1073741819',
  'GENERIC_ERROR',
] as const;

/** Every error name that a failed operation can have; each has a text under `RECOD_ERROR_{name}`. */
export const recodErrorNames = [
  ...classicErrorNames,
  ...kess3ErrorNames,
  ...sharedErrorNames,
] as const;
/** A name of {@link recodErrorNames}. */
export type RecodErrorName = (typeof recodErrorNames)[number];

/** The error names of internal errors: the server or the engine failed, not the file. */
export const internalErrorNames: readonly RecodErrorName[] = [
  'GENERIC_ERROR',
  'ENGINE_UNAVAILABLE',
  'KESS3_GENERIC_ERROR_WITH_CODE',
  'FILE_SAVE_ERROR',
  'KESS3_ENCRYPT_ERROR',
  'KESS3_COMPACT_BACKUP_ERROR',
];

/** The error name for an engine that crashed twice on the same operation. */
export const engineCrashedName: RecodErrorName = '-1073741819';
/** The error name for a result that does not fit into the storage of the organisation. */
export const quotaReachedName = 'STORAGE_QUOTA_REACHED' satisfies RecodErrorName;
/** The error name for a refusal by the engine of a vendor; the detail is the vendor's message. */
export const engineRefusedName: RecodErrorName = 'ENGINE_REFUSED';
/** The error name for an engine of a vendor that gave no usable answer for as long as the portal waits for it. */
export const engineUnavailableName: RecodErrorName = 'ENGINE_UNAVAILABLE';
