/**
 * The codes of refusals with their HTTP status, and the error names that the operations of all families share; each
 * family declares its own.
 */

/** Codes that a call can be refused with, and the HTTP status of each (product specification, section 8). */
export const refusalStatus = {
  BAD_REQUEST: 400,
  CUSTOMER_CODE_CHANGED: 400,
  FILE_TOO_LARGE: 400,
  FILE_MISSING: 400,
  FILE_EMPTY: 400,
  UPLOAD_INTERRUPTED: 400,
  STORAGE_QUOTA_REACHED: 400,
  PREFERENCES_CONTRADICT: 400,
  OPERATION_NOT_POSSIBLE: 400,
  JOB_HAS_ORIGINAL: 400,
  SLOT_CLOSED: 400,
  SLAVE_NEEDED: 400,
  FILE_REPLACED: 400,
  CALLBACK_URL_NOT_ALLOWED: 400,
  FIELDS_NOT_ACCEPTED: 400,
  TOO_MANY_CLIENTS: 400,
  API_ERROR_UNAUTHORIZED: 401,
  USER_NO_RIGHTS: 403,
  CONFIRM_ACCOUNT: 403,
  SECOND_FACTOR_REQUIRED: 403,
  FeatureNotAvailable: 403,
  USER_NOT_AUTHORIZED: 403,
  USER_NOT_AUTHORIZED_KESS3: 403,
  INVALID_CREDENTIALS: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  SETUP_LINK_EXPIRED: 410,
  DRAFT_CHANGED: 409,
  TERMS_CHANGED: 409,
  FILE_BEING_SEALED: 409,
  FILE_DAMAGED: 410,
  RECORD_CHANGED: 412,
  IDEMPOTENCY_KEY_REUSED: 422,
  SIGN_IN_AGAIN: 422,
  API_ERROR_THROTTLING: 429,
  TOO_MANY_UPLOADS: 429,
  IDEMPOTENCY_KEY_IN_USE: 429,
  TOO_MANY_OPEN_SLOTS: 429,
  TOO_MANY_ACCESS_TOKENS: 429,
  TOO_MANY_EVENT_STREAMS: 429,
  TOO_MANY_REPLAYS: 429,
  GENERIC_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** A code of {@link refusalStatus}. */
export type RefusalCode = keyof typeof refusalStatus;

/** The HTTP status of a refusal; a file check's error name has status 400. */
export function statusOf(code: string): number {
  return Object.hasOwn(refusalStatus, code) ? refusalStatus[code as RefusalCode] : 400;
}

/** The error names that all families share. */
export const sharedErrorNames = [
  'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
  'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
  'STORAGE_QUOTA_REACHED',
  'FILE_DAMAGED',
  'ENGINE_REFUSED',
  'ENGINE_UNAVAILABLE',
  '-1073741819',
  'GENERIC_ERROR',
] as const;

/** Those of {@link sharedErrorNames} for internal errors: the server or the engine failed, not the file. */
export const sharedInternalErrorNames = ['GENERIC_ERROR', 'ENGINE_UNAVAILABLE'] as const;

type SharedErrorName = (typeof sharedErrorNames)[number];
/** The error name for an engine that crashed twice on the same operation. */
export const engineCrashedName = '-1073741819' satisfies SharedErrorName;
/** The error name for a result that does not fit into the storage of the organisation. */
export const quotaReachedName = 'STORAGE_QUOTA_REACHED' satisfies SharedErrorName;
/** The error name for a stored file that has changed or is lost; the detail is its name. */
export const fileDamagedName = 'FILE_DAMAGED' satisfies SharedErrorName;
/** The error name for a refusal by the engine of a vendor; the detail is the vendor's message. */
export const engineRefusedName = 'ENGINE_REFUSED' satisfies SharedErrorName;
/** The error name for an engine of a vendor that sent no usable response for as long as the portal waits for it. */
export const engineUnavailableName = 'ENGINE_UNAVAILABLE' satisfies SharedErrorName;
