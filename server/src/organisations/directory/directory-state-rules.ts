/** What the directory contains, and what can be planned for it, as plain values. */
import type { FieldError } from '@recodery/contract/admin/check-fields';
import type { EngineKind } from '@recodery/contract/features/engines';
import type { Family } from '@recodery/contract/families/registry';
import type { RightName } from './directory-file.ts';

/** An organisation's fields. `logo` is a data URL. */
export interface OrganisationRecord {
  readonly name: string;
  readonly email: string | null;
  readonly culture: string;
  readonly rights: readonly RightName[];
  readonly logo: string | null;
  /** Its own storage quota in GiB; null: the one of the settings. */
  readonly quotaGib: number | null;
  /** An operator has archived it: no one can work for it until it is restored. */
  readonly archived: boolean;
}

/** A group code; it has no fields besides its key. */
export interface GroupRecord {
  readonly customerCode: string;
  readonly code: string;
}

export interface MasterRecord {
  readonly family: Family;
  readonly serial: string;
  readonly customerCode: string;
  readonly groupCode: string;
  /** `built-in`, or the name of a connection. */
  readonly engine: string;
}

export interface SlaveRecord {
  readonly family: Family;
  readonly serial: string;
  readonly masterSerial: string;
  /** Customer code of the workshop that owns it. */
  readonly owner: string | null;
  readonly revoked: boolean;
}

export interface UserRecord {
  readonly email: string;
  readonly name: string;
  readonly culture: string | null;
  readonly portalAccess: boolean;
  /** An operator has suspended the account: the user cannot sign in. */
  readonly accountSuspended: boolean;
  /** In order: the first is current after sign-in. */
  readonly customerCodes: readonly string[];
  readonly operator: boolean;
  /** The customer codes of the organisations that the user manages, in the order of `customerCodes`. */
  readonly manager: readonly string[];
  /** The customer codes of the organisations for which the user cannot work any more, in the same order. */
  readonly suspended: readonly string[];
}

/** The whole directory by keys: `CC-1`, `CC-1 G-1`, `kess3 KS3-1`, `anna@demo.test`. */
export interface DirectoryState {
  readonly organisations: ReadonlyMap<string, OrganisationRecord>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly masters: ReadonlyMap<string, MasterRecord>;
  readonly slaves: ReadonlyMap<string, SlaveRecord>;
  readonly users: ReadonlyMap<string, UserRecord>;
  /** The kinds of the engines, by the names of their connections; the file cannot change them. */
  readonly engines: ReadonlyMap<string, EngineKind>;
  /** What archived organisations still have that their removal would delete, by customer code. */
  readonly withWork: ReadonlyMap<string, readonly WorkName[]>;
}

/** What an organisation works with, besides users and devices. */
export const workNames = ['jobs', 'operations', 'receipts', 'notifications'] as const;
export type WorkName = (typeof workNames)[number];

export interface RecordTypes {
  readonly organisation: OrganisationRecord;
  readonly group: GroupRecord;
  readonly master: MasterRecord;
  readonly slave: SlaveRecord;
  readonly user: UserRecord;
}

/** How a device changes its owner: the field that changes this, and the customer codes; null: no owner. */
export interface DeviceMove {
  readonly field: 'customerCode' | 'owner' | 'masterSerial';
  readonly from: string | null;
  readonly to: string | null;
  readonly text: string;
}

/** Why a file cannot be applied: for the operator, and for a form with the field that causes it. */
export interface DirectoryMistake {
  readonly text: string;
  readonly field: string;
  readonly code: FieldError;
  /** What still needs a record that cannot be removed: how many by name; empty if they are not counted. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The device that would change its owner. */
  readonly move?: DeviceMove & { readonly device: string };
}

/**
 * A change to one record. `fields` names the fields that a change updates; `moves` describes how a device changes its
 * owner, with the old and the new one.
 */
export type DirectoryChange = {
  [K in keyof RecordTypes]: {
    readonly kind: K;
    readonly key: string;
  } & (
    | { readonly action: 'add'; readonly record: RecordTypes[K] }
    | {
        readonly action: 'change';
        readonly record: RecordTypes[K];
        readonly fields: readonly string[];
        readonly moves?: readonly DeviceMove[];
      }
    | { readonly action: 'remove' }
  );
}[keyof RecordTypes];
export type ChangeOf<K extends DirectoryChange['kind']> = Extract<DirectoryChange, { kind: K }>;

/** The changes in an order in which they can be applied, or the reasons why they cannot. */
export type DirectoryPlan =
  | { readonly changes: readonly DirectoryChange[] }
  | { readonly mistakes: readonly DirectoryMistake[] };

/** The key of a group code. */
export const groupKey = (customerCode: string, code: string): string => `${customerCode} ${code}`;
/** The key of a master or slave device: its family and serial number. */
export const deviceKey = (family: Family, serial: string): string => `${family} ${serial}`;

/** The contents of the file: the records to keep or create, and the keys of those to remove. */
export interface DesiredDirectory {
  readonly organisations: Map<string, OrganisationRecord>;
  readonly groups: Map<string, GroupRecord>;
  readonly masters: Map<string, MasterRecord>;
  readonly slaves: Map<string, SlaveRecord>;
  readonly users: Map<string, UserRecord>;
  readonly gone: Readonly<Record<DirectoryChange['kind'], Set<string>>>;
}
