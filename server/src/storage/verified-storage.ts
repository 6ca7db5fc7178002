/**
 * Verifies every stored file against the size and hash in its row while it is read, so that no changed byte reaches an
 * engine, a user or a receipt.
 */
import { createHash } from 'node:crypto';
import { open as openNew, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { append } from './in-batches.ts';
import {
  type ByteRange,
  isOfOneFile,
  keepError,
  nameSystemLoss,
  NothingStored,
  type Storage,
  type StoredObject,
} from './storage.ts';

/** A stored file as its row describes it. */
export interface RecordedFile {
  readonly storageKey: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  /** The name that users know, if it has one. */
  readonly name?: string;
  /** Whether it had been found damaged when its row was read; absent: that was not asked. */
  readonly isDamaged?: boolean;
}

/**
 * What is wrong with the bytes of a file: there are none, or others than its row describes. A file that cannot be read
 * while its store works, as on a bad sector, counts as changed.
 */
export type Damage = 'missing' | 'changed';

/** The bytes of a stored file are not those that were stored. Reading it again does not help. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  readonly file: RecordedFile;
  readonly damage: Damage;

  constructor(file: RecordedFile, damage: Damage, cause?: unknown) {
    const { storageKey } = file;
    const what = damage === 'missing' ? 'is missing' : 'has changed';
    super(`the stored file ${storageKey} ${what}`, { cause });
    this.file = file;
    this.damage = damage;
  }
}

/** Where damaged files are recorded. */
export interface DamageRecord {
  /** Whether a file was found damaged before. */
  isKnown(file: RecordedFile): Promise<boolean>;
  /** Records the damage of a file; null: its bytes are right again. Never throws. */
  report(file: RecordedFile, damage: Damage | null): Promise<void>;
}

/** A store from which only verified bytes are read. While it is unavailable, every call throws StorageUnavailable. */
export interface VerifiedStorage extends Omit<Storage, 'get' | 'start' | 'pieces'> {
  /**
   * The file's bytes. The last ones are given out only after all of them have been verified; until then, the stream
   * can fail with a {@link DamagedFile}. A file with the wrong size, a small file, and one that is known to be damaged
   * are verified in advance. The same applies to a range of a file, unless the whole file was verified within
   * {@link trustMs} and its size and time have not changed since.
   * @throws {DamagedFile}
   */
  get(file: RecordedFile, range?: ByteRange): Promise<Readable>;
  /**
   * The first bytes, at most `count`, unverified: to find out what a file is, not to use it. @throws {DamagedFile} when
   * it is missing
   */
  peek(file: RecordedFile, count: number): Promise<Uint8Array>;
  /**
   * Copies the file for an engine. The copy must not exist; it exists only if it is right. A file that is known to be
   * damaged is verified in advance. @throws {DamagedFile}
   */
  toFile(file: RecordedFile, path: string): Promise<void>;
  /**
   * Refuses a file that is missing, has the wrong size, or is known to be damaged, before anything of it is read.
   * @throws {DamagedFile}
   */
  admit(file: RecordedFile): Promise<void>;
  /** Reads the file and verifies it. @throws {DamagedFile} */
  verify(file: RecordedFile): Promise<void>;
}

/** Files up to this size are verified before their first byte is given out. */
const smallBytes = 2 ** 20;
/** Milliseconds for which ranges of a verified file are read without reading the whole file again. */
const trustMs = 600_000;
/** Verified files that a process remembers. */
const mostTrusted = 1000;

/** For commands that change nothing: the damage is reported by the command itself. */
const noRecord: DamageRecord = { isKnown: async () => false, report: async () => undefined };

/** Passes a file's bytes on, and holds each piece back until the next one, or the end of a file that is right. */
function createCheck(file: RecordedFile, report: (damage: Damage) => Promise<void>): Transform {
  const hash = createHash('sha256');
  let size = 0;
  let held: Uint8Array | null = null;
  // when a reader sees the failure, the damage is recorded
  const fail = (done: (error: Error) => void): void => {
    void report('changed').finally(() => done(new DamagedFile(file, 'changed')));
  };
  return new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      size += piece.byteLength;
      if (size > file.size) return fail(done);
      hash.update(piece);
      const next = held;
      held = piece;
      done(null, next);
    },
    flush(done) {
      if (size !== file.size || hash.digest('hex') !== file.sha256) return fail(done);
      done(null, held);
    },
  });
}

/** The cause is not the file that is read. */
class NotPassed extends Error {}

/** Opens the files of a store; those that cannot be right are reported and refused at once. */
function createOpen(store: Storage, record: DamageRecord) {
  const damaged = async (file: RecordedFile, damage: Damage, cause?: unknown) => {
    await record.report(file, damage);
    return new DamagedFile(file, damage, cause);
  };
  const nameFailure = async (file: RecordedFile, error: unknown): Promise<Error> => {
    if (error instanceof NothingStored) return damaged(file, 'missing');
    const loss = nameSystemLoss(error) as Error;
    return (await isOfOneFile(store, loss)) ? damaged(file, 'changed', loss) : loss;
  };
  const open = (file: RecordedFile, range?: ByteRange): Promise<Readable> =>
    store.get(file.storageKey, range).catch(async (error: unknown) => {
      throw await nameFailure(file, error);
    });
  return {
    open,
    start: (file: RecordedFile, count: number): Promise<Uint8Array> =>
      store.start(file.storageKey, count).catch(async (error: unknown) => {
        throw await nameFailure(file, error);
      }),
    /** The object, which has the size that the row states. */
    async find(file: RecordedFile): Promise<StoredObject> {
      const found = await store.head(file.storageKey).catch(async (error: unknown) => {
        throw await nameFailure(file, error);
      });
      if (found === null) throw await damaged(file, 'missing');
      if (found.size !== file.size) throw await damaged(file, 'changed');
      return found;
    },
    /** Reads the whole file, and passes its pieces on; after the last one, it throws unless all were right. */
    async check(file: RecordedFile, pass?: (piece: Uint8Array) => Promise<void>): Promise<void> {
      const hash = createHash('sha256');
      let size = 0;
      try {
        for await (const piece of store.pieces(file.storageKey)) {
          size += piece.byteLength;
          if (size > file.size) break;
          const passing = pass?.(piece).catch((error: unknown) => {
            throw new NotPassed('a piece could not be passed on', { cause: error });
          });
          // hashed here while another thread writes: each takes about as long
          hash.update(piece);
          await passing;
        }
      } catch (error) {
        throw error instanceof NotPassed ? error.cause : await nameFailure(file, error);
      }
      if (size !== file.size || hash.digest('hex') !== file.sha256)
        throw await damaged(file, 'changed');
    },
    async openChecked(file: RecordedFile): Promise<Readable> {
      const source = await open(file);
      const check = createCheck(file, (damage) => record.report(file, damage));
      source.once('error', async (error) => check.destroy(await nameFailure(file, error)));
      check.once('close', () => source.destroy());
      return source.pipe(keepError(check));
    },
  };
}

/** Verifies whole files, and remembers which of them were right. */
function createVerification({ find, check }: ReturnType<typeof createOpen>, record: DamageRecord) {
  const trusted = new Map<string, { readonly modifiedMs: number; readonly until: number }>();
  const checking = new Map<string, Promise<void>>();
  const drain = async (file: RecordedFile): Promise<void> => {
    const { modifiedOn } = await find(file);
    await check(file);
    if (await record.isKnown(file)) await record.report(file, null);
    const { storageKey } = file;
    // last in the order of the map, which is the order of age
    trusted.delete(storageKey);
    const until = performance.now() + trustMs;
    trusted.set(storageKey, { modifiedMs: modifiedOn.getTime(), until });
    const [oldest] = trusted.keys();
    if (trusted.size > mostTrusted && oldest !== undefined) trusted.delete(oldest);
  };
  return {
    isTrusted({ key, modifiedOn }: StoredObject): boolean {
      const known = trusted.get(key);
      return known?.modifiedMs === modifiedOn.getTime() && performance.now() < known.until;
    },
    /** Several parts of a file that are requested at once wait for the same verification. */
    verify(file: RecordedFile): Promise<void> {
      const key = `${file.storageKey} ${file.sha256}`;
      const running = checking.get(key);
      if (running !== undefined) return running;
      const started = drain(file).finally(() => checking.delete(key));
      checking.set(key, started);
      return started;
    },
  };
}

/** Reads from a store through the check of every file's bytes. */
export function verifyReads(store: Storage, record: DamageRecord = noRecord): VerifiedStorage {
  const opening = createOpen(store, record);
  const { open, start, find, openChecked, check } = opening;
  const { isTrusted, verify } = createVerification(opening, record);
  const admit = async (file: RecordedFile): Promise<void> => {
    await find(file);
    if (await record.isKnown(file)) await verify(file);
  };
  const getPart = async (file: RecordedFile, range: ByteRange): Promise<Readable> => {
    if (!isTrusted(await find(file))) await verify(file);
    return open(file, range);
  };
  const getWhole = async (file: RecordedFile): Promise<Readable> => {
    await admit(file);
    const source = await openChecked(file);
    return file.size <= smallBytes
      ? Readable.from([await buffer(source)], { objectMode: false })
      : source;
  };

  return {
    ...store,
    admit,
    verify,
    get: (file, range) =>
      range === undefined || range.end - range.start + 1 === file.size
        ? getWhole(file)
        : getPart(file, range),
    async peek(file, count) {
      // an empty file has no range to request
      if (file.size === 0) return new Uint8Array();
      return start(file, Math.min(count, file.size));
    },
    async toFile(file, path) {
      // the copy shows whether the file is missing or has another size
      if (await record.isKnown(file)) await verify(file);
      const copy = await openNew(path, 'wx', 0o600).catch((error: unknown) => {
        throw nameSystemLoss(error);
      });
      const write = async (): Promise<void> => {
        await check(file, (piece) => append(copy, piece));
        await copy.close();
      };
      await write().catch(async (error: unknown) => {
        await copy.close();
        await rm(path, { force: true });
        throw nameSystemLoss(error);
      });
    },
  };
}

/** Reads a file and returns what is wrong with it; null: nothing. */
export async function findDamage(
  storage: Pick<VerifiedStorage, 'verify'>,
  file: RecordedFile,
): Promise<Damage | null> {
  return storage.verify(file).then(
    () => null,
    (error: unknown) => {
      if (error instanceof DamagedFile) return error.damage;
      throw error;
    },
  );
}
