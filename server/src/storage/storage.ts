/**
 * The storage interface: the few calls that every store supports, so that a folder and an object store work the same.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

/** The result of a write: size in bytes and SHA-256 as 64 hexadecimal digits. */
export interface Written {
  readonly size: number;
  readonly sha256: string;
}

/** Bytes `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object in a listing; `size` in bytes. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly modifiedOn: Date;
}

/** Pieces of a file in their order. */
export type ByteStream = AsyncIterable<Uint8Array>;

/**
 * A store. Keys are paths of letters, digits, `.`, `_` and `-`, separated by `/` (see {@link checkKey}). An object exists
 * completely and durably, or not at all: once `put` has resolved, a power cut loses nothing; if it throws, nothing is
 * left. While a store is unavailable, every call throws {@link StorageUnavailable}: this does not mean that objects are
 * missing. What rows describe is read through `verified-storage`.
 */
export interface Storage {
  /** Stores a stream and hashes it while writing. Replaces an existing object. @throws what the stream throws */
  put(key: string, stream: ByteStream): Promise<Written>;
  /**
   * The object's bytes, or a range of them. An error that comes before the reader listens is kept for it.
   * @throws {NothingStored}
   */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** The object's first bytes, at most `count`, which must not be 0. @throws {NothingStored} */
  start(key: string, count: number): Promise<Uint8Array>;
  /**
   * The object's bytes for one who processes each piece before requesting the next: all can share the same memory. (New
   * memory for each would make the garbage collector stop the whole process.) @throws {NothingStored} with the first
   */
  pieces(key: string): ByteStream;
  /** The object's metadata, or null. */
  head(key: string): Promise<StoredObject | null>;
  /** Deletes the object; it is not an error if it is missing. */
  delete(key: string): Promise<void>;
  /** All objects whose key begins with the prefix, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /**
   * Deletes what interrupted writes have left behind outside of objects, if nothing was added to it since `before`, by
   * the clock that dates the objects. Returns how many.
   */
  deleteUnfinished(before: Date): Promise<number>;
  /** Stores a file that an engine has created. */
  fromFile(key: string, path: string): Promise<Written>;
}

/** There is no object under this key. */
export class NothingStored extends Error {
  constructor(key: string) {
    super(`nothing is stored under ${key}`);
    this.name = 'NothingStored';
  }
}

/** The store cannot be used: it is unavailable, full, or refuses access. The cause is the error of the system. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** Callers get 503, and operations are retried. */
  readonly statusCode = 503;

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The storage is unavailable: ${reason}`, { cause });
  }
}

/** The system's errors of a file system that is full, broken, unmounted or out of reach, and of a lost connection. */
const lossCode =
  /^(ENOSPC|EDQUOT|EIO|EROFS|EACCES|EPERM|ESTALE|ENOTCONN|ENODEV|ENXIO|ETIMEDOUT|EHOSTDOWN|EHOSTUNREACH|ECONNRESET|EPIPE)$/;

/** The error to throw for one of the system: a {@link StorageUnavailable} if the store is out of reach, else the same. */
export function nameSystemLoss(error: unknown): unknown {
  const isLoss = error instanceof Error && 'code' in error && lossCode.test(String(error.code));
  return isLoss ? new StorageUnavailable(error) : error;
}

/** The system's errors that can be those of a single file: a bad sector, or permissions that were changed. */
const fileCode = /^(EIO|EACCES|EPERM)$/;

/**
 * Whether a read failed because of its file, and not because of the store: another file can be written. (The system
 * returns the size of a file from memory even if its disk is gone.)
 */
export async function isOfOneFile(
  store: Pick<Storage, 'put' | 'delete'>,
  error: unknown,
): Promise<boolean> {
  const cause = error instanceof StorageUnavailable ? error.cause : null;
  if (!(cause instanceof Error && 'code' in cause && fileCode.test(String(cause.code))))
    return false;
  const key = `probe/${randomUUID()}`;
  const probe = async (): Promise<void> => {
    await store.put(key, Readable.from([Buffer.from('probe')]));
    await store.delete(key);
  };
  return probe().then(
    () => true,
    () => false,
  );
}

/**
 * Lets a stream fail before its reader listens: the reader gets the error then. Without any listener, the error would end
 * the process.
 */
export function keepError<T extends Readable>(stream: T): T {
  return stream.on('error', () => undefined);
}

const keyPart = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * Whether a text is a key. Segments never begin with a dot, so that a key cannot lead out of the store or to its
 * internal files.
 */
export function isKey(key: string): boolean {
  return key.length <= 512 && key.split('/').every((part) => keyPart.test(part));
}

/** Returns the key if it is valid. @throws on any other */
export function checkKey(key: string): string {
  if (!isKey(key)) {
    throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 80))}`);
  }
  return key;
}
