/**
 * Writes a backup: every row from one snapshot, and the bytes of every file that those rows name. Rows are written as
 * JSON and not as a copy of the cluster, so that they can be restored on another machine, PostgreSQL version or
 * Recodery version.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sql } from 'kysely';
import { CannotStart } from '../config/cannot-start.ts';
import type { Clock } from '../config/clock.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { removeTimeLimits } from '../postgres/no-time-limits.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import { tables } from '../postgres/tables/table-rules.ts';
import { placeNew, syncFolder } from '../config/folders.ts';
import { isOfOneFile, nameSystemLoss, NothingStored, type Storage } from '../storage/storage.ts';
import { originalsPrefix } from '../recoding/originals/originals.ts';
import { findKeysInUse } from '../slots/files/stored-files.ts';
import { backupFormat, type Contents, entryNames, type Manifest } from './backup-format.ts';
import { sweepLock } from '../upkeep/sweep.ts';
import { createTar, type TarWriter } from './tar.ts';

export interface BackupDependencies {
  readonly db: Db;
  readonly storage: Pick<Storage, 'get' | 'head' | 'put' | 'delete'>;
  readonly clock: Clock;
  /** Of Recodery. */
  readonly version: string;
  /** The installation secret that opens the keys of the snapshot; null: the backup does not include it. */
  readSecret(snapshot: Db): Promise<string | null>;
  /** Called with the number of files copied so far and in total. */
  onProgress?(files: number, of: number): void;
  /** Aborts the backup, which then leaves no file. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a backup, and the problems that were found. */
export interface BackupAnswer extends Contents {
  /**
   * Storage keys of files whose bytes differ from those that were stored. The backup contains them unchanged, with zeros
   * from where a file cannot be read.
   */
  readonly damaged: readonly string[];
  readonly hasSecret: boolean;
}

interface FileLine {
  readonly key: string;
  readonly sha256: string;
}

const compress = promisify(gzip);
/** Bytes of zeros that are written at once for a file that cannot be read. */
const gapBytes = 2 ** 20;
/** Milliseconds between two attempts to lock. */
const lockPause = 500;
/** Rows fetched at once, and characters after which a new entry of rows begins. */
const batch = { rows: 200, characters: 4 * 2 ** 20 };

/**
 * Writes the backup to `path`, which must not exist; until it is complete, its name is `part`.
 * @throws {CannotStart} when it cannot be written there
 */
export async function writeBackup(
  deps: BackupDependencies,
  path: string,
  part = `${path}.part`,
): Promise<BackupAnswer> {
  if (existsSync(path)) refuse(path);
  const file = await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(
      error.code === 'EEXIST'
        ? `${part} already exists: another backup is running, or one was interrupted. If none is running, delete the file and try again.`
        : `Could not write the backup: ${error.message}`,
    );
  });
  const write = async (): Promise<BackupAnswer> => {
    const tar = createTar(file, deps.clock.now());
    const answer = await whileNothingIsSwept(deps, (connection) => fill(deps, connection, tar));
    await tar.end();
    if (!(await placeNew(part, path))) refuse(path);
    await syncFolder(dirname(path));
    return answer;
  };
  return write()
    .catch((error: unknown) => {
      throw isDiskFull(error)
        ? new CannotStart(
            `There is not enough disk space for ${part}. Free up space, or write the backup to another disk.`,
          )
        : error;
    })
    .finally(async () => {
      await file.close();
      await rm(part, { force: true });
    });
}

function refuse(path: string): never {
  throw new CannotStart(`${path} already exists. Choose another file name.`);
}

/** Writes the backup to a stream, such as stdout. @throws {CannotStart} when its reader is gone */
export async function streamBackup(
  deps: BackupDependencies,
  output: Writable,
): Promise<BackupAnswer> {
  // each write reports its error as well
  output.on('error', () => undefined);
  const writeFile = (bytes: Uint8Array): Promise<void> =>
    new Promise((done, fail) => {
      output.write(bytes, (error) => {
        if (!error) return done();
        fail(new CannotStart(`Could not write the backup: ${error.message}`));
      });
    });
  const tar = createTar({ writeFile, sync: async () => undefined }, deps.clock.now());
  const answer = await whileNothingIsSwept(deps, (connection) => fill(deps, connection, tar));
  await tar.end();
  return answer;
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/** Keeps the sweep from deleting bytes of the rows in the snapshot. */
async function whileNothingIsSwept<T>(
  { db, signal }: Pick<BackupDependencies, 'db' | 'signal'>,
  work: (connection: Db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await removeTimeLimits(connection);
    // a portal gives up statements that wait as long as a sweep can take
    while (!(await tryLock(connection))) await wait(lockPause, undefined, { signal });
    try {
      return await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${sweepLock})`.execute(connection);
    }
  });
}

async function tryLock(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_lock(${sweepLock}) as "isOurs"`.execute(connection);
  return rows[0]?.isOurs === true;
}

async function fill(deps: BackupDependencies, connection: Db, tar: TarWriter) {
  const { rows, files, hasSecret } = await readSnapshot(connection, async (snapshot) => {
    await writeExactly(snapshot);
    await addJson(tar, entryNames.manifest, await describe(deps, snapshot));
    // a rotation while the backup waited for its turn has replaced an earlier one
    const secret = await deps.readSecret(snapshot);
    if (secret !== null) await tar.addBytes(entryNames.secret, Buffer.from(`${secret}\n`));
    const counts: Record<string, number> = {};
    for (const table of backedUp) {
      deps.signal?.throwIfAborted();
      counts[table] = await addTable(tar, snapshot, table);
    }
    return { rows: counts, files: await listFiles(snapshot), hasSecret: secret !== null };
  });
  const copied = await addFiles(deps, tar, files);
  const contents: Contents = {
    rows,
    files: files.length - copied.missing.length,
    bytes: copied.bytes,
    missing: copied.missing,
  };
  await addJson(tar, entryNames.contents, contents);
  // Files that were deleted while we copied are not reported as missing.
  const inUse = await findKeysInUse(deps.db, copied.missing);
  return {
    ...contents,
    missing: copied.missing.filter((key) => inUse.has(key) || key.startsWith(originalsPrefix)),
    damaged: copied.damaged,
    hasSecret,
  };
}

/** Whatever the settings of the server or of our user are, values are written so that they can be read without loss. */
async function writeExactly(trx: Db): Promise<void> {
  await sql`select set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
    set_config('bytea_output', 'hex', true), set_config('intervalstyle', 'iso_8601', true)`.execute(
    trx,
  );
}

async function addJson(tar: TarWriter, name: string, value: unknown): Promise<void> {
  await tar.addBytes(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
}

async function describe({ clock, version }: BackupDependencies, db: Db): Promise<Manifest> {
  const migrations = await db
    .selectFrom('migration')
    .select(['name', 'checksum'])
    .orderBy('name')
    .execute();
  return { format: backupFormat, version, takenOn: clock.now().toISOString(), migrations };
}

/** Not every table of the schema: in a database of one's own, another program may have some. */
const backedUp = Object.entries(tables)
  .flatMap(([name, { isBackedUp }]) => (isBackedUp ? [name] : []))
  .toSorted();

/** Adds all rows of a table, in batches per entry; returns how many there are. */
async function addTable(tar: TarWriter, trx: Db, table: string): Promise<number> {
  const cursor = sql`declare lines no scroll cursor for
    select row_to_json(line)::text as json from ${sql.table(table)} as line`;
  await cursor.execute(trx);
  let count = 0;
  let entries = 0;
  let text = '';
  const flush = async (): Promise<void> => {
    if (text === '') return;
    entries += 1;
    const name = `${entryNames.database}${table}/${String(entries).padStart(6, '0')}.ndjson.gz`;
    await tar.addBytes(name, await compress(text));
    text = '';
  };
  for (;;) {
    const { rows } = await sql<{ json: string }>`
      fetch ${sql.lit(batch.rows)} from lines`.execute(trx);
    for (const { json } of rows) {
      text += `${json}\n`;
      if (text.length > batch.characters) await flush();
    }
    count += rows.length;
    if (rows.length < batch.rows) break;
  }
  await flush();
  await sql`close lines`.execute(trx);
  return count;
}

/** Every file that a row names: those of slots, and the originals. */
async function listFiles(db: Db): Promise<readonly FileLine[]> {
  const { rows } = await sql<FileLine>`
    select storage_key as key, min(sha256) as sha256 from (
      select storage_key, sha256 from stored_file where deleted_on is null
      union all
      select storage_key, sha256 from original) as file
    group by storage_key order by storage_key`.execute(db);
  return rows;
}

async function addFiles(deps: BackupDependencies, tar: TarWriter, files: readonly FileLine[]) {
  const missing: string[] = [];
  const damaged: string[] = [];
  let bytes = 0;
  for (const [index, { key, sha256 }] of files.entries()) {
    deps.signal?.throwIfAborted();
    deps.onProgress?.(index, files.length);
    const found = await openFile(deps.storage, key);
    if (found === null) {
      missing.push(key);
      continue;
    }
    const hash = createHash('sha256');
    // the hash must differ also if the bytes that cannot be read were zeros
    const content = fillGaps(deps.storage, found, () => hash.update('unreadable'));
    await tar.add(entryNames.files + key, found.size, hashed(content, hash));
    bytes += found.size;
    if (hash.digest('hex') !== sha256) damaged.push(key);
  }
  return { missing, damaged, bytes };
}

async function openFile({ head, get }: BackupDependencies['storage'], key: string) {
  const found = await head(key);
  if (found === null) return null;
  const content = await get(key).catch((error: unknown) => {
    if (error instanceof NothingStored) return null;
    throw error;
  });
  return content === null ? null : { size: found.size, content };
}

/** The bytes of a file; zeros from where it cannot be read while its storage works, as on a bad sector. */
async function* fillGaps(
  storage: BackupDependencies['storage'],
  { size, content }: { readonly size: number; readonly content: AsyncIterable<Uint8Array> },
  onGap: () => void,
) {
  let left = size;
  try {
    for await (const piece of content) {
      left -= piece.byteLength;
      yield piece;
    }
  } catch (error) {
    if (!(await isOfOneFile(storage, nameSystemLoss(error)))) throw error;
    onGap();
    for (; left > 0; left -= gapBytes) yield new Uint8Array(Math.min(left, gapBytes));
  }
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: { update(piece: Uint8Array): unknown },
) {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}
