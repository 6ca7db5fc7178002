/**
 * Fills a database and a storage from a backup, in one transaction: until it is committed, no one sees a row; if it fails,
 * nothing is left.
 */
import { sql } from 'kysely';
import { operatorActor, recordAudit } from '../audit/audit.ts';
import { CannotStart } from '../config/cannot-start.ts';
import { migrateWithin } from '../postgres/migrate.ts';
import { removeTimeLimits } from '../postgres/no-time-limits.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { removeOriginals } from '../recoding/originals/originals.ts';
import { forgetMissingFiles } from '../slots/files/stored-files.ts';
import { type Archive, readAll, readContents, refuseEntry } from './archive.ts';
import { type Contents, entryNames } from './backup-format.ts';
import { prepareDatabase } from './empty-database.ts';
import type { FileTarget, RestoredFiles } from './restore-files.ts';
import { loadRows, whileUnchecked } from './restore-rows.ts';
import { readTar, type TarEntry } from './tar.ts';

/** Reports the progress of a restore. */
export interface RestoreProgress {
  /** Called with each step as it begins. */
  onStep?(text: string): void;
  /** Called with the progress of the current step, 0 to 1. */
  onProgress?(share: number): void;
}

/** What was restored, and the storage keys of files whose bytes differed from those of their rows in the backup. */
export interface Restored extends Contents {
  readonly damaged: readonly string[];
}

export interface FillOptions extends RestoreProgress {
  readonly target: FileTarget;
  /** Makes the secret of this installation open the keys; `kept` is the one in the backup. */
  settleSecret(trx: Db, kept: string | null): Promise<void>;
}

/**
 * Fills an empty database, and the storage with the files.
 * @throws {CannotStart} when the backup is invalid, the database is not empty, or the secret does not open the keys
 */
export async function fillDatabase(
  db: Db,
  archive: Archive,
  options: FillOptions,
): Promise<Restored> {
  return db.transaction().execute(async (trx) => {
    await removeTimeLimits(trx);
    const { migrations, takenOn } = archive.manifest;
    await prepareDatabase(trx, new Set(migrations.map(({ name }) => name)));
    options.onStep?.('Restoring the database …');
    const { contents, secret } = await loadDatabase(trx, archive, options);
    await migrateWithin(trx, null);
    await forgetMissingFiles(trx, contents.missing);
    await removeOriginals(trx, contents.missing);
    await options.settleSecret(trx, secret);
    // the restored trail lacks everything since the backup
    const event = { actor: operatorActor(), action: 'restore', object: { takenOn } };
    await recordAudit(trx, { ...event, outcome: 'done' });
    options.onStep?.('Restoring the files …');
    try {
      const files = await options.target.write(listEntries(archive, options));
      checkFiles(contents, files);
      return { ...contents, damaged: await listDamaged(trx, files) };
    } catch (error) {
      // what cannot be undone is marked, and overwritten by the next attempt
      await options.target.undo().catch(() => undefined);
      throw error;
    }
  });
}

interface Loaded {
  readonly contents: Contents;
  readonly secret: string | null;
}

async function loadDatabase(trx: Db, archive: Archive, progress: RestoreProgress): Promise<Loaded> {
  const { path } = archive;
  const loaded = await whileUnchecked(trx, async (tables) => {
    const rows: Record<string, number> = {};
    let secret: string | null = null;
    let contents: Contents | null = null;
    for await (const entry of listEntries(archive, progress)) {
      const { name } = entry;
      if (name === entryNames.manifest || name.startsWith(entryNames.files)) continue;
      if (name === entryNames.secret) secret = (await readAll(entry, path)).toString().trim();
      else if (name === entryNames.contents) contents = await readContents(entry, path);
      else if (name.startsWith(entryNames.database)) {
        const [table = ''] = name.slice(entryNames.database.length).split('/');
        if (!tables.has(table)) refuseEntry(path, name);
        const count = await loadRows(trx, table, await readAll(entry, path));
        rows[table] = (rows[table] ?? 0) + (count ?? refuseEntry(path, name));
      } else refuseEntry(path, name);
    }
    if (contents === null) refuseEntry(path, entryNames.contents);
    checkRows(contents, rows);
    return { contents, secret };
  });
  return loaded ?? refuseEntry(path, entryNames.database);
}

/** All entries; reports with each how much of the archive precedes it. */
async function* listEntries(
  { file, path }: Archive,
  { onProgress }: RestoreProgress,
): AsyncIterable<TarEntry> {
  const { size } = await file.stat();
  let before = 0;
  for await (const entry of readTar(file, path)) {
    onProgress?.(before / size);
    yield entry;
    before += entry.size;
  }
}

/** Compares the loaded rows with what was backed up. */
function checkRows(contents: Contents, rows: Readonly<Record<string, number>>): void {
  const tables = new Set([...Object.keys(contents.rows), ...Object.keys(rows)]);
  for (const table of tables) {
    if ((rows[table] ?? 0) !== (contents.rows[table] ?? 0)) refuseIncomplete();
  }
}

/** Compares the written files with what was backed up. */
function checkFiles(contents: Contents, { bytes, hashes }: RestoredFiles): void {
  if (hashes.size !== contents.files || bytes !== contents.bytes) refuseIncomplete();
}

function refuseIncomplete(): never {
  throw new CannotStart(
    'The backup is incomplete: entries listed in its manifest are missing. Use another backup.',
  );
}

/** Files compared by one query. */
const batchSize = 1000;

/** The files that were already damaged when the backup was created: their rows name other bytes. */
async function listDamaged(trx: Db, { hashes }: RestoredFiles): Promise<readonly string[]> {
  const all = [...hashes];
  const damaged: string[] = [];
  for (let at = 0; at < all.length; at += batchSize) {
    const batch = all.slice(at, at + batchSize);
    const [keys, sums] = [batch.map(([key]) => key), batch.map(([, sum]) => sum)];
    const { rows } = await sql<{ key: string }>`
      select key from unnest(${keys}::text[], ${sums}::text[]) as written(key, sum)
      where exists (select from stored_file where storage_key = key and sha256 <> sum)
        or exists (select from original where storage_key = key and sha256 <> sum)
      order by key`.execute(trx);
    damaged.push(...rows.map(({ key }) => key));
  }
  return damaged;
}
