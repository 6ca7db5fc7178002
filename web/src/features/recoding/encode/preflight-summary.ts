/** What a pre-flight found, in one line: never that all passed while something was not checked or is missing; pure. */
import type { PreflightAnswer, PreflightCheck } from '@recodery/contract/features/preflight';
import type { TextOf } from '../../../i18n/texts.ts';
import { checksWith } from '../preflight-answer.ts';

/**
 * `passed`: everything. `limited`: everything that can be checked. `open`: possible mistakes, or a file that was refused
 * and is missing. `blocked`: the encode would be refused.
 */
export type Verdict = 'passed' | 'limited' | 'open' | 'blocked';

/** Checks with the same text are one entry, for all the components that they are about. */
export interface CheckEntry {
  readonly check: PreflightCheck;
  /** As in the draft; empty: the whole encode. */
  readonly parts: readonly string[];
}

/** The entries of checks, in their order. Only checks that could not be made can have the same text. */
export function entriesOf(checks: readonly PreflightCheck[]): readonly CheckEntry[] {
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

/** The summary of a pre-flight. `missing`: the names of the parts whose last file was refused or not uploaded. */
export function summaryOf(
  t: TextOf,
  answer: PreflightAnswer,
  missing: readonly string[],
): { readonly verdict: Verdict; readonly title: string } {
  if (answer.status === 'red') return { verdict: 'blocked', title: t('checks.stopped') };
  if (missing.length > 0) {
    const parts = missing.join(', ');
    return { verdict: 'open', title: t('checks.incomplete', { parts }) };
  }
  if (answer.status === 'amber') {
    const { length: count } = checksWith('amber', answer);
    return { verdict: 'open', title: t('checks.open', { count }) };
  }
  const { length: count } = entriesOf(limitsOf(answer));
  return count === 0
    ? { verdict: 'passed', title: t('checks.passed') }
    : { verdict: 'limited', title: t('checks.limited', { count }) };
}
