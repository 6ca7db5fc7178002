/**
 * Writes a backup's files into a storage, before the rows that name them can be seen. A storage outside of the new data
 * folder must be empty. Its marker lets an interrupted restore of the same backup be repeated.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CannotStart } from '../config/cannot-start.ts';
import { formatGuid } from '../config/guids.ts';
import { uploadPrefix } from '../http/file-transfer.ts';
import { isKey, type Storage } from '../storage/storage.ts';
import { type Archive, refuseEntry } from './archive.ts';
import { entryNames } from './backup-format.ts';
import { readTar, type TarEntry } from './tar.ts';

/** Files that are written at once: an object store takes its time for each. */
const atOnce = 8;

/** What was written: the number of files, the sum of their bytes, and the SHA-256 of each by its storage key. */
export interface RestoredFiles {
  readonly bytes: number;
  readonly hashes: ReadonlyMap<string, string>;
}

/** The storage that a restore fills. */
export interface FileTarget {
  /** Writes all files of the backup, and reads each of them again. */
  write(entries: AsyncIterable<TarEntry>): Promise<RestoredFiles>;
  /** Deletes what was written, unless an earlier attempt may have written it. */
  undo(): Promise<void>;
  /** Called once the rows are stored. */
  complete(): Promise<void>;
}

/** A storage that is not used yet. */
export function openPrivateTarget(storage: Storage, archive: Archive): FileTarget {
  return {
    write: (entries) => writeAll(storage, archive, entries),
    undo: async () => undefined,
    complete: async () => undefined,
  };
}

/**
 * A storage that may already contain files: those of another installation, whose files would be taken for orphans of
 * this one.
 * @throws {CannotStart} when it is not empty
 */
export async function openSharedTarget(storage: Storage, archive: Archive): Promise<FileTarget> {
  const marker = markerOf(archive);
  const isRepeated = (await storage.head(marker)) !== null;
  const own = new Set(isRepeated ? [marker, ...(await listKeys(archive))] : []);
  for await (const { key } of storage.list('')) {
    if (!own.has(key)) {
      throw new CannotStart(
        `The storage in RECODERY_STORAGE_URL is not empty (it contains ${key}). Set RECODERY_STORAGE_URL to an empty folder, or to a bucket or a prefix without objects. Nothing was changed.`,
      );
    }
  }
  return {
    async write(entries) {
      await storage.put(marker, Readable.from([]));
      return writeAll(storage, archive, entries);
    },
    async undo() {
      // the files of an earlier attempt: if that restored everything but the marker, an installation uses them
      if (isRepeated) return;
      for (const key of [...(await listKeys(archive)), marker]) await storage.delete(key);
    },
    complete: () => storage.delete(marker),
  };
}

/**
 * The key that marks a storage as one that this backup is being restored into. It is named like an upload: if the restore
 * is never completed, the sweep deletes it together with the files.
 */
function markerOf({ sha256 }: Archive): string {
  const hash = Buffer.from(sha256, 'hex');
  return [uploadPrefix, formatGuid(hash.subarray(0, 16)), formatGuid(hash.subarray(16))].join('/');
}

async function listKeys({ file, path }: Archive): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { name } of readTar(file, path)) {
    const key = keyOf(name);
    if (key !== null && isKey(key)) keys.push(key);
  }
  return keys;
}

/** The storage key of an entry; null when it is not a file. */
function keyOf(name: string): string | null {
  return name.startsWith(entryNames.files) ? name.slice(entryNames.files.length) : null;
}

async function writeAll(
  storage: Storage,
  { path }: Archive,
  entries: AsyncIterable<TarEntry>,
): Promise<RestoredFiles> {
  const hashes = new Map<string, string>();
  let bytes = 0;
  let batch: TarEntry[] = [];
  const writeBatch = async (): Promise<void> => {
    // all have ended, also after an error: nothing is written once the caller undoes the rest
    const outcomes = await Promise.allSettled(batch.map((entry) => writeOne(storage, entry, path)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      const { key, size, sha256 } = outcome.value;
      if (hashes.has(key)) refuseEntry(path, entryNames.files + key);
      hashes.set(key, sha256);
      bytes += size;
    }
    batch = [];
  };
  for await (const entry of entries) {
    if (keyOf(entry.name) === null) continue;
    batch.push(entry);
    if (batch.length === atOnce) await writeBatch();
  }
  await writeBatch();
  return { bytes, hashes };
}

async function writeOne(storage: Storage, entry: TarEntry, path: string) {
  const key = keyOf(entry.name);
  if (key === null || !isKey(key)) refuseEntry(path, entry.name);
  const { size, sha256 } = await storage.put(key, entry.content()).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // one of the files has the same name as another file's folder
    if (['EEXIST', 'EISDIR', 'ENOTDIR'].includes(code)) refuseEntry(path, entry.name);
    throw error;
  });
  if ((await hashStored(storage, key)) !== sha256) {
    throw new CannotStart(
      `The storage does not return ${key} as it was written. Check the storage, then try again. Nothing was restored.`,
    );
  }
  return { key, size, sha256 };
}

async function hashStored(storage: Storage, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await storage.get(key)) hash.update(piece);
  return hash.digest('hex');
}
