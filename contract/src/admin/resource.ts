/**
 * What a resource of the administration is: one declaration of its fields, columns and actions, from which the routes,
 * the pages' list and form, and the server's checks are derived.
 */
import type { Role } from '../api.ts';

/**
 * What a field contains. `choices`, `list` and `references` are lists of texts; `bytes` is a number that pages show as a
 * size; `secret` is sent, but never returned. An `image` is returned as an address and sent as a data URL of a PNG or
 * SVG; null removes it, and the returned address keeps it. `json` is a text of JSON, which is only shown. `markdown` is a
 * text of many lines, which pages can preview. A `file` is returned as its SHA-256 hash, and is uploaded with the form; a
 * resource has at most one, and texts besides.
 */
export type FieldKind =
  | 'text'
  | 'email'
  | 'number'
  | 'bytes'
  | 'time'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'list'
  | 'reference'
  | 'references'
  | 'secret'
  | 'image'
  | 'json'
  | 'markdown'
  | 'file';

export interface Field {
  readonly kind: FieldKind;
  /** When users can set it: always, only in a new record, or never, because it is only shown. */
  readonly edit: 'always' | 'create' | 'never';
  /** It cannot be empty. */
  readonly required?: true;
  /** No two records have the same value. */
  readonly isUnique?: true;
  /** It is entered in several lines; line breaks are spaces. */
  readonly isLong?: true;
  /** Its page shows it apart from the other facts. */
  readonly isApart?: true;
  /** The order of the entries matters. */
  readonly isOrdered?: true;
  /** Maximum UTF-16 code units of a text, also of each in a list; bytes of an image. Absent: {@link usualMost}. */
  readonly most?: number;
  /** Maximum bytes of a text in UTF-8. */
  readonly mostBytes?: number;
  /** The values of a choice. */
  readonly options?: readonly string[];
  /** The resource that a reference names, and the field of its records that is the value. */
  readonly to?: string;
  readonly by?: string;
  /** Another field of the record, whose entries are the only ones that this field can have. */
  readonly within?: string;
  /** A change of it changes the record's revision, although no form changes it. */
  readonly isRevised?: true;
  /** Pages do not show it: only other fields and actions depend on it. */
  readonly isHidden?: true;
  /** A choice of the record, and the options with which the record has this field. Absent: it always has it. */
  readonly when?: { readonly field: string; readonly is: readonly string[] };
}

/** Maximum UTF-16 code units of a text without a limit of its own. */
export const usualMost = 200;
/** Maximum entries of a list in a record. */
export const mostEntries = 500;

export interface Resource {
  readonly name: string;
  readonly path: string;
  readonly role: Role;
  /** The field that names a record. */
  readonly title: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** The columns of its list, in order. A list can be sorted by each of them. */
  readonly columns: readonly string[];
  /** The fields that a search looks in; without any, lists cannot be searched. */
  readonly search: readonly string[];
  /**
   * It has so few records that pages read them all, and search in what they show: the names of options in the user's
   * language. The server searches the names in this declaration.
   */
  readonly isSearchedAsShown?: true;
  /** The column by which a list is sorted if the request names none; with a minus before it, in descending order. */
  readonly sort: string;
  /** The columns by which a list can be sorted; absent: each of them. */
  readonly sortable?: readonly string[];
  /** What also narrows a list: parameters of its query. */
  readonly filters?: Readonly<Record<string, Field>>;
  /** It has so many records that a list reads only the page that is asked for, and does not count them. */
  readonly isEndless?: true;
  /** What users can do with records, besides listing and reading them. */
  readonly can: { readonly create?: true; readonly update?: true; readonly remove?: true };
  /** What else can be done to one record: `POST {path}/{guid}/{action}`. */
  readonly actions: readonly string[];
  /** An action, or `remove`, that only some records offer: a field, and the values with which they do. */
  readonly offered?: Readonly<
    Record<string, { readonly field: string; readonly is: readonly string[] }>
  >;
  /** What can be done to the resource as a whole: `POST {path}/{task}`, which returns what it has found. */
  readonly tasks?: readonly string[];
  /** A field, and the values with which a record changes soon without anyone: pages read it again until then. */
  readonly changing?: { readonly field: string; readonly is: readonly string[] };
  /** A field, and the values with which a record has a file: `GET {path}/{guid}/file`. */
  readonly download?: { readonly field: string; readonly is: readonly string[] };
  /** The records of a list can be downloaded: `GET {path}/export.csv` and `GET {path}/export.jsonl`. */
  readonly hasExport?: true;
  /** A field, and its values in the records that cannot be changed; they offer only the actions in `offered`. */
  readonly fixed?: { readonly field: string; readonly is: readonly string[] };
  /**
   * Those of them that need a session whose user signed in or entered the password recently; also `download` and `remove`.
   */
  readonly confirmedActions?: readonly string[];
  /** Actions that, as a change, name the revision of the record on which they are based. */
  readonly revisedActions?: readonly string[];
}

/** Declares a resource and keeps its literal types. */
export function resource<const R extends Resource>(declared: R): R {
  return declared;
}

type Nullable<F extends Field, T> = F extends { readonly required: true } ? T : T | null;

/** The value of a field in a record. */
export type ValueOf<F extends Field> = F['kind'] extends 'switch'
  ? boolean
  : F['kind'] extends 'choices' | 'list' | 'references'
    ? readonly string[]
    : F['kind'] extends 'number' | 'bytes'
      ? Nullable<F, number>
      : Nullable<F, string>;

/** The fields of a resource, by name, without secrets. */
export type RecordFieldsOf<R extends Resource> = {
  readonly [Name in keyof R['fields'] as R['fields'][Name]['kind'] extends 'secret'
    ? never
    : Name]: ValueOf<R['fields'][Name]>;
};

/** A record of a resource. `revision` changes with its editable fields, and with those that are declared so. */
export type RecordOf<R extends Resource> = RecordFieldsOf<R> & {
  readonly guid: string;
  readonly revision: string;
};

/** What a form sends: any of the fields that can be edited. */
export type ValuesOf<R extends Resource> = {
  readonly [Name in keyof R['fields'] as R['fields'][Name]['edit'] extends 'never' ? never : Name]?:
    | ValueOf<R['fields'][Name]>
    | (ValueOf<R['fields'][Name]> extends boolean | readonly string[] ? never : null)
    | undefined;
};

/** Any value of a field. */
export type FieldValue = string | number | boolean | readonly string[] | null;
/** The values of any resource's fields, by name. */
export type AnyValues = Readonly<Record<string, FieldValue | undefined>>;

/** The field of a resource that is an uploaded file; null: it has none. */
export function fileFieldOf({ fields }: Resource): readonly [name: string, field: Field] | null {
  return Object.entries(fields).find(([, { kind }]) => kind === 'file') ?? null;
}

/** Whether a kind of field has several values. */
export function isList(kind: FieldKind): boolean {
  return kind === 'choices' || kind === 'list' || kind === 'references';
}

/** Whether a record with these values has a field. Values without the choice that decides it do not rule it out. */
export function hasField({ when }: Field, values: AnyValues): boolean {
  const choice = when === undefined ? undefined : values[when.field];
  return choice === undefined || when?.is.includes(String(choice)) === true;
}

/** Whether a record is one of those that cannot be changed. */
export function isFixed({ fixed }: Resource, values: AnyValues): boolean {
  return fixed !== undefined && fixed.is.includes(String(values[fixed.field]));
}

/** The fields of a resource that a form for a new record, or for an existing one, shows as inputs. */
export function inputsOf(
  { fields }: Resource,
  form: 'create' | 'update',
): readonly (readonly [name: string, field: Field])[] {
  return Object.entries(fields).filter(
    ([, { edit }]) => edit === 'always' || (edit === 'create' && form === 'create'),
  );
}
