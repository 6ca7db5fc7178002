/** The checks of a slot's draft: their request, their subject, and what the user must decide. */
import type { Family } from '@recodery/contract/families/registry';
import {
  type PreflightAnswer,
  type PreflightCheck,
  preflightRoutes,
} from '@recodery/contract/features/recoding/preflight';
import type { Call } from '../../api/call.ts';
import { withTexts } from '../../i18n/texts.ts';
import { draftOfInputs, type Inputs } from './inputs.ts';

/** The slot whose draft is checked. */
export interface CheckedSlot {
  readonly family: Family;
  readonly slotGUID: string;
}

/**
 * The checks of the draft that the server has, after the texts that show them have been loaded. Rejects as `call` does.
 */
export async function requestPreflight(
  call: Call,
  { family, slotGUID }: CheckedSlot,
  signal: AbortSignal,
): Promise<PreflightAnswer> {
  const answer = call(preflightRoutes[family], { params: { slotGUID } }, { signal });
  return withTexts(answer, 'checks', 'encode');
}

/** Whether the server has checked these inputs, and not an earlier or another tab's draft. */
export function isCheckOf(inputs: Inputs, checked: PreflightAnswer['draft']): boolean {
  const { files, removed, willCorrectCVN, willSkipChecksum, ...known } = draftOfInputs(inputs);
  const parts = new Set([...Object.keys(files), ...Object.keys(checked.files)]);
  const sameFiles = [...parts].every(
    (part) => (files[part] ?? null) === (checked.files[part] ?? null),
  );
  const ours = new Set(removed);
  // removing a name that the read does not have has no effect
  const theirs = checked.removed?.filter((part) => part in inputs.parts) ?? null;
  // nothing has been chosen yet: the page's own defaults apply
  const sameRemoved =
    theirs === null || (theirs.length === ours.size && theirs.every((part) => ours.has(part)));
  return (
    sameFiles &&
    sameRemoved &&
    willCorrectCVN === checked.willCorrectCVN &&
    willSkipChecksum === checked.willSkipChecksum &&
    known.willCorrectChecksums === checked.willCorrectChecksums
  );
}

/** The checks with a status. */
export function checksWith(
  status: PreflightCheck['status'],
  { checks }: PreflightAnswer,
): readonly PreflightCheck[] {
  return checks.filter((check) => check.status === status);
}

/** The subject of a confirmation: the question about the same amber checks of the same inputs is shown only once. */
export function questionOf(answer: PreflightAnswer): string {
  return JSON.stringify([answer.draft, checksWith('amber', answer)]);
}
