/** What a pre-flight found, in one line: never that all passed while something was not checked or is missing; pure. */
import type {
  PreflightAnswer,
  PreflightCheck,
} from '@recodery/contract/features/recoding/preflight';
import { listText } from '../../../i18n/formats.ts';
import type { Language } from '../../../i18n/languages.ts';
import type { TextOf } from '../../../i18n/texts.ts';
import { lookOf } from '../families/part-look.ts';
import type { RefusedParts } from '../inputs.ts';
import { checksWith } from '../preflight-answer.ts';

/**
 * `passed`: everything. `limited`: everything that can be checked. `open`: possible mistakes, or a file that was refused:
 * it is missing, or the one before it was checked. `blocked`: the encode would be refused.
 */
export type Verdict = 'passed' | 'limited' | 'open' | 'blocked';

/** Checks with the same text are one entry, for all the components that they are about. */
export interface CheckEntry {
  readonly check: PreflightCheck;
  /** As in the draft; empty: the whole encode. */
  readonly parts: readonly string[];
}

/** The entries of checks, in their order. Only checks that could not be made can have the same text. */
export function checkEntries(checks: readonly PreflightCheck[]): readonly CheckEntry[] {
  const entries = new Map<string, CheckEntry>();
  for (const check of checks) {
    const { id, status, part, reason } = check;
    const key = status === 'unchecked' ? `${id} ${reason}` : `${id} ${part}`;
    const parts = [...(entries.get(key)?.parts ?? []), ...(part === null ? [] : [part])];
    entries.set(key, { check: entries.get(key)?.check ?? check, parts });
  }
  return [...entries.values()];
}

/** The checks that could not be made; a refused file makes others impossible, which is not worth a line. */
export function limitsOf(answer: PreflightAnswer): readonly PreflightCheck[] {
  return checksWith('unchecked', answer).filter(({ reason }) => reason !== 'refused-before');
}

/** The texts for refused files; a missing one matters more, and that of a part that is left out is missing too. */
const refusals = [
  ['missing', 'checks.incomplete'],
  ['removed', 'checks.incomplete'],
  ['earlier', 'checks.earlier'],
] as const;

/** The names of parts in one sentence. */
export function partsText(t: TextOf, language: Language, parts: readonly string[]): string {
  const names = parts.map((part) => t(lookOf(part).label));
  return listText(names, language);
}

/** The summary of a pre-flight. `refused`: the parts whose last file was refused or not uploaded. */
export function preflightSummary(
  { t, language }: { readonly t: TextOf; readonly language: Language },
  answer: PreflightAnswer,
  refused: RefusedParts,
): { readonly verdict: Verdict; readonly title: string } {
  if (answer.status === 'red') return { verdict: 'blocked', title: t('checks.stopped') };
  for (const [state, text] of refusals) {
    if (refused[state].length === 0) continue;
    const parts = partsText(t, language, refused[state]);
    return { verdict: 'open', title: t(text, { parts }) };
  }
  if (answer.status === 'amber') {
    const { length: count } = checksWith('amber', answer);
    return { verdict: 'open', title: t('checks.open', { count }) };
  }
  const { length: count } = checkEntries(limitsOf(answer));
  return count === 0
    ? { verdict: 'passed', title: t('checks.passed') }
    : { verdict: 'limited', title: t('checks.limited', { count }) };
}
