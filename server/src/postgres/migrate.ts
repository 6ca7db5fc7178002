/** Migrates the database's tables: plain SQL files, forward only, each in one transaction, each exactly once. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { CannotStart } from '../config/cannot-start.ts';
import { connectOnce } from './database.ts';
import type { Db } from './tables/schema.ts';

/** The migrations of this program do not match the database; the message explains how. */
export class MigrationMismatch extends CannotStart {
  override readonly name = 'MigrationMismatch';
}

/** The folder with the product's migrations. */
export const migrationsDir = join(import.meta.dirname, '../../migrations');

/** An arbitrary number that no other lock in this database uses: held during every change of the schema. */
export const schemaLock = 7_263_326;

/** A migration that was applied to a database. */
export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of its text, as hex. */
  readonly checksum: string;
}

interface Migration extends AppliedMigration {
  readonly text: string;
}

/**
 * Applies missing migrations in the order of their names; processes that start together wait for each other. Returns
 * the names of the applied ones. `only` leaves out all others, to create a database of an older version.
 * @throws {MigrationMismatch} when the database has a migration that we do not have, or one with another text
 */
export async function migrate(
  url: string,
  folder = migrationsDir,
  only: ReadonlySet<string> | null = null,
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const client = await connectOnce(url, 'recodery migrate');
  try {
    await client.query('select pg_advisory_lock($1)', [schemaLock]);
    const run: Run = async (text, values = []) => (await client.query(text, [...values])).rows;
    return await applyMissing(run, migrations, only, async (apply) => {
      await client.query('begin');
      // A failing statement leaves the transaction open; closing the connection rolls it back.
      await apply();
      await client.query('commit');
    });
  } finally {
    // The connection owns the lock, and releases it when it closes.
    await client.end();
  }
}

/**
 * Applies missing migrations within a transaction that holds {@link schemaLock}; `only` leaves out all others.
 * @throws {MigrationMismatch} as {@link migrate}
 */
export async function migrateWithin(trx: Db, only: ReadonlySet<string> | null): Promise<void> {
  const run: Run = async (text, values = []) => {
    const { rows } = await trx.executeQuery<AppliedMigration>(CompiledQuery.raw(text, [...values]));
    return rows;
  };
  await applyMissing(run, await readMigrations(migrationsDir), only, (apply) => apply());
}

/** The names of the functions that the migrations create. */
export async function listMigratedFunctions(): Promise<readonly string[]> {
  const texts = (await readMigrations(migrationsDir)).map(({ text }) => text);
  const names = texts.flatMap((text) =>
    Array.from(text.matchAll(/^create (?:or replace )?function (\w+)/gm), ([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** A migration that a database still needs, and the first line of its comment. */
export interface PlannedMigration {
  readonly name: string;
  readonly about: string;
}

/**
 * Returns the migrations that {@link migrate} would apply, and changes nothing.
 * @throws {MigrationMismatch} as {@link migrate}
 */
export async function planMigrations(url: string): Promise<readonly PlannedMigration[]> {
  const client = await connectOnce(url, 'recodery migrate --dry-run');
  try {
    const { rows: found } = await client.query<{ table: string | null }>(
      "select to_regclass('migration')::text as table",
    );
    const applied =
      found[0]?.table == null
        ? []
        : (await client.query<AppliedMigration>('select name, checksum from migration')).rows;
    return findMissing(await readMigrations(migrationsDir), applied).map(({ name, text }) => ({
      name,
      about: /^-- (.+)$/m.exec(text)?.[1] ?? '',
    }));
  } finally {
    await client.end();
  }
}

/**
 * Returns the names of the migrations that are not in `applied`.
 * @throws {MigrationMismatch} when `applied` contains one that this version does not have, or one with a different text
 */
export async function listMissingMigrations(
  applied: readonly AppliedMigration[],
  folder = migrationsDir,
): Promise<readonly string[]> {
  return findMissing(await readMigrations(folder), applied).map(({ name }) => name);
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      // A checkout that converts line endings has not changed the migration.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { name, text, checksum };
    }),
  );
}

function findMissing(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const ours = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = ours.get(name);
    if (migration === undefined) {
      throw new MigrationMismatch(
        `The database belongs to a newer version of Recodery: this version does not include the migration ${name}. Install the newer version, or restore a backup.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationMismatch(
        `The migration ${name} was changed after it had been applied. Add a new migration instead.`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

/** Runs a statement, or several without values; returns its rows. */
type Run = (text: string, values?: readonly unknown[]) => Promise<readonly AppliedMigration[]>;

/** Applies the missing migrations, each within `step`; returns their names. */
async function applyMissing(
  run: Run,
  migrations: readonly Migration[],
  only: ReadonlySet<string> | null,
  step: (apply: () => Promise<void>) => Promise<void>,
): Promise<readonly string[]> {
  await run(
    `create table if not exists migration (
      name text primary key,
      checksum text not null,
      applied_on timestamptz not null default now())`,
  );
  const applied = await run('select name, checksum from migration order by name');
  const missing = findMissing(migrations, applied).filter(({ name }) => only?.has(name) ?? true);
  for (const { name, checksum, text } of missing) {
    await step(async () => {
      await run(text);
      await run('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
    });
  }
  return missing.map(({ name }) => name);
}
