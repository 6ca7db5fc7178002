/** The text for an error: headline, advice, and the code to quote. */
import { refusalStatus } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { FaultDetails } from '@recodery/contract/features/operations';
import { hasText, currentLanguage, type TextOf } from './texts.ts';
import { timeText } from './formats.ts';
import { wrongSizeText } from './wrong-size.ts';

/** A problem in the reader's language. `code` is what support asks for. */
export interface Problem {
  readonly headline: string;
  readonly advice: string;
  readonly code: string;
}

/** The error of an operation or notification, if this version knows it; a newer server may have more names. */
export type KnownError = { readonly errorName: string } & Partial<FaultDetails>;

/** The problem that a failed operation reports: its error name and its details. */
export function operationProblem(t: TextOf, error: KnownError): Problem {
  return problemFor(t, `RECOD_ERROR_${error.errorName}`, error.errorName, error);
}

/** The problem for a thrown value: a refusal's own text, a network failure's, or the generic text. */
export function thrownProblem(t: TextOf, thrown: unknown): Problem {
  if (!(thrown instanceof Refusal)) {
    return problemFor(t, isNetworkFailure(thrown) ? 'NETWORK_ERROR' : 'GENERIC_ERROR', null, {});
  }
  const { code, details } = thrown;
  const known = detailsOf(details);
  // the code of a newer server, for which this version has no text
  const unknownCode = code === 'GENERIC_ERROR' ? known.detail : null;
  if (Object.hasOwn(refusalStatus, code)) return problemFor(t, code, unknownCode ?? code, known);
  return problemFor(t, `RECOD_ERROR_${code}`, code, known);
}

/** What a text shows of the details of a refusal. */
function detailsOf(details: Refusal['details']): Partial<FaultDetails> {
  if (details === undefined || Array.isArray(details)) return {};
  if ('conflicts' in details || 'fields' in details || 'current' in details) return {};
  if ('slaves' in details) return {};
  if (!('replacedOn' in details)) return details;
  const { name, replacedBy, replacedOn } = details;
  const facts = [name, replacedBy, timeText(replacedOn, new Date(), currentLanguage())];
  return { detail: facts.filter((fact) => fact !== null).join(' · ') };
}

/** `fetch` reports a failed network as a TypeError, the upload as `UploadFailed`. */
function isNetworkFailure(thrown: unknown): boolean {
  return thrown instanceof TypeError || (thrown instanceof Error && thrown.name === 'UploadFailed');
}

/**
 * One name may have several causes: `{key}.{cause}` is the text for one of them, `{key}` that for all others. Where the
 * detail changes what to say, `{key}_DETAIL` is the text with it. The detail of a file that no slave wrote may be what it
 * is instead.
 */
function problemFor(
  t: TextOf,
  key: string,
  code: string | null,
  { detail, cause, sizes }: Partial<FaultDetails>,
): Problem {
  const own = `${key}.${cause}`;
  const texts = detail ? [`foreign.${detail}`, own, `${key}_DETAIL`, key] : [own, key];
  const known = texts.find(hasText) ?? 'GENERIC_ERROR';
  const title = [`${own}_TITLE`, `${key}_TITLE`].find(hasText) ?? 'GENERIC_ERROR_TITLE';
  // The other texts contain the detail in brackets. Without a detail the brackets are removed.
  // a maker's service can end its reason with a period, which the text adds
  const advice = t(known, { 0: detail?.replace(/(?<!\.)\.$/, '') ?? '' }).replace(
    / \(\)|（）/u,
    '',
  );
  return {
    headline: t(title),
    advice: sizes
      ? t('ui.sentences', { first: wrongSizeText(t, sizes, currentLanguage()), second: advice })
      : advice,
    code: code ?? known,
  };
}
