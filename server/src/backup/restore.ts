/**
 * Restores an installation from a backup: verifies all of it, then fills an empty database and an empty storage. With the
 * embedded database, both are prepared in a separate folder, which then replaces the existing data.
 */
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CannotStart } from '../config/cannot-start.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { awaitDatabase } from '../postgres/await-database.ts';
import { nameOrigin } from '../postgres/embedded/cluster-location.ts';
import { openDatabase } from '../postgres/database.ts';
import { openForServe, withFolderAlone } from '../postgres/embedded/embedded.ts';
import {
  dropNext,
  listReplaceable,
  nextOf,
  openNext,
  replaceData,
} from '../postgres/replaced-data.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { openSecretSource } from '../secrets/secret-source.ts';
import { findPresentSecret, rewrapKeys } from '../secrets/secrets.ts';
import { openFileStorage } from '../storage/files.ts';
import { openStorage } from '../storage/open-storage.ts';
import { type Archive, readManifest } from './archive.ts';
import type { Manifest } from './backup-format.ts';
import { fillDatabase, type Restored, type RestoreProgress } from './restore-database.ts';
import { type FileTarget, openPrivateTarget, openSharedTarget } from './restore-files.ts';
import { checkTar, openArchive } from './tar.ts';

export interface RestoreOptions extends RestoreProgress {
  readonly config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'directDatabaseUrl' | 'secret' | 'secretFile' | 'storageUrl'
  >;
  readonly log: Log;
  /** Whether existing data in the data folder may be replaced. */
  readonly mayReplace: boolean;
}

/** The result of a restore. */
export interface RestoreAnswer extends Restored {
  readonly manifest: Manifest;
}

/**
 * Restores the backup at `path` into the database and the storage of the configuration. Nothing that exists is touched
 * until everything is prepared; if a power cut interrupts the replacement of a data folder, the next process that opens
 * the folder completes it.
 * @throws {CannotStart} when the backup is incomplete, is of another version, cannot be opened with the secret, or the
 *   target is in use or not empty
 */
export async function restoreBackup(path: string, options: RestoreOptions): Promise<RestoreAnswer> {
  const { dataDir, databaseUrl } = options.config;
  if (databaseUrl === null) refuseUsedFolder(options);
  const file = await openArchive(path);
  try {
    options.onStep?.('Verifying the backup …');
    const sha256 = await checkTar(file, path, options.onProgress);
    const archive = { file, path, sha256, manifest: await readManifest(file, path) };
    await checkRoom(file, options.config);
    await mkdir(dataDir, { recursive: true });
    const restored =
      databaseUrl === null
        ? await withFolderAlone(dataDir, () => makeAndReplace(archive, options))
        : await fillServer(databaseUrl, archive, options);
    return { ...restored, manifest: archive.manifest };
  } finally {
    await file.close();
  }
}

function refuseUsedFolder({ config: { dataDir }, mayReplace }: RestoreOptions): void {
  const present = listReplaceable(dataDir);
  if (present.length > 0 && !mayReplace) {
    throw new CannotStart(
      `The data folder ${dataDir} is not empty (${present.join(', ')}). Use --replace to replace its data.`,
    );
  }
}

/** The restored files need about as much space as the backup; an object store counts as unlimited. */
async function checkRoom(
  file: FileHandle,
  { storageUrl }: Pick<Config, 'storageUrl'>,
): Promise<void> {
  if (!storageUrl.startsWith('file:')) return;
  const folder = fileURLToPath(storageUrl);
  const { size } = await file.stat();
  const disk = await statfs(await nearestFolder(folder));
  if (disk.bavail * disk.bsize < size) {
    throw new CannotStart(
      `There is not enough disk space for ${folder}. The backup needs ${Math.ceil(size / 2 ** 20)} MiB.`,
    );
  }
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? nearestFolder(join(path, '..')) : path;
}

/** Whether the files are in the data folder itself, so that they are replaced together with the embedded database. */
function isInDataFolder({ storageUrl, dataDir }: RestoreOptions['config']): boolean {
  return storageUrl === pathToFileURL(join(dataDir, 'files')).href;
}

async function openTarget(archive: Archive, { config }: RestoreOptions): Promise<FileTarget> {
  return openSharedTarget((await openStorage(config)).unverified, archive);
}

/** Everything is restored by then, so that a storage that fails here does not make the restore fail. */
async function complete(target: FileTarget, log: Log): Promise<void> {
  await target.complete().catch((error: unknown) => {
    log.warn({ error }, 'could not delete the marker of the restore, which is complete');
  });
}

/** Restores into a PostgreSQL server: its commit makes everything visible. */
async function fillServer(
  databaseUrl: string,
  archive: Archive,
  options: RestoreOptions,
): Promise<Restored> {
  const { config, log } = options;
  const url = config.directDatabaseUrl ?? databaseUrl;
  const target = await openTarget(archive, options);
  const { db, end } = openDatabase(url, log, { size: 1 });
  try {
    const connect = () => db.connection().execute(async () => undefined);
    await awaitDatabase({ url, log, patience: 10 }, connect);
    const settleSecret = async (trx: Db, kept: string | null): Promise<void> =>
      useOwnSecret(trx, kept, await openSecretSource(config).read());
    const restored = await fillDatabase(db, archive, { ...options, target, settleSecret });
    await complete(target, log);
    return restored;
  } finally {
    await end();
  }
}

async function makeAndReplace(archive: Archive, options: RestoreOptions): Promise<Restored> {
  const { dataDir } = options.config;
  const isInside = isInDataFolder(options.config);
  const shared = isInside ? null : await openTarget(archive, options);
  const left = nextOf(dataDir);
  // A restore that was killed may have left its database running.
  if (existsSync(left)) await withFolderAlone(left, async () => undefined);
  const next = await openNext(dataDir);
  const make = async (): Promise<Restored> => {
    const target = shared ?? openPrivateTarget(await openFileStorage(join(next, 'files')), archive);
    return makeFolder(next, target, archive, options);
  };
  const restored = await make().catch(async (error: unknown) => {
    await dropNext(dataDir);
    throw error;
  });
  await replaceData(dataDir);
  if (shared !== null) await complete(shared, options.log);
  return restored;
}

/** Creates a complete data folder at `next`. */
async function makeFolder(
  next: string,
  target: FileTarget,
  archive: Archive,
  options: RestoreOptions,
): Promise<Restored> {
  const { config, log } = options;
  // As in `serve`, the database ends with us: otherwise no process would ever find it.
  const embedded = await openForServe(next, log, () => undefined);
  const { db, end } = openDatabase(embedded.url, log, { size: 1 });
  try {
    const settleSecret = (trx: Db, kept: string | null) => placeSecret(trx, kept, next, config);
    const restored = await fillDatabase(db, archive, { ...options, target, settleSecret });
    await nameOrigin(embedded.home, config.dataDir);
    return restored;
  } finally {
    await end();
    await embedded.close();
  }
}

/** Stores the backup's secret in the new data folder, unless the operator provides one. */
async function placeSecret(
  trx: Db,
  kept: string | null,
  next: string,
  config: RestoreOptions['config'],
): Promise<void> {
  if (kept !== null && config.secret === null && config.secretFile === null) {
    await findPresentSecret(trx, [kept]);
    await writeFile(join(next, 'secret'), `${kept}\n`, { mode: 0o600, flush: true });
    return;
  }
  await useOwnSecret(trx, kept, await openSecretSource(config).read());
}

/** Makes sure that the secret of this installation opens the restored keys. */
async function useOwnSecret(trx: Db, kept: string | null, given: readonly string[]): Promise<void> {
  const [first] = given;
  // The operator has configured a different secret for this installation than the backup's.
  if (kept !== null && first !== undefined && first !== kept) {
    await rewrapKeys(trx, kept, first);
    return;
  }
  await findPresentSecret(trx, given).catch(() => {
    throw new CannotStart(
      'The backup does not contain the secret that its keys are wrapped with. Set RECODERY_SECRET or RECODERY_SECRET_FILE to the secret of the original installation.',
    );
  });
}
