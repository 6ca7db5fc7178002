/** The checks of a pre-flight: what each of them found in an image. */

import type { ComponentName } from '@recodery/contract/families/family';
import type { Range } from '../checksum/scheme.ts';
import type { CodecError, WrongSize } from '../errors.ts';
import type { IdentFieldName } from '../protocols/shape.ts';

/**
 * `green`: nothing to decide. `amber`: possible, but perhaps a mistake. `red`: the encode would fail with this fault.
 * `unchecked`: the portal cannot tell.
 */
export type CheckStatus = 'green' | 'amber' | 'red' | 'unchecked';

/** The error that the encode would throw. */
export type CheckFault = Pick<CodecError, 'internalCode' | 'detail' | 'sizes'>;

interface Check<Id extends string, Values> {
  readonly id: Id;
  readonly status: CheckStatus;
  readonly component: ComponentName;
  /** Set exactly if the status is red. */
  readonly fault: CheckFault | null;
  /** Null if the check was not carried out. */
  readonly values: Values | null;
}

/** A field of the identification that differs; null: empty or unreadable. */
export interface ChangedField {
  readonly name: IdentFieldName;
  readonly before: string | null;
  readonly after: string | null;
}

/** Bytes that a rule owns, hexadecimal; null if there are more than 64 of them. */
export interface RulePlace extends Range {
  readonly before: string | null;
  readonly after: string | null;
}

/** A checksum rule. `wrong`: it stays wrong; only optional rules and skipped ones can. */
export interface RuleOutcome {
  readonly rule: string;
  readonly state: 'right' | 'corrected' | 'wrong' | 'disabled';
  readonly places: readonly RulePlace[];
}

export type SizeCheck = Check<'size', WrongSize>;
export type IdentificationCheck = Check<
  'identification',
  { readonly changed: readonly ChangedField[] }
>;
export type OriginalCheck = Check<'original', Record<string, never>>;
export type MapFileCheck = Check<'map-file', Record<string, never>>;
export type ChecksumsCheck = Check<
  'checksums',
  { readonly isSkipped: boolean; readonly rules: readonly RuleOutcome[] }
>;
/** The CVN before, as uploaded, and as it will be encoded: eight hexadecimal digits. */
export type CvnCheck = Check<
  'cvn',
  {
    readonly original: string;
    readonly modified: string;
    readonly encoded: string;
    readonly willCorrect: boolean;
  }
>;
export type IdenticalCheck = Check<'identical', { readonly bytes: number }>;
/** `fraction`, `calibration`: the changed share of the image and of its calibration, null without one. */
export type MuchChangedCheck = Check<
  'much-changed',
  {
    readonly bytes: number;
    readonly size: number;
    readonly fraction: number;
    readonly calibration: number | null;
  }
>;
/** `protectedBytes`: those of them in ranges that a tune must not change. */
export type OutsideCheck = Check<
  'outside-calibration',
  {
    readonly bytes: number;
    readonly protectedBytes: number;
    readonly spans: readonly { readonly offset: number; readonly length: number }[];
  }
>;
/** How the read differs from the library's original. */
export type TunedCheck = Check<'already-tuned', { readonly bytes: number }>;

/** A check of one image. */
export type ImageCheck =
  | SizeCheck
  | IdentificationCheck
  | OriginalCheck
  | MapFileCheck
  | ChecksumsCheck
  | CvnCheck
  | IdenticalCheck
  | MuchChangedCheck
  | OutsideCheck
  | TunedCheck;
