/** The checks of a pre-flight: what each of them found in an image. */

import type { ComponentName } from '@recodery/contract/families/family';
import type { Span } from '../compare.ts';
import type { Range } from '../checksum/scheme.ts';
import type { CodecError, WrongSize } from '../errors.ts';
import type { RecognizedChange } from '../recognition/recognize.ts';
import type { IdentFieldName } from '../protocols/shape.ts';

/**
 * `green`: nothing to decide. `amber`: possible, but perhaps a mistake. `red`: the encode would fail with this fault.
 * `unchecked`: the portal cannot tell.
 */
export type CheckStatus = 'green' | 'amber' | 'red' | 'unchecked';

/** Why a check could not be made; the contract describes each. */
export type UncheckedReason =
  | 'engine-does-not-report'
  | 'no-scheme'
  | 'no-known-scheme'
  | 'no-identification'
  | 'no-cvn'
  | 'no-areas'
  | 'no-image-in-read'
  | 'refused-before';

/** The error that the encode would throw. */
export type CheckFault = Pick<CodecError, 'internalCode' | 'detail' | 'sizes'>;

interface Check<Id extends string, Values> {
  readonly id: Id;
  readonly status: CheckStatus;
  readonly component: ComponentName;
  /** Set exactly if the status is red. */
  readonly fault: CheckFault | null;
  /** Set exactly if the status is `unchecked`. */
  readonly reason: UncheckedReason | null;
  /** Null if it has no result: unchecked, or red; only a red `overwritten` has values. */
  readonly values: Values | null;
}

/** A field of the identification that differs; null: empty or unreadable. */
export interface ChangedField {
  readonly name: IdentFieldName | RecognizedChange['name'];
  readonly before: string | null;
  readonly after: string | null;
}

/** Bytes that a rule owns; at most 64 of them are shown, hexadecimal, from `shownAt`. */
export interface RulePlace extends Range {
  readonly shownAt: number;
  readonly before: string;
  readonly after: string;
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
/** `bytes`: null if the read does not contain the image. `rules`: those that show that it is not the original. */
export type OriginalCheck = Check<
  'original',
  { readonly bytes: number | null; readonly isModified: boolean; readonly rules: readonly string[] }
>;
export type MapFileCheck = Check<'map-file', Record<string, never>>;
export type ChecksumsCheck = Check<
  'checksums',
  { readonly isSkipped: boolean; readonly rules: readonly RuleOutcome[] }
>;
/** The changed bytes that are not encoded as they were uploaded, and the rules that overwrite them. */
export type OverwrittenCheck = Check<
  'overwritten',
  {
    readonly bytes: number;
    readonly spans: readonly Readonly<Span>[];
    readonly rules: readonly string[];
  }
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
/**
 * A part of a scheme of real control units. `wasWrong`: in the image before the user's changes. `isTableChanged`: the
 * user changed the tables or the code that name what it covers.
 */
export interface KnownPart {
  readonly name: string;
  readonly state: 'right' | 'corrected' | 'wrong' | 'off' | 'not-checked';
  /** How many checksums it has, and how many of them are wrong as uploaded. */
  readonly rules: number;
  readonly wrong: number;
  readonly wasWrong: boolean;
  readonly isTableChanged: boolean;
}
/** `bytes`: those that the encode writes. `lost`: the parts that only the image before the user's changes has. */
export type KnownChecksumsCheck = Check<
  'known-checksums',
  {
    readonly scheme: string;
    readonly isProved: boolean;
    readonly signature: 'valid' | 'wrong' | 'not-checked' | null;
    readonly canCorrect: boolean;
    readonly willCorrect: boolean;
    readonly parts: readonly KnownPart[];
    readonly lost: readonly string[];
    readonly bytes: number;
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
/**
 * `protectedBytes`: those of them in ranges that a tune must not change; without a calibration, only they are counted.
 * Not counted: `identificationBytes` in edited fields, `checksumBytes` where rules write.
 */
export type OutsideCheck = Check<
  'outside-calibration',
  {
    readonly bytes: number;
    readonly protectedBytes: number;
    readonly hasCalibration: boolean;
    readonly identificationBytes: number;
    readonly checksumBytes: number;
    readonly spans: readonly Readonly<Span>[];
  }
>;
/** How the read differs from its original. */
export type TunedCheck = Check<'already-tuned', { readonly bytes: number }>;

/** A check of one image. */
export type ImageCheck =
  | SizeCheck
  | IdentificationCheck
  | OriginalCheck
  | MapFileCheck
  | ChecksumsCheck
  | KnownChecksumsCheck
  | OverwrittenCheck
  | CvnCheck
  | IdenticalCheck
  | MuchChangedCheck
  | OutsideCheck
  | TunedCheck;

type CheckOf<Id extends ImageCheck['id']> = Extract<ImageCheck, { id: Id }>;

/** A check that was made. */
export function made<Id extends ImageCheck['id']>(
  id: Id,
  component: ComponentName,
  status: 'green' | 'amber',
  values: NonNullable<CheckOf<Id>['values']>,
): CheckOf<Id> {
  // the caller's id and values belong together
  return { id, status, component, fault: null, reason: null, values } as unknown as CheckOf<Id>;
}

/** A check that could not be made. */
export function unchecked<Id extends ImageCheck['id']>(
  id: Id,
  component: ComponentName,
  reason: UncheckedReason,
): CheckOf<Id> {
  return {
    id,
    status: 'unchecked',
    component,
    fault: null,
    reason,
    values: null,
  } as unknown as CheckOf<Id>;
}
