/** The draft of a slot's next encode, as the slot's row stores it. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import type { FaultDetails } from '@recodery/contract/features/operations';

/** The draft of a slot's next encode. `removed` is null until the user has chosen what to remove. */
export interface DraftRecord {
  /** Guids of the uploaded images, by component; the original image is stored separately. */
  readonly modified: Readonly<Partial<Record<ComponentName, string>>>;
  readonly original: string | null;
  readonly removed: readonly ComponentName[] | null;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  /** Absent: false. */
  readonly willCorrectChecksums?: true;
  /** The names of the uploads that were canceled last before they arrived, oldest first. */
  readonly canceled?: readonly string[];
  /** The last upload to a place, by its stored name, if it was refused and nothing has been chosen there since. */
  readonly refused?: Readonly<Record<string, RefusedUpload>>;
  /** Grows with each change; absent: 0. */
  readonly version?: number;
  /** The last change of each field that was ever changed, by the names of `draft-changes`. */
  readonly changes?: Readonly<Record<string, DraftChange>>;
}

/** An upload that was refused. Its bytes are not stored. */
export interface RefusedUpload {
  /** Null: it was refused before its name was known. */
  readonly name: string | null;
  /** Bytes. */
  readonly size: number | null;
  readonly errorCode: string;
  readonly details: FaultDetails | null;
  readonly diagnosis: Diagnosis | null;
  /** ISO 8601. */
  readonly on: string;
}

/** The last change of a field of a draft. */
export interface DraftChange {
  /** The version of the draft that it made. */
  readonly version: number;
  /** ISO 8601. */
  readonly on: string;
  readonly accountGuid: string | null;
  readonly clientGuid: string | null;
  /** The tab of the browser that made it; null: unknown. */
  readonly tab: string | null;
  /** The upload that made it, if it can be canceled. */
  readonly upload?: ArrivedUpload;
}

/** An upload whose file is in the draft. */
export interface ArrivedUpload {
  /** The name that the page gave it. */
  readonly name: string;
  /** The GUID of the file that it replaced; null: none. */
  readonly replaced: string | null;
  /** The upload that had brought that file, if it can be canceled. */
  readonly before?: ArrivedUpload;
}

/** Nothing prepared yet: no files, CVN unchanged, checksums corrected. */
export const noDraft: DraftRecord = {
  modified: {},
  original: null,
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
};
