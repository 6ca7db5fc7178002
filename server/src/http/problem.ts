/**
 * Turns anything a handler throws into the response with its HTTP status: one of the places where errors are
 * caught.
 */
import { type RefusalCode, refusalStatus, statusOf } from '@recodery/contract/errors';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { Refusal, type RefusalDetails } from '@recodery/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DamagedFile } from '../storage/verified-storage.ts';
import { Throttled } from './requests/throttled.ts';

/** The part of an error that the caller sees. `details` is sent with 429, and to callers that accept RFC 9457. */
export interface HttpProblem {
  readonly status: number;
  readonly code: string;
  readonly details?: RefusalDetails | undefined;
  /** Sent to callers that accept RFC 9457. */
  readonly diagnosis?: Diagnosis | undefined;
  /** Seconds after which a caller who exceeded a limit can try again, if known. */
  readonly retryAfterSeconds?: number;
}

/** Seconds after which a caller can try again if this depends on other requests or on an outage. */
export const usualRetryAfter = 10;

const titles: Readonly<Record<RefusalCode, string>> = {
  BAD_REQUEST: 'The request is invalid. Check it against the API documentation.',
  CUSTOMER_CODE_CHANGED:
    'The customer code was changed in the meantime. Reload the session, then try again.',
  FILE_TOO_LARGE: 'The file exceeds the maximum size.',
  FILE_MISSING: 'The upload contains no file in the expected field.',
  FILE_EMPTY: 'The file is empty.',
  UPLOAD_INTERRUPTED: 'The upload ended before the file was complete.',
  TOO_MANY_UPLOADS:
    'The organisation has too many uploads in progress. Try again when one has finished.',
  STORAGE_QUOTA_REACHED: 'The organisation has reached its storage quota. Delete jobs first.',
  PREFERENCES_CONTRADICT: 'Two fields set the same preference to different values.',
  OPERATION_NOT_POSSIBLE:
    'The operation is not possible with the given files or in the current state of the slot.',
  SLAVE_NEEDED:
    'The maker’s service needs the serial number of the slave that wrote the file. Send one of those in the details as slaveSerialNumber.',
  JOB_HAS_ORIGINAL:
    'An image of the job is kept as an original, so the job stays kept. Remove it from the originals first.',
  SLOT_CLOSED: 'The slot is closed. Reopen it first.',
  FILE_BEING_SEALED:
    'The file was sealed too long ago, and is being sealed again. Repeat the request after the seconds in Retry-After.',
  FILE_REPLACED: 'The file was replaced and no longer exists.',
  CALLBACK_URL_NOT_ALLOWED:
    'Messages cannot be sent to this address. It must be a public http or https address without a user name or password.',
  FIELDS_NOT_ACCEPTED:
    'Some fields were not accepted. The details name them, with a code for each.',
  TOO_MANY_CLIENTS: 'The organisation has too many client applications. Revoke one first.',
  API_ERROR_UNAUTHORIZED: 'The session or access token is missing or invalid.',
  USER_NO_RIGHTS: 'The user does not have permission to do this.',
  CONFIRM_ACCOUNT:
    'The user must confirm the password, or sign in again. Both allow such changes for ten minutes.',
  SECOND_FACTOR_REQUIRED:
    'Operators need a second factor. The user must add one to the account first, at /account.',
  FeatureNotAvailable: 'The subscription does not include this feature.',
  USER_NOT_AUTHORIZED:
    "The customer code has no master device of this family with a linked slave or a vendor's service.",
  USER_NOT_AUTHORIZED_KESS3:
    "The customer code has no KESS3 master device with a linked slave or a vendor's service.",
  INVALID_CREDENTIALS:
    'The client application is unknown, expired or revoked, or the secret is wrong.',
  IP_NOT_ALLOWED: 'The client application is not allowed to call from this address.',
  NOT_FOUND: 'The resource does not exist, or you do not have access to it.',
  DRAFT_CHANGED: 'The draft was changed since the version on which the change is based.',
  TERMS_CHANGED:
    'The terms of use have another version now, so nothing was recorded. Show the version of /api/config, and accept that one.',
  SETUP_LINK_EXPIRED:
    'The setup link was used or is too old, or the installation already has users. Without users, `recodery setup-link` or a restart prints a new one.',
  RECORD_CHANGED:
    'The record was changed since the revision on which the change is based, so nothing was changed. The details contain the present record.',
  FILE_DAMAGED:
    'The stored file has changed or is missing, so it was not used. Upload it again, or ask the operator to restore it.',
  IDEMPOTENCY_KEY_IN_USE:
    'The first request with this idempotency key is still in progress. Try again later.',
  IDEMPOTENCY_KEY_REUSED:
    'This idempotency key was already used for a different request. Use a new key.',
  SIGN_IN_AGAIN: 'The user must sign in again to confirm their identity.',
  API_ERROR_THROTTLING: 'The limit has been reached. Try again later.',
  TOO_MANY_OPEN_SLOTS: 'The client application has too many open slots. Close one first.',
  TOO_MANY_ACCESS_TOKENS:
    'The client application has too many valid access tokens. Reuse a token until it expires.',
  TOO_MANY_EVENT_STREAMS: 'The caller has too many open event streams. Close one first.',
  TOO_MANY_REPLAYS: 'The organisation has replayed too many messages. Try again later.',
  GENERIC_ERROR: 'An internal error occurred.',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable.',
};

function isCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusalStatus, code);
}

/** The title of a problem; file checks have error names, whose texts are in the page. */
export function titleOf(code: string): string {
  return isCode(code) ? titles[code] : 'The file was not accepted.';
}

function textProperty(error: unknown, name: 'code' | 'statusCode'): string {
  if (typeof error !== 'object' || error === null || !(name in error)) return '';
  return String((error as Record<typeof name, unknown>)[name]);
}

// The database or the disk is temporarily unavailable: PostgreSQL's classes 08, 53 and 57P, and system errors. Class
// 40: it rolled back the transaction because of others, for example after a deadlock.
const outage =
  /^(08\w{3}|40\w{3}|53\w{3}|57P0\d|ECONNREFUSED|ECONNRESET|ENOSPC|EDQUOT|EMFILE|ENFILE)$/;

/** The meaning of an error for the caller: only a code, never an internal message or stack. */
export function httpProblemOf(error: unknown): HttpProblem {
  if (error instanceof Refusal) {
    const { code, details, diagnosis } = error;
    const problem = { status: statusOf(code), code, details, diagnosis };
    return error instanceof Throttled
      ? { ...problem, retryAfterSeconds: error.retryAfterSeconds }
      : problem;
  }
  if (error instanceof DamagedFile) {
    const { name } = error.file;
    const code = 'FILE_DAMAGED';
    const details = name === undefined ? undefined : { detail: name };
    return { status: refusalStatus[code], code, details };
  }
  const say = (code: RefusalCode): HttpProblem => ({ status: refusalStatus[code], code });
  const status = Number(textProperty(error, 'statusCode'));
  if (status === 404) return say('NOT_FOUND');
  if (status === 429) return say('API_ERROR_THROTTLING');
  if (status === 503) return say('SERVICE_UNAVAILABLE');
  if (status >= 400 && status < 500) return say('BAD_REQUEST');
  if (outage.test(textProperty(error, 'code'))) return say('SERVICE_UNAVAILABLE');
  return say('GENERIC_ERROR');
}

/** Whether the caller uses the Encoding API, whose errors are always a single word. */
function speaksEncodingApi({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.contractRoute?.parts.dialect === 'encoding-api';
}

function wantsProblemDocument(request: FastifyRequest): boolean {
  if (speaksEncodingApi(request)) return false;
  return (request.headers.accept ?? '').toLowerCase().includes('application/problem+json');
}

/** Sends a problem: an error code as plain text, JSON for 429, or an RFC 9457 document if the caller accepts it. */
export function answerProblem(
  problem: HttpProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, code, details, diagnosis } = problem;
  reply.code(status).header('cache-control', 'no-store');
  if (status === 401) reply.header('www-authenticate', 'Recodery-Session, Bearer');
  // the rate limits of single routes have set the header already
  const isLater = status === 429 || status === 503 || code === 'FILE_BEING_SEALED';
  if (isLater && !reply.hasHeader('retry-after'))
    reply.header('retry-after', String(problem.retryAfterSeconds ?? usualRetryAfter));
  if (wantsProblemDocument(request)) {
    return reply
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send({
        type: `/api/docs#${code}`,
        title: titleOf(code),
        status,
        errorCode: code,
        ...(details === undefined ? {} : { details }),
        ...(diagnosis === undefined ? {} : { diagnosis }),
        instance: `urn:uuid:${request.id}`,
      });
  }
  if (status === 429 && !speaksEncodingApi(request)) {
    const list = Array.isArray(details) ? details : [];
    return reply.type('application/json').send({ errorCode: code, details: list });
  }
  return reply.type('text/plain; charset=utf-8').send(code);
}

/** Fastify's error handler: logs internal errors with the request's id, and sends the response. */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = httpProblemOf(error);
  if (problem.status >= 500 && !(error instanceof Refusal)) {
    request.log.error({ error }, 'request failed');
  }
  // A stream that fails halfway has already sent its headers: closing the connection shows the client that the
  // response is incomplete.
  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return reply;
  }
  return answerProblem(problem, request, reply);
}
