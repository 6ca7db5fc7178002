/** What a pre-flight checks and reports; pure, on plain values. */
import type { CheckFault, ImageCheck } from '@recodery/codec/preflight/checks';
import { errorNameOf } from '@recodery/codec/families/registry';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family, RecodErrorName, Workflow } from '@recodery/contract/families/registry';
import type { RefusalCode } from '@recodery/contract/errors';
import type { PreflightAnswer, PreflightCheck } from '@recodery/contract/features/preflight';
import { partOf } from '../draft-rules.ts';

/** What the draft of a slot would encode. */
export interface Prepared {
  /** Guids of the modified images, by component; those of removed components are absent. */
  readonly modified: readonly { readonly component: ComponentName; readonly fileGuid: string }[];
  readonly originalFileGuid: string | null;
  readonly removed: readonly ComponentName[];
  readonly reencode: false;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
}

/** The order in which a page lists the checks. */
const order: readonly PreflightCheck['id'][] = [
  'files',
  'original',
  'size',
  'map-file',
  'identification',
  'checksums',
  'cvn',
  'identical',
  'much-changed',
  'outside-calibration',
  'known-elsewhere',
  'already-tuned',
];

/** The check of the files as a whole: red, with the code of the encode's refusal. */
export function checkFiles(refusal: RefusalCode | RecodErrorName | null): PreflightCheck {
  const isMissing = refusal === 'FILE_NOT_COMPATIBLE_WITH_READ_FILE';
  const error =
    refusal === null
      ? null
      : { errorName: refusal, detail: null, cause: isMissing ? 'ORI_MISSING' : refusal };
  const status = refusal === null ? 'green' : 'red';
  return { id: 'files', status, part: null, error, values: refusal === null ? {} : null };
}

/** Where a check's image belongs: determines the names of its errors. */
export interface CheckPlace {
  readonly family: Family;
  readonly workflow: Workflow;
  readonly mode: Mode;
}

/** A check of the codec, in the family's names. */
export function describeCheck(
  { family, workflow, mode }: CheckPlace,
  { component, fault, ...check }: ImageCheck,
): PreflightCheck {
  const role = check.id === 'original' ? 'original' : 'modified';
  const part = partOf(family, { role, component });
  const error = fault && describeFault(fault, { workflow, mode, component });
  // the codec's checks have the ids and values of the contract
  return { ...check, part, error } as PreflightCheck;
}

function describeFault(
  { internalCode, detail }: CheckFault,
  place: Parameters<typeof errorNameOf>[1],
): NonNullable<PreflightCheck['error']> {
  return { errorName: errorNameOf(internalCode, place), detail, cause: internalCode };
}

/** All checks in their order, and the worst status among them. */
export function summarize(
  checks: readonly PreflightCheck[],
): Pick<PreflightAnswer, 'status' | 'checks'> {
  const has = (status: PreflightCheck['status']) => checks.some((one) => one.status === status);
  return {
    status: has('red') ? 'red' : has('amber') ? 'amber' : 'green',
    checks: checks.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
  };
}
