/**
 * Writes a backup's rows into new tables, within the transaction of the restore. Its role only needs to own the tables.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../postgres/tables/schema.ts';
import { mostHeldBytes } from './archive.ts';

const expand = promisify(gunzip);

/** PostgreSQL's error classes for rows that do not fit their table or violate its constraints. */
const rowsFault = /^(2[0-3]|42|54)/;

/**
 * Calls `load` with the names of all tables, which are empty. Rows come in the order of the tables' names, so referenced
 * rows may come later, and triggers have already done their part: references are checked at the end, for all rows at
 * once, and triggers do not run.
 * @returns what `load` returns, or null when a row refers to one that does not exist
 */
export async function whileUnchecked<T>(
  trx: Db,
  load: (tables: ReadonlySet<string>) => Promise<T>,
): Promise<T | null> {
  const tables = await listNames(trx);
  const references = await listReferences(trx);
  for (const { table, name } of references) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(trx);
  }
  await switchTriggers(trx, tables, 'disable');
  // rows that migrations insert are in the backup too
  await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))}`.execute(trx);
  const loaded = await load(new Set(tables));
  await switchTriggers(trx, tables, 'enable');
  for (const { table, name, definition } of references) {
    const add = sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`;
    if ((await unlessFault(add.execute(trx))) === null) return null;
  }
  return loaded;
}

async function listNames(trx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = current_schema and tablename <> 'migration'`.execute(trx);
  return rows.map(({ name }) => name);
}

interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

async function listReferences(trx: Db): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and relnamespace = current_schema::regnamespace`.execute(trx);
  return rows;
}

async function switchTriggers(
  trx: Db,
  names: readonly string[],
  how: 'disable' | 'enable',
): Promise<void> {
  for (const name of names) {
    await sql`alter table ${sql.table(name)} ${sql.raw(how)} trigger user`.execute(trx);
  }
}

/** Returns null for rows that do not fit. */
async function unlessFault<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && rowsFault.test(error.code ?? '')) return null;
    throw error;
  });
}

/**
 * Inserts the rows of an entry, JSON by line and compressed; returns how many, or null when they are not rows of the
 * table, not compressed, or larger than {@link mostHeldBytes}.
 */
export async function loadRows(trx: Db, table: string, packed: Uint8Array): Promise<number | null> {
  const text = await expand(packed, { maxOutputLength: mostHeldBytes }).catch(() => null);
  if (text === null) return null;
  const lines = text.toString('utf8').trimEnd().split('\n');
  const name = sql.table(table);
  const insert = sql`
    insert into ${name}
    select * from json_populate_recordset(null::${name}, ${`[${lines.join(',')}]`}::json)`;
  return (await unlessFault(insert.execute(trx))) === null ? null : lines.length;
}
