/**
 * What the administration needs to know of a resource: its records, and the directory file that makes a record what a
 * user wants it to be. All rules are those of the directory.
 */
import { createHash } from 'node:crypto';
import type { FieldErrors } from '@recodery/contract/admin/check-fields';
import {
  type AnyValues,
  type FieldValue,
  isList,
  type Resource,
} from '@recodery/contract/admin/resource';
import type { ResourceName } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { DirectoryFile } from '../../organisations/directory/directory-file.ts';
import type { DirectoryState } from '../../organisations/directory/directory-state-rules.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { ListedRecord } from './list-rules.ts';

/** The fields of a record. */
export type Values = Readonly<Record<string, FieldValue>>;

/** The resources that the directory contains. */
export type DirectoryResource = Extract<
  ResourceName,
  'organisations' | 'users' | 'masters' | 'slaves'
>;

/** The directory as records are read from it, with the GUID of each by its key in the directory. */
export interface DirectoryView {
  readonly state: DirectoryState;
  readonly guids: Readonly<Record<DirectoryResource, ReadonlyMap<string, string>>>;
  /** The keys of users who have a password. */
  readonly withPassword: ReadonlySet<string>;
  /** The keys of slaves by their GUID; those of a vendor's service are missing. */
  readonly slaveKeys: ReadonlyMap<
    string,
    { readonly number: number; readonly renewedOn: string | null }
  >;
}

/** A resource on the server. */
export interface ResourceStore {
  readonly declared: Resource;
  /** All records of the resource by GUID. */
  readonly read: (view: DirectoryView) => ReadonlyMap<string, Values>;
  /** What no two records have in common, by which a new record is found again. */
  readonly keyOf: (values: AnyValues) => string;
  /** The file that adds a record or changes it to these values; `before` is null for a new one. */
  readonly write: (values: AnyValues, before: Values | null, view: DirectoryView) => DirectoryFile;
  /** The errors of values that depend on each other. */
  readonly findErrors?: (values: AnyValues, view: DirectoryView) => FieldErrors;
  /** The file that removes a record. */
  readonly remove?: (values: Values, view: DirectoryView) => DirectoryFile;
  /** Whether an organisation keeps a manager in any case; otherwise the caller can confirm that it has none. */
  readonly keepsManager?: boolean;
  /** What else a change does, in its transaction. */
  readonly onChanged?: (trx: Db, guid: string, now: Values) => Promise<void>;
}

/** Refuses fields by name. @throws {Refusal} unless there are none */
export function refuseFields(fields: FieldErrors): void {
  if (Object.keys(fields).length > 0) throw new Refusal('FIELDS_NOT_ACCEPTED', { fields });
}

/** A text field of a form; empty if it is missing. */
export const textIn = (values: AnyValues, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

/** The texts of a list in a form. */
export const textsIn = (values: AnyValues, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? [...(value as readonly string[])] : [];
};

/** The values of a new record before anything is entered. */
export function emptyValues({ fields }: Resource): Values {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [
      name,
      isList(kind) ? [] : kind === 'switch' ? false : null,
    ]),
  );
}

/** The revision of a record: it changes with the fields that users can edit, and with those that are declared so. */
function revisionOf({ fields }: Resource, values: Values): string {
  const edited = Object.entries(fields)
    .filter(([, { edit, isRevised = false }]) => edit !== 'never' || isRevised)
    .map(([name]) => values[name]);
  // changes with what a record does not show, such as a secret
  if (values['unshown'] !== undefined) edited.push(values['unshown']);
  return createHash('sha256').update(JSON.stringify(edited)).digest('hex').slice(0, 16);
}

/** A record as responses contain it. */
export function recordOf(
  { declared }: Pick<ResourceStore, 'declared'>,
  guid: string,
  values: Values,
): ListedRecord {
  const { unshown: _unshown, ...shown } = values;
  return { ...shown, guid, revision: revisionOf(declared, values) };
}
