/** The state of the database and the storage as text, to see that refused requests leave no trace. */
import { sql } from 'kysely';
import { keepPlan } from '../../src/postgres/database.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';

/** Columns that record the use of a valid session or token, also when the request is refused. */
const uses = [
  // of files, by those who may download them
  'received_on',
  'last_active_on',
  'generation_presented_on',
  'last_used_on',
];

/**
 * Tables that record refused and anonymous requests on purpose, the downloads of those who may download, and that the
 * portal is running.
 */
const records = [
  'provider_record',
  'sign_in_failure',
  'request_count',
  'audit_waiting',
  'audit_entry',
  'download',
  'portal_report',
  // what callers ask for to add a passkey of their own
  'passkey_challenge',
];

/**
 * Opens a reader of the state: a hash of each table, and the keys of all uploads. The versions of its rows represent a table: they change with every
 * write, also one of equal values, and are read in a tenth of the time of the contents. The contents are compared of
 * tables that record uses, and of those that the test itself changes and restores: `isRestored`.
 */
export async function openState(
  { db, config }: TestPlatform,
  isRestored: (table: string) => boolean,
): Promise<() => Promise<Readonly<Record<string, string>>>> {
  const tables = await sql<{ name: string; hasUses: boolean }>`
    select tablename as name, exists (
      select from pg_attribute
      where attrelid = format('public.%I', tablename)::regclass and attname = any(${uses})
    ) as "hasUses"
    from pg_tables where schemaname = 'public' order by tablename`.execute(db);
  const parts = tables.rows
    .filter(({ name }) => !records.includes(name))
    .map(({ name, hasUses }) => {
      const row =
        hasUses || isRestored(name)
          ? sql`(to_jsonb(t) - ${uses}::text[])::text`
          : sql`t.ctid::text || ' ' || t.xmin::text`;
      return sql`
        select ${sql.lit(name)} as name, coalesce(md5(string_agg(line, ' ' order by line)), '') as hash
        from (select ${row} collate "C" as line from ${sql.table(name)} t) lines`;
    });
  const query = sql<{
    name: string;
    hash: string;
  }>`${sql.join(parts, sql` union all `)} ${keepPlan}`;
  const compiled = query.compile(db);
  const { storage } = await openStorage(config);
  return async () => {
    const { rows } = await db.executeQuery(compiled);
    const keys: string[] = [];
    for await (const { key } of storage.list('uploads')) keys.push(key);
    return {
      ...Object.fromEntries(rows.map(({ name, hash }) => [name, hash])),
      uploads: keys.toSorted().join(' '),
    };
  };
}
