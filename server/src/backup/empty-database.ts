/**
 * The database that a restore fills: it must be empty, or have been migrated without anyone having used it. Everything is
 * part of the transaction of the restore.
 */
import { sql } from 'kysely';
import { CannotStart } from '../config/cannot-start.ts';
import { announceName } from '../postgres/announce.ts';
import {
  listMigratedFunctions,
  listMissingMigrations,
  migrateWithin,
  schemaLock,
} from '../postgres/migrate.ts';
import { oldestPostgres } from '../postgres/oldest-postgres.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { tables } from '../postgres/tables/table-rules.ts';
import { sweepLock } from '../upkeep/sweep.ts';

/** Tables of ours that contain rows before anyone has used the installation: those of migrations and of a first start. */
const filledByStart: readonly (keyof Database)[] = [
  'installation',
  'maintenance',
  'migration',
  'wrapped_key',
];

const remedy = 'Create a new database for the restore. Nothing was changed.';

/**
 * Makes the tables of the given migrations, empty except for the rows that migrations insert. No other process can change
 * them or delete files until the transaction ends.
 * @throws {CannotStart} when the database cannot be used, contains data, or is in use
 */
export async function prepareDatabase(trx: Db, migrations: ReadonlySet<string>): Promise<void> {
  await checkServer(trx);
  await lock(trx);
  const present = await listTables(trx);
  await refuseData(trx, present);
  await dropAll(trx, present);
  await migrateWithin(trx, migrations);
}

async function checkServer(trx: Db): Promise<void> {
  const { rows } = await sql<{
    version: string;
    number: number;
    encoding: string;
    mayCreate: boolean | null;
  }>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as number,
      current_setting('server_encoding') as encoding,
      has_schema_privilege(current_schema, 'create') as "mayCreate"`.execute(trx);
  const { version = '', number = 0, encoding = '', mayCreate = false } = rows[0] ?? {};
  if (number < oldestPostgres) {
    throw new CannotStart(
      `The PostgreSQL server is version ${version}. Recodery needs 15 or later.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new CannotStart(
      `The database has the encoding ${encoding}. Create it with "encoding 'UTF8' template template0".`,
    );
  }
  if (mayCreate !== true) {
    throw new CannotStart(
      'The user in RECODERY_DATABASE_URL cannot create tables in the database. Make the user its owner.',
    );
  }
}

/** Takes the locks without waiting: a process that holds one, or listens, uses this database. */
async function lock(trx: Db): Promise<void> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${schemaLock}) and pg_try_advisory_xact_lock(${sweepLock})
      and not exists (select from pg_stat_activity
        where datname = current_database() and application_name = ${announceName}) as "isFree"`.execute(
    trx,
  );
  if (rows[0]?.isFree !== true) {
    throw new CannotStart(
      'A portal, a worker or another command is using the database. Stop it, then try again.',
    );
  }
}

/** The tables, views and sequences of the schema, except those of extensions. */
async function listTables(trx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`.execute(trx);
  return rows.map(({ name }) => name);
}

async function refuseData(trx: Db, present: readonly string[]): Promise<void> {
  const foreign = present.filter((name) => !Object.hasOwn(tables, name));
  if (foreign.length > 0) {
    throw new CannotStart(
      `The database contains tables that do not belong to this version of Recodery (${listSome(foreign)}). ${remedy}`,
    );
  }
  if (present.includes('migration')) {
    await listMissingMigrations(
      await trx.selectFrom('migration').select(['name', 'checksum']).execute(),
    );
  }
  const filled: string[] = [];
  for (const [name, { isBackedUp }] of Object.entries(tables)) {
    const isData = isBackedUp && !filledByStart.some((table) => table === name);
    if (!isData || !present.includes(name)) continue;
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(trx);
    if (rows.length > 0) filled.push(name);
  }
  if (filled.length > 0) {
    throw new CannotStart(
      `The database is not empty: it has rows in ${listSome(filled)}. ${remedy}`,
    );
  }
}

function listSome(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}

/** Removes tables that a start or `recodery migrate` has made: a backup can be of an older schema. */
async function dropAll(trx: Db, present: readonly string[]): Promise<void> {
  if (present.length === 0) return;
  await sql`drop table ${sql.join(present.map((name) => sql.table(name)))} cascade`.execute(trx);
  for (const name of await listMigratedFunctions()) {
    await sql`drop function if exists ${sql.id(name)} cascade`.execute(trx);
  }
}
