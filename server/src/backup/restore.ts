/**
 * Restores a data folder from a backup: verifies all of it, then prepares database and files in a separate folder, and
 * only then replaces the existing data.
 */
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import { operatorActor, recordAudit } from '../audit/audit.ts';
import { CannotStart } from '../config/cannot-start.ts';
import type { Config } from '../config/config.ts';
import { connectOnce, openDatabase } from '../postgres/database.ts';
import { openForServe, withFolderAlone } from '../postgres/embedded.ts';
import type { Log } from '../config/log.ts';
import { listMissingMigrations, migrate, migrationsDir } from '../postgres/migrate.ts';
import { nameOrigin } from '../postgres/cluster-location.ts';
import {
  dropNext,
  listReplaceable,
  nextOf,
  openNext,
  replaceData,
} from '../postgres/replaced-data.ts';
import type { Database } from '../postgres/tables/schema.ts';
import { openSecretSource } from '../secrets/secret-source.ts';
import { findPresentSecret, rewrapKeys } from '../secrets/secrets.ts';
import { removeOriginals } from '../recoding/originals/originals.ts';
import { forgetMissingFiles } from '../slots/stored-files.ts';
import { openFileStorage } from '../storage/files.ts';
import { isKey, type Storage } from '../storage/storage.ts';
import {
  type Contents,
  contentsShape,
  entryNames,
  type Manifest,
  manifestShape,
} from './backup-format.ts';
import { loadRows, mostHeldBytes, prepareTables } from './restore-rows.ts';
import { checkTar, openArchive, readTar, type TarEntry } from './tar.ts';

export interface RestoreOptions {
  readonly config: Pick<Config, 'dataDir' | 'secret' | 'secretFile'>;
  readonly log: Log;
  /** Whether existing data in the data folder may be replaced. */
  readonly mayReplace: boolean;
  /** Called with each step as it begins. */
  onStep?(text: string): void;
  /** Called with the progress of the current step, 0 to 1. */
  onProgress?(share: number): void;
}

/** The result of a restore. */
export interface RestoreAnswer extends Contents {
  readonly manifest: Manifest;
}

/**
 * Restores the backup at `path`. The data folder is not touched until everything is prepared; if a power cut interrupts
 * the replacement, the next process that opens the folder completes it.
 * @throws {CannotStart} when the backup is incomplete, is of another version, cannot be opened with the secret, or the
 *   data folder is in use or not empty
 */
export async function restoreBackup(path: string, options: RestoreOptions): Promise<RestoreAnswer> {
  const { dataDir } = options.config;
  const present = listReplaceable(dataDir);
  if (present.length > 0 && !options.mayReplace) {
    throw new CannotStart(
      `The data folder ${dataDir} is not empty (${present.join(', ')}). Use --replace to replace its data.`,
    );
  }
  const file = await openArchive(path);
  try {
    options.onStep?.('Verifying the backup …');
    await checkTar(file, path, options.onProgress);
    const manifest = await readManifest(file, path);
    await checkRoom(file, dataDir);
    await mkdir(dataDir, { recursive: true });
    return await withFolderAlone(dataDir, () => makeAndReplace(file, path, manifest, options));
  } finally {
    await file.close();
  }
}

/** The first entry, which shows whether this version can read the others. */
async function readManifest(file: FileHandle, path: string): Promise<Manifest> {
  for await (const entry of readTar(file, path)) {
    if (entry.name !== entryNames.manifest) break;
    const { data, error } = manifestShape.safeParse(await readJson(entry, path));
    if (error !== undefined) {
      throw new CannotStart(`${path} is not a backup that this version of Recodery can read.`);
    }
    await listMissingMigrations(data.migrations).catch(() => {
      throw new CannotStart(
        `${path} was created by Recodery ${data.version}, whose database schema is unknown to this version. Restore it with that version.`,
      );
    });
    return data;
  }
  throw new CannotStart(`${path} is not a Recodery backup.`);
}

/** The restored data needs at least as much space as the backup. */
async function checkRoom(file: FileHandle, dataDir: string): Promise<void> {
  const { size } = await file.stat();
  const disk = await statfs(await nearestFolder(dataDir));
  if (disk.bavail * disk.bsize < size) {
    throw new CannotStart(
      `There is not enough disk space for ${dataDir}. The backup needs ${Math.ceil(size / 2 ** 20)} MiB.`,
    );
  }
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? nearestFolder(join(path, '..')) : path;
}

async function makeAndReplace(
  file: FileHandle,
  path: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<RestoreAnswer> {
  const { dataDir } = options.config;
  const left = nextOf(dataDir);
  // A restore that was killed may have left its database running.
  if (existsSync(left)) await withFolderAlone(left, async () => undefined);
  const next = await openNext(dataDir);
  const contents = await make(next, file, path, manifest, options).catch(async (error: unknown) => {
    await dropNext(dataDir);
    throw error;
  });
  await replaceData(dataDir);
  return { ...contents, manifest };
}

/** Creates a complete data folder at `next`. */
async function make(
  next: string,
  file: FileHandle,
  path: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<Contents> {
  // As in `serve`, the database ends with us: otherwise no process would ever find it.
  const embedded = await openForServe(next, options.log, () => undefined);
  try {
    await migrate(
      embedded.url,
      migrationsDir,
      new Set(manifest.migrations.map(({ name }) => name)),
    );
    const storage = await openFileStorage(join(next, 'files'));
    const entries = withShare(readTar(file, path), (await file.stat()).size, options);
    const unpacked = await unpack(embedded.url, storage, { path, entries }, options);
    await migrate(embedded.url);
    await settle(embedded.url, next, unpacked, options);
    await recordRestore(embedded.url, manifest, options);
    await nameOrigin(embedded.home, options.config.dataDir);
    return unpacked.contents;
  } finally {
    await embedded.close();
  }
}

interface Unpacked {
  readonly contents: Contents;
  readonly secret: string | null;
}

async function unpack(
  url: string,
  storage: Storage,
  { path, entries }: { readonly path: string; readonly entries: AsyncIterable<TarEntry> },
  { onStep }: RestoreOptions,
): Promise<Unpacked> {
  const client = await connectOnce(url, 'recodery restore');
  const rows: Record<string, number> = {};
  const found = { files: 0, bytes: 0 };
  let secret: string | null = null;
  let contents: Contents | null = null;
  try {
    const tables = await prepareTables(client);
    onStep?.('Restoring the database …');
    for await (const entry of entries) {
      const { name } = entry;
      if (name === entryNames.manifest) continue;
      if (name === entryNames.secret) secret = (await readText(entry, path)).trim();
      else if (name === entryNames.contents) contents = await readContents(entry, path);
      else if (name.startsWith(entryNames.database)) {
        const [table = ''] = name.slice(entryNames.database.length).split('/');
        if (!tables.has(table)) refuse(path, name);
        const loaded = await loadRows(client, table, await readAll(entry, path));
        rows[table] = (rows[table] ?? 0) + (loaded ?? refuse(path, name));
      } else if (name.startsWith(entryNames.files)) {
        if (found.files === 0) onStep?.('Restoring the files …');
        found.bytes += await putFile(storage, entry, path);
        found.files += 1;
      } else refuse(path, name);
    }
    if (contents === null) refuse(path, entryNames.contents);
    checkSums(contents, rows, found);
    await client.query('commit');
    return { contents, secret };
  } finally {
    await client.end();
  }
}

/** Thrown for a backup that passed verification but is invalid: no real backup contains such an entry. */
function refuse(path: string, entry: string): never {
  const shown = JSON.stringify(entry.slice(0, 80));
  throw new CannotStart(`${path} is not a Recodery backup: its ${shown} is missing or invalid.`);
}

async function readContents(entry: TarEntry, path: string): Promise<Contents> {
  const { data } = contentsShape.safeParse(await readJson(entry, path));
  return data ?? refuse(path, entry.name);
}

/** Stores a file; returns its bytes. */
async function putFile(storage: Storage, entry: TarEntry, path: string): Promise<number> {
  const key = entry.name.slice(entryNames.files.length);
  if (!isKey(key)) refuse(path, entry.name);
  const { size } = await storage.put(key, entry.content()).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // one of the files has the same name as another file's folder
    if (['EEXIST', 'EISDIR', 'ENOTDIR'].includes(code)) refuse(path, entry.name);
    throw error;
  });
  return size;
}

/** Reports with each entry how much of the file precedes it. */
async function* withShare(
  entries: AsyncIterable<TarEntry>,
  size: number,
  { onProgress }: RestoreOptions,
): AsyncIterable<TarEntry> {
  let before = 0;
  for await (const entry of entries) {
    onProgress?.(before / size);
    yield entry;
    before += entry.size;
  }
}

/** Compares what was unpacked with what was backed up. */
function checkSums(
  contents: Contents,
  rows: Readonly<Record<string, number>>,
  { files, bytes }: { readonly files: number; readonly bytes: number },
): void {
  const tables = new Set([...Object.keys(contents.rows), ...Object.keys(rows)]);
  const wrong = [...tables].filter((table) => (rows[table] ?? 0) !== (contents.rows[table] ?? 0));
  if (wrong.length > 0 || files !== contents.files || bytes !== contents.bytes) {
    throw new CannotStart(
      'The backup is incomplete: entries listed in its manifest are missing. Use another backup.',
    );
  }
}

/** Steps that are possible only after the tables have been migrated to this version. */
async function settle(
  url: string,
  next: string,
  { contents, secret }: Unpacked,
  options: RestoreOptions,
): Promise<void> {
  const { db, end } = openDatabase(url, options.log, { size: 2 });
  try {
    await forgetMissingFiles(db, contents.missing);
    await removeOriginals(db, contents.missing);
    await settleSecret(db, next, secret, options.config);
  } finally {
    await end();
  }
}

/** Records the restore in the restored trail, which lacks everything since the backup. */
async function recordRestore(
  url: string,
  { takenOn }: Manifest,
  { log }: RestoreOptions,
): Promise<void> {
  const { db, end } = openDatabase(url, log, { size: 1 });
  const event = { actor: operatorActor(), action: 'restore', object: { takenOn }, outcome: 'done' };
  await recordAudit(db, event).finally(end);
}

/** Makes sure that the secret of this installation opens the restored keys. */
async function settleSecret(
  db: Kysely<Database>,
  next: string,
  kept: string | null,
  config: RestoreOptions['config'],
): Promise<void> {
  if (kept !== null && config.secret === null && config.secretFile === null) {
    await findPresentSecret(db, [kept]);
    await writeFile(join(next, 'secret'), `${kept}\n`, { mode: 0o600, flush: true });
    return;
  }
  const given = await openSecretSource(config).read();
  const [first] = given;
  // The operator has configured a different secret for this installation than the backup's.
  if (kept !== null && first !== undefined && first !== kept) {
    await rewrapKeys(db, kept, first);
    return;
  }
  await findPresentSecret(db, given).catch(() => {
    throw new CannotStart(
      'The backup does not contain the secret that its keys are wrapped with. Set RECODERY_SECRET or RECODERY_SECRET_FILE to the secret of the original installation.',
    );
  });
}

/** Reads an entry into memory. */
async function readAll(entry: TarEntry, path: string): Promise<Buffer> {
  if (entry.size > mostHeldBytes) refuse(path, entry.name);
  const pieces: Uint8Array[] = [];
  for await (const piece of entry.content()) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function readText(entry: TarEntry, path: string): Promise<string> {
  return (await readAll(entry, path)).toString('utf8');
}

/** The entry's parsed content; undefined when it is not JSON. */
async function readJson(entry: TarEntry, path: string): Promise<unknown> {
  const bytes = await readAll(entry, path);
  return json(Readable.from(bytes)).catch(() => undefined);
}
