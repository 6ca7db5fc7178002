/** Writes a backup's rows into new tables. Everything is one transaction, which the caller commits. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';

const expand = promisify(gunzip);

/** Maximum bytes of an entry that is read into memory, also unpacked: a backup writes rows in parts of a few MiB. */
export const mostHeldBytes = 64 * 2 ** 20;
/** PostgreSQL's error classes for rows that do not fit their table or violate its constraints. */
const rowsFault = /^(2[0-3]|42|54)/;

/** Begins the transaction and removes the rows that migrations insert from every table; returns the tables' names. */
export async function prepareTables(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables
    where schemaname = current_schema and tablename <> 'migration'`,
  );
  const names = rows.map(({ name }) => name);
  await client.query('begin');
  // Rows are in the order of the tables' names, so referenced rows may come later. They were consistent in one
  // snapshot.
  await client.query('set local session_replication_role = replica');
  await client.query(`truncate ${names.map((name) => client.escapeIdentifier(name)).join(', ')}`);
  return new Set(names);
}

/**
 * Inserts the rows of an entry, JSON by line and compressed; returns how many, or null when they are not rows of the
 * table, not compressed, or larger than {@link mostHeldBytes}.
 */
export async function loadRows(
  client: pg.Client,
  table: string,
  packed: Uint8Array,
): Promise<number | null> {
  const text = await expand(packed, { maxOutputLength: mostHeldBytes }).catch(() => null);
  if (text === null) return null;
  const lines = text.toString('utf8').trimEnd().split('\n');
  const name = client.escapeIdentifier(table);
  const insert = client.query(
    `insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`,
    [`[${lines.join(',')}]`],
  );
  return insert.then(
    () => lines.length,
    (error: unknown) => {
      if (error instanceof pg.DatabaseError && rowsFault.test(error.code ?? '')) return null;
      throw error;
    },
  );
}
