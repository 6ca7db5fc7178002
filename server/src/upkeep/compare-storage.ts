/** Compares the storage with the rows, for any number of objects: the database does the comparing. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import { keptFiles } from '../slots/files/damaged-files.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';

/** The result of the comparison. */
export interface StorageComparison {
  /** How many objects the storage contains. */
  readonly objects: number;
  /** Storage keys of active rows without an object. */
  readonly missing: readonly string[];
  /** Storage keys of active rows whose object has another size. */
  readonly changed: readonly string[];
  /** How many objects no row names. For a while these include uploads and attempts in progress. */
  readonly strays: number;
}

/** Keys sent to the database at once. */
const batchSize = 1000;

/** Compares; rows that are written or deleted during the comparison are left out. */
export async function compareStorage(
  db: Db,
  storage: Pick<Storage, 'list'>,
): Promise<StorageComparison> {
  return db.connection().execute(async (connection) => {
    await sql`create temporary table seen (key text primary key, size bigint not null)`.execute(
      connection,
    );
    try {
      return await compare(connection, storage);
    } finally {
      await sql`drop table seen`.execute(connection);
    }
  });
}

async function compare(db: Db, storage: Pick<Storage, 'list'>): Promise<StorageComparison> {
  const begun = await sql<{ now: string }>`select now()::text as now`.execute(db);
  const now = begun.rows[0]?.now;
  let objects = 0;
  let batch: Pick<StoredObject, 'key' | 'size'>[] = [];
  const insertBatch = async (): Promise<void> => {
    await sql`
      insert into seen
      select * from unnest(${batch.map(({ key }) => key)}::text[], ${batch.map(({ size }) => size)}::bigint[])
      on conflict do nothing`.execute(db);
    batch = [];
  };
  for await (const { key, size } of storage.list('')) {
    objects += 1;
    batch.push({ key, size });
    if (batch.length === batchSize) await insertBatch();
  }
  await insertBatch();
  const missing = await sql<{ key: string }>`
    select storage_key as key from stored_file
    where deleted_on is null and created_on < ${now}::timestamptz
      and not exists (select from seen where key = storage_key)
    union
    select storage_key from original
    where added_on < ${now}::timestamptz
      and not exists (select from seen where key = storage_key)
    order by key`.execute(db);
  const changed = await sql<{ key: string }>`
    select distinct key from seen join ${keptFiles} as file on storage_key = key
    where file.size <> seen.size order by key`.execute(db);
  const strays = await sql<{ count: number }>`
    select count(*) as count from seen
    where not exists (select from stored_file where storage_key = key)
      and not exists (select from original where storage_key = key)`.execute(db);
  return {
    objects,
    missing: missing.rows.map(({ key }) => key),
    changed: changed.rows.map(({ key }) => key),
    strays: strays.rows[0]?.count ?? 0,
  };
}
