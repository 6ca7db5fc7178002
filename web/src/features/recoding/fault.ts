/**
 * What failed, as the page stores it until it renders the text: a refused call, a failed operation, or a lost
 * connection.
 */
import { type RefusalCode, statusOf } from '@recodery/contract/errors';
import { internalErrorNames, type RecodErrorName } from '@recodery/contract/families/registry';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { Refusal } from '@recodery/contract/refusal';
import type { Operation } from '@recodery/contract/features/operations';
import { isKnown } from '../../api/read-refusal.ts';
import {
  type KnownError,
  operationProblem,
  type Problem,
  thrownProblem,
} from '../../i18n/problems.ts';
import type { TextOf } from '../../i18n/texts.ts';

export type Fault =
  /** A rejected call: a `Refusal`, or the error of a failed connection. */
  | { readonly kind: 'refused'; readonly thrown: unknown }
  | {
      readonly kind: 'failed';
      readonly error: KnownError;
      readonly operationGUID: string;
      /** The job of the operation, which shows the same error later. */
      readonly slotGUID?: string | null;
    }
  /** A valid file that cannot be used here: an encoded file, or one that another page opens. */
  | {
      readonly kind: 'misplaced';
      readonly code: RecodErrorName;
      /**
       * `own-file`: a job already has it. `other-maker`: its name is that of another maker's read files, and its content
       * proves nothing.
       */
      readonly what:
        | 'encoded-file'
        | 'utility-backup'
        | 'read-file'
        | 'sealed'
        | 'other-family'
        | 'own-file'
        | 'other-maker';
      /** The job of an own file, if it is known here. */
      readonly slotGUID?: string;
      readonly maker?: string;
    }
  /** The operation may still be running, but the page can no longer ask about it. */
  | { readonly kind: 'lost'; readonly operationGUID: string };

/** The fault of an operation that has failed. */
export function faultOf(operation: Operation): Fault {
  const error = operation.error ?? { errorName: 'GENERIC_ERROR' };
  const { guid: operationGUID, slotGUID } = operation;
  return { kind: 'failed', error, operationGUID, slotGUID };
}

/** The text for a fault. */
export function problemOf(t: TextOf, fault: Fault): Problem {
  switch (fault.kind) {
    case 'refused':
      return thrownProblem(t, fault.thrown);
    case 'failed':
      return operationProblem(t, fault.error);
    case 'misplaced': {
      const { what, maker = '', code } = fault;
      return {
        headline: t(`recoding.misplaced.${what}.title`, { maker }),
        advice: t(`recoding.misplaced.${what}.advice`, { maker }),
        code,
      };
    }
    case 'lost':
      return {
        headline: t('recoding.lost.title'),
        advice: t('recoding.lost.advice'),
        code: fault.operationGUID,
      };
  }
}

/**
 * The text for a refused component: the first word of its code determines the text and the details shown (product
 * specification, section 8).
 */
export function partProblemOf(t: TextOf, fault: Fault): Problem {
  const { code, ...words } = problemOf(t, fault);
  const [first = code] = code.split(/\s+/);
  const isLonger = first !== code && isKnown(first);
  return isLonger ? thrownProblem(t, new Refusal(first)) : { ...words, code: first };
}

/** The code of a refused file; of a request without an answer, that the upload was interrupted. */
export function codeOf(fault: Fault): string {
  if (fault.kind === 'misplaced') return fault.code;
  const thrown = fault.kind === 'refused' ? fault.thrown : null;
  return thrown instanceof Refusal ? thrown.code : 'UPLOAD_INTERRUPTED';
}

/** Why an uploaded file does not fit, or null if that is not known. */
export function diagnosisOf(fault: Fault): Diagnosis | null {
  const thrown = fault.kind === 'refused' ? fault.thrown : null;
  return (thrown instanceof Refusal && thrown.diagnosis) || null;
}

/** The operation behind a fault, or null if there is none. */
export function operationOf(fault: Fault): string | null {
  return fault.kind === 'failed' || fault.kind === 'lost' ? fault.operationGUID : null;
}

/** The causes of an internal error: the server or the engine failed, not the file. */
const breakdownCauses: readonly string[] = ['GENERIC_ERROR', 'ENCODE_FAILED', 'ENGINE_UNAVAILABLE'];

/** Refusals with a client error status that are not caused by the request, only by the current situation. */
const temporaryRefusals: readonly string[] = [
  'TOO_MANY_UPLOADS',
  'UPLOAD_INTERRUPTED',
  'IDEMPOTENCY_KEY_IN_USE',
] satisfies RefusalCode[];

/** Whether the server had no room at that moment, did not receive all of a file, or is still handling the request. */
export function isTemporaryRefusal(thrown: unknown): boolean {
  return thrown instanceof Refusal && temporaryRefusals.includes(thrown.code);
}

/**
 * Whether the same request may succeed later: the cause was the network, the quota, maintenance or an internal error.
 */
export function mayBeTemporary(fault: Fault): boolean {
  switch (fault.kind) {
    case 'refused': {
      const { thrown } = fault;
      if (!(thrown instanceof Refusal) || isTemporaryRefusal(thrown)) return true;
      return statusOf(thrown.code) === 429 || statusOf(thrown.code) >= 500;
    }
    case 'failed': {
      const { errorName, cause = null } = fault.error;
      // an older server does not report the cause
      return cause === null ? internalErrorNames.has(errorName) : breakdownCauses.includes(cause);
    }
    case 'misplaced':
      return false;
    case 'lost':
      return true;
  }
}

/** The image that made an encode fail and must be replaced, if the cause identifies it. */
export function failedImage(fault: Fault): 'modified' | 'original' | null {
  const cause = (fault.kind === 'failed' && fault.error.cause) || '';
  if (cause.startsWith('ORI_')) return 'original';
  const isModified =
    cause.startsWith('MOD_') ||
    cause === 'CHECKSUM_UNCORRECTABLE' ||
    cause === 'CHANGE_OVERWRITTEN';
  return isModified ? 'modified' : null;
}
