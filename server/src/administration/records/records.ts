/** How the routes use the records of any resource. */
import { createHash } from 'node:crypto';
import type { ActionFinding } from '@recodery/contract/admin/derive-routes';
import type { AnyValues, Field, FieldValue, Resource } from '@recodery/contract/admin/resource';
import type { ListedRecord, ListAsk, ListPage } from './list-rules.ts';
import type { Values } from './resource-store.ts';

/** What a user confirms with a change. */
export interface Confirmed {
  /** A device changes its owner. */
  readonly move?: boolean;
  /** An organisation has no manager afterwards. */
  readonly withoutManager?: boolean;
  /** The number that the refusal of the same change described. */
  readonly confirm?: string | undefined;
}

/** The fields that a change has changed, each with its old and new value, for the audit trail. */
export type FieldChanges = Readonly<
  Record<string, readonly [before: FieldValue, after: FieldValue]>
>;

/** A changed record. */
export interface Changed {
  readonly record: ListedRecord;
  readonly changes: FieldChanges;
}

/** A change to a record: its new values, and the revision on which they are based; null: any. */
export interface RecordChange {
  readonly guid: string;
  readonly values: AnyValues;
  readonly revision: string | null;
  readonly confirmed: Confirmed;
}

/** The record to remove. */
export interface Removal {
  readonly guid: string;
  readonly confirmed: Confirmed;
}

/** What an action returns: the record as it is now, a link to copy, what it has found, and what it has changed. */
export interface ActionOutcome {
  readonly item: ListedRecord;
  readonly link: string | null;
  readonly finding?: ActionFinding;
  readonly changes: object;
}

/** What a task for the whole resource returns. */
export interface TaskResult {
  readonly finding: ActionFinding;
}

/** The records of a resource, as far as its declaration allows. All throw `Refusal`. */
export interface ResourceRecords {
  list(ask: ListAsk): Promise<ListPage>;
  read(guid: string): Promise<ListedRecord>;
  create(values: AnyValues): Promise<Changed>;
  update(change: RecordChange): Promise<Changed>;
  /** Returns the last values. */
  remove(removal: Removal): Promise<Values>;
}

/** What the audit trail notes of a value: of a whole document, its length and its SHA-256 hash. */
function noted(kind: Field['kind'], value: FieldValue | undefined): FieldValue {
  if (kind !== 'markdown' || typeof value !== 'string') return value ?? null;
  const hash = createHash('sha256').update(value).digest('hex');
  return `${value.length} characters, SHA-256 ${hash}`;
}

/** The values of a record, as the audit trail notes them. */
export function notedValues({ fields }: Resource, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      noted(fields[name]?.kind ?? 'text', value),
    ]),
  );
}

/** Changed fields. A secret is recorded as changed, and never with its value. `also`: fields that no form changes. */
export function changesBetween(
  { fields }: Resource,
  before: Values,
  after: Values,
  sent: AnyValues = {},
  also: readonly string[] = [],
): FieldChanges {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([name, { edit, isRevised = false }]) =>
          edit !== 'never' || isRevised || also.includes(name),
      )
      .map(([name, { kind }]) =>
        kind === 'secret'
          ? ([name, [null, sent[name] === undefined ? null : 'changed']] as const)
          : ([name, [noted(kind, before[name]), noted(kind, after[name])]] as const),
      )
      .filter(([, [old, now]]) => JSON.stringify(old) !== JSON.stringify(now)),
  );
}
