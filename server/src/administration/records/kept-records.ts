/** The records of a resource that is not part of the directory: a store reads and changes its own table. */
import { checkFields, type FieldErrors } from '@recodery/contract/admin/check-fields';
import { type AnyValues, isFixed, type Resource } from '@recodery/contract/admin/resource';
import { Refusal } from '@recodery/contract/refusal';
import { lockDirectory } from '../../organisations/directory/directory.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { type ListedRecord, listPage } from './list-rules.ts';
import {
  changesBetween,
  type Changed,
  type Confirmed,
  type RecordChange,
  type ResourceRecords,
} from './records.ts';
import { emptyValues, recordOf, refuseFields, type Values } from './resource-store.ts';

/** A resource with a table of its own. Changes of all operators take turns. */
export interface KeptStore {
  readonly declared: Resource;
  /** All records by GUID. */
  readonly read: (db: Db) => Promise<ReadonlyMap<string, Values>>;
  /** The errors of values that depend on each other; `before` is null for a new record. */
  readonly findErrors?: (values: AnyValues, before: Values | null, sent: AnyValues) => FieldErrors;
  /** Refuses what the caller has to confirm, with the facts of the question. */
  readonly admit?: (
    trx: Db,
    wanted: AnyValues,
    before: Values,
    confirmed: Confirmed,
  ) => Promise<void>;
  /** Adds a record; returns its GUID. */
  readonly create?: (trx: Db, values: AnyValues) => Promise<string>;
  readonly update?: (trx: Db, guid: string, values: AnyValues) => Promise<void>;
  /** Returns why a record cannot be removed. */
  readonly remove?: (trx: Db, guid: string, values: Values) => Promise<FieldErrors>;
}

function requireKept(records: ReadonlyMap<string, Values>, guid: string): Values {
  const values = records.get(guid);
  if (values === undefined) throw new Refusal('NOT_FOUND');
  return values;
}

/** Refuses to change what the program itself has added. */
function requireFree({ declared }: KeptStore, values: Values): void {
  if (isFixed(declared, values)) refuseFields({ [declared.title]: 'FIXED' });
}

/** A record. @throws {Refusal} NOT_FOUND */
export async function readKept(db: Db, store: KeptStore, guid: string): Promise<ListedRecord> {
  return recordOf(store, guid, requireKept(await store.read(db), guid));
}

/** Runs a change in a transaction, after those of other operators. */
function change<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    return work(trx);
  });
}

/** Refuses the title of another record, where no two have the same. */
function refuseTaken(
  { title, fields }: Resource,
  records: ReadonlyMap<string, Values>,
  own: string | null,
  { [title]: wanted }: AnyValues,
): void {
  const isTaken = [...records].some(([guid, record]) => guid !== own && record[title] === wanted);
  if (isTaken && fields[title]?.isUnique === true) refuseFields({ [title]: 'TAKEN' });
}

function create(db: Db, store: KeptStore, values: AnyValues): Promise<Changed> {
  const { declared } = store;
  return change(db, async (trx) => {
    const errors = checkFields(declared, values, 'create');
    refuseFields({ ...store.findErrors?.(values, null, values), ...errors });
    refuseTaken(declared, await store.read(trx), null, values);
    const guid = await store.create?.(trx, values);
    if (guid === undefined) throw new Refusal('NOT_FOUND');
    const now = requireKept(await store.read(trx), guid);
    const changes = changesBetween(declared, emptyValues(declared), now, values);
    return { record: recordOf(store, guid, now), changes };
  });
}

/** The values that a form sends for fields that an existing record can change. */
function sentOf({ declared }: KeptStore, values: AnyValues): AnyValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && declared.fields[name]?.edit === 'always',
    ),
  );
}

function update(
  db: Db,
  store: KeptStore,
  { guid, values, revision, confirmed }: RecordChange,
): Promise<Changed> {
  const { declared } = store;
  return change(db, async (trx) => {
    const records = await store.read(trx);
    const before = requireKept(records, guid);
    requireFree(store, before);
    const current = recordOf(store, guid, before);
    if (revision !== null && revision !== current.revision)
      throw new Refusal('RECORD_CHANGED', { current });
    const sent = sentOf(store, values);
    const wanted = { ...before, ...sent };
    const errors = checkFields(declared, sent, 'update');
    refuseFields({ ...store.findErrors?.(wanted, before, sent), ...errors });
    refuseTaken(declared, records, guid, wanted);
    await store.admit?.(trx, wanted, before, confirmed);
    await store.update?.(trx, guid, wanted);
    const now = requireKept(await store.read(trx), guid);
    return {
      record: recordOf(store, guid, now),
      changes: changesBetween(declared, before, now, sent),
    };
  });
}

/** The records of a store. */
export function keptRecords(db: Db, store: KeptStore): ResourceRecords {
  const { declared } = store;
  return {
    async list(ask) {
      const records = [...(await store.read(db))].map(([guid, values]) =>
        recordOf(store, guid, values),
      );
      const page = listPage(declared, records, ask);
      if (page === null) throw new Refusal('BAD_REQUEST');
      return page;
    },
    read: (guid) => readKept(db, store, guid),
    create: (values) => create(db, store, values),
    update: (asked) => update(db, store, asked),
    remove: ({ guid }) =>
      change(db, async (trx) => {
        const before = requireKept(await store.read(trx), guid);
        requireFree(store, before);
        refuseFields((await store.remove?.(trx, guid, before)) ?? {});
        return before;
      }),
  };
}
