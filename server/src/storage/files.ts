/** Storage in a folder of the file system: written to a temporary file, synced, and moved into place. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { CannotStart } from '../config/cannot-start.ts';
import { syncFolder } from '../config/folders.ts';
import { append, borrowBatch, inBatches } from './in-batches.ts';
import {
  type ByteRange,
  type ByteStream,
  checkKey,
  keepError,
  nameSystemLoss,
  NothingStored,
  StorageUnavailable,
  type Storage,
  type StoredObject,
  type Written,
} from './storage.ts';

// No key begins with a dot, so no key can name a file in here.
const asideName = '.aside';

/** Bytes of the pieces of a stream: each has new memory, which waits for the garbage collector. */
const streamedBytes = 256 * 1024;

/** The system's error code, such as ENOENT. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns null when there is no such file; rethrows any other error. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  });
}

/**
 * Creates a folder and its missing parents up to `root`; returns the folders to sync, so that the new entries are
 * durable.
 */
async function makeFolder(root: string, path: string): Promise<string[]> {
  const first = await mkdir(path, { recursive: true });
  const grown: string[] = [];
  for (let made = path; first !== undefined; made = dirname(made)) {
    grown.push(dirname(made));
    if (made === first || dirname(made) === root || dirname(made) === made) break;
  }
  return grown;
}

/** Writes a stream to a new file and syncs it. Memory use is one batch and the stream's own piece. */
async function writeNew(path: string, stream: ByteStream): Promise<Written> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  const write = async (): Promise<void> => {
    for await (const batch of inBatches(stream)) {
      const writing = append(file, batch);
      // hashed here while another thread writes: each takes about as long
      hash.update(batch);
      size += batch.byteLength;
      await writing;
    }
    await file.sync();
  };
  await write().finally(() => file.close());
  return { size, sha256: hash.digest('hex') };
}

/** A file's pieces, all in the same memory, as those of `inBatches`. */
async function* piecesOf(openFile: () => Promise<FileHandle>): ByteStream {
  using batch = borrowBatch();
  const { memory } = batch;
  const file = await openFile();
  try {
    for (;;) {
      const { bytesRead } = await file.read(memory);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const readPiece = promisify(read);

/**
 * The contents of a file outside of the store, up to the size that it has when it is opened, in pieces that are valid until the
 * next one. It is opened and closed without another thread, which would take longer: engines work on a local disk.
 */
async function* localPiecesOf(path: string): ByteStream {
  using batch = borrowBatch();
  const { memory } = batch;
  const file = openSync(path, 'r');
  try {
    let rest = fstatSync(file).size;
    while (rest > 0) {
      const most = Math.min(rest, memory.byteLength);
      const { bytesRead } = await readPiece(file, memory, 0, most, null);
      if (bytesRead === 0) return;
      rest -= bytesRead;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    closeSync(file);
  }
}

/** Removes the temporary files that have not grown since `before`; returns how many. */
async function sweepAside(aside: string, before: Date): Promise<number> {
  let sum = 0;
  for await (const entry of await opendir(aside)) {
    const path = join(aside, entry.name);
    const found = await unlessMissing(stat(path));
    if (found === null || found.mtimeMs >= before.getTime()) continue;
    await rm(path, { force: true });
    sum += 1;
  }
  return sum;
}

async function* walk(folder: string): AsyncIterable<string> {
  const entries = await unlessMissing(opendir(folder));
  if (entries === null) return;
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

/** How many folders a store remembers as existing. Beyond that, it forgets all of them. */
const mostRemembered = 1000;

/** Moves finished files to their places under `root` durably. */
function createMove(root: string): (from: string, to: string) => Promise<void> {
  const made = new Set<string>();
  return async (from, to) => {
    const folder = dirname(to);
    const move = (): Promise<string[]> => rename(from, to).then(() => []);
    const moveToNew = async (): Promise<string[]> => {
      const grown = await makeFolder(root, folder);
      await rename(from, to);
      return grown;
    };
    // A concurrent delete can remove a folder that exists, or a new, still empty one.
    const grown =
      (made.has(folder) ? await unlessMissing(move()) : null) ??
      (await unlessMissing(moveToNew())) ??
      (await moveToNew());
    await Promise.all([folder, ...grown].map(syncFolder));
    if (made.size >= mostRemembered) made.clear();
    made.add(folder);
  };
}

/**
 * Removes empty folders above a deleted file, up to `root`; the system refuses to remove folders that are not empty.
 */
async function clearFolders(root: string, path: string): Promise<void> {
  for (let above = dirname(path); above !== root; above = dirname(above)) {
    const isCleared = await rmdir(above).then(
      () => true,
      () => false,
    );
    if (!isCleared) return;
  }
}

/** Writes a stream aside, then moves it into place. */
async function putInto(
  aside: string,
  path: string,
  stream: ByteStream,
  moveIntoPlace: ReturnType<typeof createMove>,
): Promise<Written> {
  const temporary = join(aside, randomUUID());
  const write = async (): Promise<Written> => {
    const written = await writeNew(temporary, stream);
    await moveIntoPlace(temporary, path);
    return written;
  };
  return write().catch(async (error: unknown) => {
    await rm(temporary, { force: true });
    throw error;
  });
}

/** Detects that the folder is unavailable, by the marker that it contains. */
function createGuard(marker: string) {
  /** Throws unless the folder is still the one that was opened: an unmounted one is empty. */
  const requireFolder = async (): Promise<void> => {
    await stat(marker).catch((error: unknown) => {
      throw new StorageUnavailable(error);
    });
  };
  /** Names the error of a folder that is unavailable. */
  const guard = async <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      if (error instanceof NothingStored || systemCode(error) === 'ENOENT') await requireFolder();
      throw nameSystemLoss(error);
    });
  return { requireFolder, guard };
}

/** Whether a folder is empty or does not exist. */
async function isEmpty(folder: string): Promise<boolean> {
  return ((await unlessMissing(readdir(folder))) ?? []).length === 0;
}

async function describe(path: string, key: string): Promise<StoredObject | null> {
  const found = await unlessMissing(stat(path));
  if (found === null || !found.isFile()) return null;
  return { key, size: found.size, modifiedOn: found.mtime };
}

/** Deletes a file; false: it is missing, or the folder of other files, so that nothing is stored by this key. */
async function unlinkFile(path: string, key: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if ((await describe(path, key)) === null) return false;
    throw error;
  }
}

/** The objects in a folder under `root` whose keys begin with `prefix`. */
async function* listFolder(
  root: string,
  folder: string,
  prefix: string,
): AsyncIterable<StoredObject> {
  for await (const path of walk(folder)) {
    const key = relative(root, path).split(sep).join('/');
    const found = key.startsWith(prefix) ? await describe(path, key) : null;
    if (found !== null) yield found;
  }
}

/** The first bytes of a file; a stream for a single piece would take several times as long. */
async function readStart(file: FileHandle, count: number): Promise<Uint8Array> {
  try {
    const memory = new Uint8Array(count);
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(memory, size, count - size, size);
      size += bytesRead;
      if (bytesRead === 0 || size === count) return memory.subarray(0, size);
    }
  } finally {
    await file.close();
  }
}

/** @throws {NothingStored} */
async function openToRead(path: string, key: string): Promise<FileHandle> {
  const file = await unlessMissing(open(path, 'r'));
  if (file === null) throw new NothingStored(key);
  return file;
}

/**
 * Opens a store in a folder, which is created if it does not exist.
 * @throws {CannotStart} when it is empty although `hasFiles` expects files in it
 */
export async function openFileStorage(
  folder: string,
  hasFiles: () => Promise<boolean> = async () => false,
): Promise<Storage> {
  const root = resolve(folder);
  const aside = join(root, asideName);
  // Uploads to the empty folder would be out of reach as soon as the file system is mounted over it.
  if ((await isEmpty(root)) && (await hasFiles())) {
    throw new CannotStart(
      `The storage folder ${root} is empty, but the database lists files in it. Mount its file system, or restore a backup.`,
    );
  }
  await mkdir(aside, { recursive: true, mode: 0o700 });

  const { requireFolder, guard } = createGuard(aside);
  const pathOf = (key: string): string => {
    const path = join(root, ...checkKey(key).split('/'));
    if (!path.startsWith(root + sep)) throw new Error('a key leads out of the storage folder');
    return path;
  };
  const moveIntoPlace = createMove(root);
  const put = (key: string, stream: ByteStream): Promise<Written> =>
    putInto(aside, pathOf(key), stream, moveIntoPlace);
  const openStored = async (key: string): Promise<FileHandle> => openToRead(pathOf(key), key);
  const get = async (key: string, range?: ByteRange): Promise<Readable> => {
    const file = await openStored(key);
    // each piece costs a call in another thread, and one of the stream: fewer, larger pieces
    return keepError(file.createReadStream({ ...range, highWaterMark: streamedBytes }));
  };
  const remove = async (key: string): Promise<void> => {
    const path = pathOf(key);
    if (!(await unlinkFile(path, key))) await requireFolder();
    await clearFolders(root, path);
  };

  return {
    put: async (key, stream) => guard(put(key, stream)),
    async head(key) {
      const found = await guard(describe(pathOf(key), key));
      if (found === null) await requireFolder();
      return found;
    },
    fromFile: async (key, path) => guard(put(key, localPiecesOf(path))),
    pieces: (key) => piecesOf(() => guard(openStored(key))),
    get: (key, range) => guard(get(key, range)),
    start: (key, count) => guard(openStored(key).then((file) => readStart(file, count))),
    delete: (key) => guard(remove(key)),
    async *list(prefix) {
      await requireFolder();
      const start = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')));
      yield* listFolder(root, start === '' ? root : pathOf(start), prefix);
    },
    deleteUnfinished: (before) => guard(sweepAside(aside, before)),
  };
}
