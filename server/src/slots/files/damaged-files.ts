/** Owns the table damaged_file: stored files whose bytes are missing or have changed, until they are right again. */
import { type RawBuilder, sql } from 'kysely';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Damage, DamageRecord, RecordedFile } from '../../storage/verified-storage.ts';

/** Every file whose bytes the storage must have: those of slots, and the library of originals. */
export const keptFiles = sql`(
  select storage_key, name, size, sha256, organisation_guid, slot_guid from stored_file where deleted_on is null
  union all
  select storage_key, name, size, sha256, null, null from original)`;

/** Records damage in the database, and logs each damaged file once. */
export function createDamageRecord({
  db,
  log,
}: {
  readonly db: Db;
  readonly log: Log;
}): DamageRecord {
  const insert = async ({ storageKey }: RecordedFile, damage: Damage): Promise<void> => {
    // the bytes of a file that was deleted while it was read are gone on purpose
    const { rows } = await sql<{
      isNew: boolean;
      organisation: string | null;
      slot: string | null;
    }>`
      with kept as (select * from ${keptFiles} as file where storage_key = ${storageKey} limit 1),
        written as (
          insert into damaged_file (storage_key, damage) select storage_key, ${damage} from kept
          on conflict (storage_key) do update set damage = excluded.damage
          returning xmax = 0 as is_new)
      select is_new as "isNew", organisation_guid as organisation, slot_guid as slot
      from written cross join kept`.execute(db);
    const [row] = rows;
    if (row?.isNew !== true) return;
    const { organisation, slot } = row;
    log.error({ key: storageKey, damage, organisation, slot }, 'a stored file is damaged');
  };
  return {
    isKnown: async (file) => file.isDamaged ?? isDamaged(db, file.storageKey),
    report: (file, damage) =>
      (damage === null ? forgetDamage(db, [file.storageKey]) : insert(file, damage)).catch(
        (error: unknown) => log.warn({ error }, 'could not record a damaged file'),
      ),
  };
}

/** Whether the file of a row was found damaged; `storageKey` is the row's column. */
export function isKnownDamaged(storageKey: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from damaged_file where damaged_file.storage_key = ${storageKey})`;
}

/** Whether a file was found damaged, and not right again since. */
export async function isDamaged(db: Db, storageKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('damaged_file')
    .select('damage')
    .where('storage_key', '=', storageKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the record of files that are right again. */
async function forgetDamage(db: Db, storageKeys: readonly string[]): Promise<void> {
  await sql`delete from damaged_file where storage_key = any(${storageKeys}::text[])`.execute(db);
}

/** Deletes the record of files that no row names any more. */
export async function forgetDeletedDamage(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from damaged_file
    where not exists (select from ${keptFiles} as file where file.storage_key = damaged_file.storage_key)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

/** A damaged file, with the name that its users know. */
export interface KnownDamage extends RecordedFile {
  readonly damage: Damage;
}

/** The damaged files, oldest finding first, at most `count`. */
export async function listDamagedFiles(db: Db, count: number): Promise<readonly KnownDamage[]> {
  const { rows } = await sql<KnownDamage>`
    select distinct on (found_on, file.storage_key)
      file.storage_key as "storageKey", file.name, file.size, file.sha256, damage
    from damaged_file join ${keptFiles} as file using (storage_key)
    order by found_on, file.storage_key limit ${count}`.execute(db);
  return rows;
}

/** Those of these keys that a row still names. */
export async function findKept(db: Db, storageKeys: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct storage_key as key from ${keptFiles} as file
    where storage_key = any(${storageKeys}::text[]) order by key`.execute(db);
  return rows.map(({ key }) => key);
}

/** How many files are damaged. */
export async function countDamagedFiles(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from damaged_file
    where exists (select from ${keptFiles} as file where file.storage_key = damaged_file.storage_key)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
