/** Converts an HTTP error response into the refusal that the server threw. */
import { type RefusalCode, refusalStatus } from '@recodery/contract/errors';
import { type RecodErrorName, recodErrorNames } from '@recodery/contract/families/registry';
import { type Diagnosis, diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { Refusal, type RefusalDetails, refusalDetails } from '@recodery/contract/refusal';
import { signInStartPath } from '@recodery/contract/sign-in-paths';
import * as z from 'zod/mini';
import { expireSession } from './session-id.ts';

/** The address of the sign-in server, which returns the browser to the current page. */
export function signInAddress(
  returnTo = `${location.pathname}${location.search}${location.hash}`,
): string {
  return `${signInStartPath}?returnTo=${encodeURIComponent(returnTo)}`;
}

/** Whether a code word is defined in the contract. */
export function isKnown(code: string): code is RefusalCode | RecodErrorName {
  return Object.hasOwn(refusalStatus, code) || recodErrorNames.some((name) => name === code);
}

const problem = z.object({
  errorCode: z.string(),
  details: z.optional(z.unknown()),
  diagnosis: z.optional(z.unknown()),
});

/**
 * The code and the details in an error's body: a problem document (RFC 9457), or one code word. Any other body, such as
 * one from a proxy or one that was cut off, is treated as an unknown code word.
 */
function readBody(text: string): {
  readonly code: string;
  readonly details?: RefusalDetails | undefined;
  readonly diagnosis?: Diagnosis | undefined;
} {
  try {
    const { errorCode, ...body } = problem.parse(JSON.parse(text));
    // Details that another version of the server sends in an unknown form are left out.
    return {
      code: errorCode,
      details: refusalDetails.safeParse(body.details).data,
      diagnosis: diagnosis.safeParse(body.diagnosis).data,
    };
  } catch {
    return { code: text.trim() };
  }
}

/**
 * The refusal for an HTTP status and its body's text (product specification, section 8).
 * @param sessionId the session id of the request; a 401 ends that session in this browser
 * @param isDownload for downloads, the text of a 404 is also the code
 */
export function refusalOf(
  status: number,
  text: string,
  sessionId: string | null,
  isDownload = false,
): Refusal {
  if (status === 401) {
    if (sessionId !== null) expireSession(sessionId);
    return new Refusal('API_ERROR_UNAUTHORIZED');
  }
  if (status === 409 || status === 412) {
    const { code, details } = readBody(text);
    if (code === 'DRAFT_CHANGED' || code === 'RECORD_CHANGED') return new Refusal(code, details);
  }
  if (status === 422) {
    const { code } = readBody(text);
    if (code === 'IDEMPOTENCY_KEY_REUSED') return new Refusal(code);
    location.assign(signInAddress());
    return new Refusal('SIGN_IN_AGAIN');
  }
  if (status === 429) {
    const { code, details } = readBody(text);
    return new Refusal(isKnown(code) ? code : 'API_ERROR_THROTTLING', details);
  }
  if (status === 503) return new Refusal('SERVICE_UNAVAILABLE');
  if (status === 400 || status === 403 || status === 410 || (status === 404 && isDownload)) {
    const { code, details, diagnosis: found } = readBody(text);
    // An unknown code word is shown unchanged: the panel prints codes that have no text.
    return isKnown(code)
      ? new Refusal(code, details, found)
      : new Refusal('GENERIC_ERROR', { detail: code.slice(0, 200) });
  }
  return new Refusal(status === 404 ? 'NOT_FOUND' : 'GENERIC_ERROR');
}
