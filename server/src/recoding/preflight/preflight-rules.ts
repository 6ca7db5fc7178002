/** What a pre-flight checks and reports; pure, on plain values. */
import type { CheckFault, ImageCheck } from '@recodery/codec/preflight/checks';
import { detailOf, errorNameOf } from '@recodery/codec/families/registry';
import { findProtocol, identifiedComponent } from '@recodery/codec/protocols/protocols';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family, RecodErrorName, Workflow } from '@recodery/contract/families/registry';
import type { RefusalCode } from '@recodery/contract/errors';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import type {
  PreflightAnswer,
  PreflightCheck,
  UncheckedReason,
} from '@recodery/contract/features/recoding/preflight';
import { partOf } from '../drafts/draft-rules.ts';
import type { OriginalQuestion } from '../originals/originals.ts';
import type { DecodeFacts } from '../results/stored-result.ts';

/** What the draft of a slot would encode. */
export interface Prepared {
  /** Guids of the modified images, by component; those of removed components are absent. */
  readonly modified: readonly { readonly component: ComponentName; readonly fileGuid: string }[];
  readonly originalFileGuid: string | null;
  readonly removed: readonly ComponentName[];
  readonly reencode: false;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  readonly willCorrectChecksums: boolean;
}

/** The order in which a page lists the checks. */
const order: readonly PreflightCheck['id'][] = [
  'files',
  'read-checksums',
  'original',
  'size',
  'map-file',
  'fit',
  'identification',
  'checksums',
  'known-checksums',
  'overwritten',
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
  const values = refusal === null ? {} : null;
  return { id: 'files', status, part: null, error, reason: null, values };
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
  fault: CheckFault,
  place: Parameters<typeof errorNameOf>[1],
): NonNullable<PreflightCheck['error']> {
  const { internalCode } = fault;
  const errorName = errorNameOf(internalCode, place);
  return { errorName, detail: detailOf(fault, place), cause: internalCode };
}

/** Why an accepted file hardly resembles the read. */
export function describeFit(part: string | null, values: Diagnosis): PreflightCheck {
  return { id: 'fit', status: 'amber', part, error: null, reason: null, values };
}

/** A check that could not be made. */
export function describeUnchecked<Id extends 'already-tuned' | 'read-checksums' | 'fit'>(
  id: Id,
  part: string | null,
  reason: UncheckedReason,
) {
  return { id, status: 'unchecked', part, error: null, reason, values: null } as const;
}

/** Whether the read's own checksums were right when it was decoded. */
export function checkReadChecksums(
  { isChecksumRight, wrongChecksums = [], components, wasOriginalFileFound }: DecodeFacts,
  isVendor: boolean,
): PreflightCheck {
  const id = 'read-checksums';
  if (isVendor) return describeUnchecked(id, null, 'engine-does-not-report');
  if (components.length === 0 || wasOriginalFileFound)
    return describeUnchecked(id, null, 'no-image-in-read');
  if (isChecksumRight === null) return describeUnchecked(id, null, 'no-scheme');
  const status = isChecksumRight ? 'green' : 'amber';
  const values = { rules: [...wrongChecksums] };
  return { id, status, part: null, error: null, reason: null, values };
}

/** What the library is asked about a read, and the component that is compared; or why it cannot be asked. */
export type LibraryQuestion =
  | { readonly component: ComponentName; readonly question: OriginalQuestion }
  | { readonly component: ComponentName | null; readonly reason: UncheckedReason };

/** The question to the library whether a read was already tuned. */
export function askLibrary(facts: DecodeFacts, isVendor: boolean): LibraryQuestion {
  const { protocolId, components, information, isOneImage, wasOriginalFileFound } = facts;
  const image = isOneImage ? 'obd' : null;
  if (isVendor || protocolId === null)
    return { component: image, reason: 'engine-does-not-report' };
  const protocol = findProtocol(protocolId);
  const component = protocol && (identifiedComponent(protocol)?.name ?? null);
  if (component === null) return { component: image, reason: 'no-identification' };
  if (wasOriginalFileFound || !components.some((one) => one.component === component))
    return { component, reason: 'no-image-in-read' };
  const { hardware, software } = information;
  return hardware === null || software === null
    ? { component, reason: 'no-numbers-in-read' }
    : { component, question: { protocolId, hardware, software } };
}

/** All checks in their order, and the worst status among them. */
export function summarize(
  checks: readonly PreflightCheck[],
): Pick<PreflightAnswer, 'status' | 'unchecked' | 'checks'> {
  const has = (status: PreflightCheck['status']) => checks.some((one) => one.status === status);
  return {
    status: has('red') ? 'red' : has('amber') ? 'amber' : 'green',
    unchecked: checks.filter(({ status }) => status === 'unchecked').length,
    checks: checks.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
  };
}
