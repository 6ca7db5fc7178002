/** Words for whatever went wrong: headline, what to do, and the code to quote. */
import { Refusal, refusalStatus } from '@recodery/contract/errors';
import { hasText, type TextOf } from './texts.ts';

/** A problem in the reader's language. `code` is what support asks for. */
export interface Problem {
  readonly headline: string;
  readonly advice: string;
  readonly code: string;
}

/** The problem that a failed operation reports: its error name, with the detail for `{0}`. */
export function operationProblem(
  t: TextOf,
  error: { readonly errorName: string; readonly detail?: string | null },
): Problem {
  return problemFor(t, `RECOD_ERROR_${error.errorName}`, error.errorName, error.detail ?? null);
}

/** The problem behind a thrown value: a refusal's own words, a failed network's, or the generic ones. */
export function thrownProblem(t: TextOf, thrown: unknown): Problem {
  if (!(thrown instanceof Refusal)) {
    return problemFor(t, isNetworkFailure(thrown) ? 'NETWORK_ERROR' : 'GENERIC_ERROR', null, null);
  }
  const { code, details } = thrown;
  const unknownCode = code === 'GENERIC_ERROR' && typeof details === 'string' ? details : null;
  if (Object.hasOwn(refusalStatus, code)) return problemFor(t, code, unknownCode ?? code, null);
  return problemFor(t, `RECOD_ERROR_${code}`, code, typeof details === 'string' ? details : null);
}

/** `fetch` reports a failed network as a TypeError, the upload as `UploadFailed`. */
function isNetworkFailure(thrown: unknown): boolean {
  return thrown instanceof TypeError || (thrown instanceof Error && thrown.name === 'UploadFailed');
}

function problemFor(t: TextOf, key: string, code: string | null, detail: string | null): Problem {
  const known = hasText(key) ? key : 'GENERIC_ERROR';
  const title = `${known}_TITLE`;
  return {
    headline: t(hasText(title) ? title : 'GENERIC_ERROR_TITLE'),
    // The texts hold the detail in brackets, which go where there is none.
    advice: t(known, { 0: detail ?? '' }).replace(' ()', ''),
    code: code ?? known,
  };
}
