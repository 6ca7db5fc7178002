/** Reads, adds, changes and removes the records of a resource, as the directory file would. */
import { checkFields, type FieldError } from '@recodery/contract/admin/check-fields';
import type { AnyValues, FieldValue } from '@recodery/contract/admin/resource';
import { builtInEngine } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import {
  applyDirectoryWithin,
  type DirectoryDeps,
  lockDirectory,
} from '../../organisations/directory/directory.ts';
import type { DirectoryFile } from '../../organisations/directory/directory-file.ts';
import type { DirectoryMistake } from '../../organisations/directory/directory-state-rules.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { readSnapshot } from '../../postgres/snapshot.ts';
import { readDirectoryView } from './directory-view.ts';
import { type ListedRecord, type ListAsk, listPage, type ListPage } from '../records/list-rules.ts';
import { findUnmanaged } from './manager-rules.ts';
import {
  type DirectoryResource,
  type DirectoryView,
  emptyValues,
  recordOf,
  refuseFields,
  type ResourceStore,
  textsIn,
  type Values,
} from '../records/resource-store.ts';
import {
  type Changed,
  changesBetween,
  type Confirmed,
  type RecordChange,
  type Removal,
  type ResourceRecords,
} from '../records/records.ts';
import { stores } from './stores.ts';

function listRecords(store: ResourceStore, view: DirectoryView): readonly ListedRecord[] {
  return [...store.read(view)].map(([guid, values]) => recordOf(store, guid, values));
}

function requireRecord(store: ResourceStore, view: DirectoryView, guid: string): Values {
  const values = store.read(view).get(guid);
  if (values === undefined) throw new Refusal('NOT_FOUND');
  return values;
}

/** A page of a resource's records. @throws {Refusal} BAD_REQUEST */
export async function readList(db: Db, store: ResourceStore, ask: ListAsk): Promise<ListPage> {
  const view = await readSnapshot(db, readDirectoryView);
  const page = listPage(store.declared, listRecords(store, view), ask);
  if (page === null) throw new Refusal('BAD_REQUEST');
  return page;
}

/** A record. @throws {Refusal} NOT_FOUND */
export async function readRecord(
  db: Db,
  store: ResourceStore,
  guid: string,
): Promise<ListedRecord> {
  return readSnapshot(db, (snapshot) => readRecordWithin(snapshot, store, guid));
}

/** The same within the caller's transaction. */
export async function readRecordWithin(
  trx: Db,
  store: ResourceStore,
  guid: string,
): Promise<ListedRecord> {
  return recordOf(store, guid, requireRecord(store, await readDirectoryView(trx), guid));
}

/** References to records that do not exist, by the names of the fields. */
function findUnknown(
  { declared, findErrors }: ResourceStore,
  values: AnyValues,
  view: DirectoryView,
): Readonly<Record<string, FieldError>> {
  const wrong = Object.entries(declared.fields).flatMap(([name, { to, by, within }]) => {
    if (to === undefined || by === undefined) return [];
    const known =
      within === undefined
        ? to === 'engines'
          ? [builtInEngine, ...view.state.engines.keys()]
          : [...stores[to as DirectoryResource].read(view).values()].map((record) => record[by])
        : [values[within] ?? []].flat();
    const named = [values[name] ?? []].flat().filter((value) => value !== '');
    return named.every((value) => known.includes(value)) ? [] : [[name, 'UNKNOWN'] as const];
  });
  return { ...findErrors?.(values, view), ...Object.fromEntries(wrong) };
}

/** Refuses what the directory refuses, at the field that causes it. */
function refuseMistakes({ declared }: ResourceStore, mistakes: readonly DirectoryMistake[]): never {
  const fields = Object.fromEntries(
    mistakes.map(({ field, code }) => [field in declared.fields ? field : declared.title, code]),
  );
  const moves = mistakes.flatMap(({ move }) =>
    move === undefined ? [] : [{ device: move.device, from: move.from, to: move.to }],
  );
  const facts = mistakes.find(({ needs }) => needs !== undefined)?.needs;
  throw new Refusal('FIELDS_NOT_ACCEPTED', {
    fields,
    ...(moves.length > 0 ? { moves } : {}),
    ...(facts === undefined ? {} : { facts }),
  });
}

/** Applies a file in the caller's transaction; returns the directory afterwards. */
async function apply(
  trx: Db,
  { secrets }: Pick<DirectoryDeps, 'secrets'>,
  store: ResourceStore,
  change: {
    readonly file: DirectoryFile;
    readonly confirmed: Confirmed;
    readonly before: DirectoryView;
  },
): Promise<DirectoryView> {
  const { file, confirmed, before } = change;
  const plan = await applyDirectoryWithin(trx, secrets, file, {
    refusesMoves: confirmed.move !== true,
  });
  if ('mistakes' in plan) refuseMistakes(store, plan.mistakes);
  const after = await readDirectoryView(trx);
  const { declared, keepsManager = false } = store;
  const mayBeLost = confirmed.withoutManager === true && !keepsManager;
  if (!mayBeLost && findUnmanaged(before.state, after.state).length > 0) {
    const field = 'manager' in declared.fields ? 'manager' : declared.title;
    refuseFields({ [field]: keepsManager ? 'ONLY_MANAGER' : 'LAST_MANAGER' });
  }
  return after;
}

/** Adds a record. @throws {Refusal} FIELDS_NOT_ACCEPTED */
export async function createRecord(
  deps: DirectoryDeps,
  store: ResourceStore,
  values: AnyValues,
): Promise<Changed> {
  return deps.db.transaction().execute((trx) => createRecordWithin(trx, deps, store, values));
}

/** The same within the caller's transaction. */
export async function createRecordWithin(
  trx: Db,
  deps: Pick<DirectoryDeps, 'secrets'>,
  store: ResourceStore,
  values: AnyValues,
): Promise<Changed> {
  await lockDirectory(trx);
  const view = await readDirectoryView(trx);
  refuseFields(checkFields(store.declared, values, 'create'));
  refuseFields(findUnknown(store, values, view));
  const key = store.keyOf(values);
  const isTaken = [...store.read(view).values()].some((record) => store.keyOf(record) === key);
  if (isTaken) refuseFields({ [store.declared.title]: 'TAKEN' });
  const file = store.write(values, null, view);
  const after = await apply(trx, deps, store, { file, confirmed: {}, before: view });
  const added = [...store.read(after)].find(([, record]) => store.keyOf(record) === key);
  if (added === undefined) throw new Error(`${store.declared.name}: the new record is missing`);
  return {
    record: recordOf(store, ...added),
    changes: changesBetween(store.declared, emptyValues(store.declared), added[1]),
  };
}

/** Changes a record. @throws {Refusal} NOT_FOUND, RECORD_CHANGED, FIELDS_NOT_ACCEPTED */
export async function updateRecord(
  deps: DirectoryDeps,
  store: ResourceStore,
  { guid, values, revision, confirmed }: RecordChange,
): Promise<Changed> {
  return deps.db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    const view = await readDirectoryView(trx);
    const before = requireRecord(store, view, guid);
    const current = recordOf(store, guid, before);
    if (revision !== null && revision !== current.revision)
      throw new Refusal('RECORD_CHANGED', { current });
    const wanted = keepWithin(
      store,
      { ...before, ...Object.fromEntries(definedOf(store, values)) },
      values,
    );
    refuseFields(checkFields(store.declared, values, 'update'));
    refuseFields(findUnknown(store, wanted, view));
    const file = store.write(wanted, before, view);
    const after = await apply(trx, deps, store, { file, confirmed, before: view });
    const now = requireRecord(store, after, guid);
    await store.onChanged?.(trx, guid, now);
    return {
      record: recordOf(store, guid, now),
      changes: changesBetween(store.declared, before, now),
    };
  });
}

/** The values that a form sends for fields that an existing record can change. */
function definedOf(
  { declared }: ResourceStore,
  values: AnyValues,
): (readonly [string, FieldValue])[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || declared.fields[name]?.edit !== 'always' ? [] : [[name, value] as const],
  );
}

/** The wanted values; a list that the form leaves out loses entries that the list it belongs to no longer has. */
function keepWithin({ declared }: ResourceStore, wanted: Values, sent: AnyValues): Values {
  const kept = Object.entries(declared.fields).flatMap(([name, { within }]) =>
    within === undefined || sent[name] !== undefined
      ? []
      : [[name, textsIn(wanted, name).filter((one) => textsIn(wanted, within).includes(one))]],
  );
  return { ...wanted, ...Object.fromEntries(kept) };
}

/** Removes a record; returns its last values. @throws {Refusal} NOT_FOUND, FIELDS_NOT_ACCEPTED */
export async function removeRecord(
  deps: DirectoryDeps,
  store: ResourceStore,
  removal: Removal,
): Promise<Values> {
  return deps.db.transaction().execute((trx) => removeRecordWithin(trx, deps, store, removal));
}

/** The same within the caller's transaction. */
export async function removeRecordWithin(
  trx: Db,
  deps: Pick<DirectoryDeps, 'secrets'>,
  store: ResourceStore,
  { guid, confirmed }: Removal,
): Promise<Values> {
  await lockDirectory(trx);
  const view = await readDirectoryView(trx);
  const before = requireRecord(store, view, guid);
  // removing a master device would remove its slave devices with their keys
  if (store.declared.name === 'masters' && before['slaves'] !== 0)
    throw new Refusal('FIELDS_NOT_ACCEPTED', {
      fields: { [store.declared.title]: 'IN_USE' },
      facts: { slaves: String(before['slaves']) },
    });
  const file = store.remove?.(before, view) ?? {};
  await apply(trx, deps, store, { file, confirmed, before: view });
  return before;
}

/** The records of a resource of the directory. */
export function directoryRecords(deps: DirectoryDeps, store: ResourceStore): ResourceRecords {
  return {
    list: (ask) => readList(deps.db, store, ask),
    read: (guid) => readRecord(deps.db, store, guid),
    create: (values) => createRecord(deps, store, values),
    update: (change) => updateRecord(deps, store, change),
    remove: (removal) => removeRecord(deps, store, removal),
  };
}
