/** Every stored file is verified while it is read: whole, in parts, and as a copy for an engine. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, symlink, truncate, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openFileStorage } from '../../src/storage/files.ts';
import { type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import {
  type Damage,
  type RecordedFile,
  type VerifiedStorage,
  verifyReads,
} from '../../src/storage/verified-storage.ts';

let folder: string;
let store: Storage;
let storage: VerifiedStorage;
/** The recorded damage by key. */
let found: Map<string, Damage>;
/** The bytes that were read from the store. */
let bytesRead: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-verified-'));
  const files = await openFileStorage(join(folder, 'files'));
  store = {
    ...files,
    async get(...question) {
      const stream = await files.get(...question);
      stream.on('data', (piece: Buffer) => {
        bytesRead += piece.length;
      });
      return stream.pause();
    },
    async *pieces(key) {
      for await (const piece of files.pieces(key)) {
        bytesRead += piece.length;
        yield piece;
      }
    },
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  found = new Map();
  bytesRead = 0;
  storage = verifyReads(store, {
    isKnown: async ({ storageKey }) => found.has(storageKey),
    async report({ storageKey }, damage) {
      if (damage === null) found.delete(storageKey);
      else found.set(storageKey, damage);
    },
  });
});

const small = 100_000;
const large = 3 * 2 ** 20;
const pathOf = (name: string) => join(folder, 'files', name);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function put(name: string, size: number) {
  const bytes = randomBytes(size);
  const written = await store.put(name, Readable.from([bytes]));
  const file: RecordedFile = { storageKey: name, name: `${name}.bin`, ...written };
  return { bytes, file };
}

/** Changes one byte of a stored file. */
async function flip(name: string, at: number): Promise<void> {
  const file = await open(pathOf(name), 'r+');
  const { buffer: bytes } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.from([(bytes[0] ?? 0) ^ 1]), 0, 1, at);
  await file.close();
}

/** The bytes that a reader gets before the stream ends or fails, and the failure. */
async function readAll(stream: Readable) {
  const pieces: Buffer[] = [];
  let failure: unknown = null;
  try {
    for await (const piece of stream) pieces.push(piece as Buffer);
  } catch (error) {
    failure = error;
  }
  return { bytes: Buffer.concat(pieces), failure };
}

describe.each([
  ['a small file', small],
  ['a large file', large],
  ['an empty file', 0],
] as const)('%s', (_what, size) => {
  test('is read whole, once, if it is right', async () => {
    const { bytes, file } = await put(`right-${size}`, size);
    expect((await buffer(await storage.get(file))).equals(bytes)).toBe(true);
    expect(bytesRead).toBe(size);
    expect(found.size).toBe(0);
  });

  test('is copied for an engine, which cannot change the original', async () => {
    const { bytes, file } = await put(`copied-${size}`, size);
    const path = join(folder, `copy-${size}`);
    await storage.toFile(file, path);
    expect(bytesRead).toBe(size);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    await truncate(path, 0);
    expect(sha256(await readFile(pathOf(`copied-${size}`)))).toBe(file.sha256);
  });

  test('is refused if it is missing', async () => {
    const { file } = await put(`missing-${size}`, size);
    await store.delete(file.storageKey);
    const refusal = { name: 'DamagedFile', damage: 'missing', file };
    await expect(storage.get(file)).rejects.toMatchObject(refusal);
    await expect(storage.toFile(file, join(folder, 'none'))).rejects.toMatchObject(refusal);
    await expect(storage.admit(file)).rejects.toMatchObject(refusal);
    expect(found).toEqual(new Map([[file.storageKey, 'missing']]));
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  test.each([
    ['longer', size + 1],
    ['shorter', size - 1],
  ])('is refused before its first byte if it is %s', async (_change, length) => {
    if (length < 0) return;
    const { file } = await put(`length-${size}`, size);
    await truncate(pathOf(file.storageKey), length);
    await expect(storage.get(file)).rejects.toMatchObject({ damage: 'changed' });
    await expect(storage.admit(file)).rejects.toMatchObject({ damage: 'changed' });
    expect(found.get(file.storageKey)).toBe('changed');
  });
});

describe.each([0, 1, small / 2, small - 1])('a small file whose byte %i has changed', (at) => {
  test('is refused before its first byte', async () => {
    const { file } = await put(`flipped-${at}`, small);
    await flip(file.storageKey, at);
    await expect(storage.get(file)).rejects.toMatchObject({ damage: 'changed', file });
    expect(found.get(file.storageKey)).toBe('changed');
  });

  test('is not copied for an engine, not even a second time', async () => {
    const { file } = await put(`uncopied-small-${at}`, small);
    await flip(file.storageKey, at);
    const path = join(folder, 'uncopied-small');
    for (const _ of [1, 2])
      await expect(storage.toFile(file, path)).rejects.toMatchObject({ damage: 'changed' });
    expect(existsSync(path)).toBe(false);
  });
});

describe.each([0, large / 2, large - 1])('a large file whose byte %i has changed', (at) => {
  test('breaks off before its last byte, and is refused before its first from then on', async () => {
    const { bytes, file } = await put(`broken-${at}`, large);
    await flip(file.storageKey, at);
    const read = await readAll(await storage.get(file));
    expect(read.failure).toMatchObject({ damage: 'changed' });
    expect(read.bytes.length).toBeLessThan(bytes.length);
    await expect(storage.get(file)).rejects.toMatchObject({ damage: 'changed' });
    await expect(storage.admit(file)).rejects.toMatchObject({ damage: 'changed' });
  });

  test('is not copied for an engine', async () => {
    const { file } = await put(`uncopied-${at}`, large);
    await flip(file.storageKey, at);
    const path = join(folder, 'uncopied');
    await expect(storage.toFile(file, path)).rejects.toMatchObject({ damage: 'changed' });
    expect(existsSync(path)).toBe(false);
  });

  test('refuses each of its parts', async () => {
    const { file } = await put(`part-${at}`, large);
    await flip(file.storageKey, at);
    for (const start of [0, 1000, large - 1])
      await expect(storage.get(file, { start, end: large - 1 - (start === 0 ? 1 : 0) }))
        .rejects //
        .toMatchObject({ damage: 'changed' });
  });
});

test('a damaged file that was restored is read again, and no longer counts as damaged', async () => {
  const { bytes, file } = await put('restored', large);
  await flip('restored', 5);
  await expect(storage.verify(file)).rejects.toMatchObject({ damage: 'changed' });
  await flip('restored', 5);
  expect((await buffer(await storage.get(file))).equals(bytes)).toBe(true);
  expect(found.size).toBe(0);
});

test('the parts of a file are read without reading all of it again, until it is touched', async () => {
  const { bytes, file } = await put('parts', large);
  const part = async (start: number, end: number) =>
    buffer(await storage.get(file, { start, end }));
  const several = await Promise.all([part(0, 9), part(10, 19), part(20, 29)]);
  expect(Buffer.concat(several).equals(bytes.subarray(0, 30))).toBe(true);
  expect(bytesRead).toBe(large + 30);
  await flip('parts', 3);
  await utimes(pathOf('parts'), 1, 1);
  await expect(part(100, 109)).rejects.toMatchObject({ damage: 'changed' });
});

describe.runIf(existsSync('/proc/self/mem'))('a file that cannot be read', () => {
  /** Reading its first byte fails with EIO, as from a bad sector. */
  async function spoil(name: string) {
    const { file } = await put(name, 0);
    await rm(pathOf(name));
    await symlink('/proc/self/mem', pathOf(name));
    return file;
  }

  test('is damaged if the store works otherwise', async () => {
    const file = await spoil('unreadable');
    await expect(storage.verify(file)).rejects.toMatchObject({ damage: 'changed' });
    await expect(storage.get(file)).rejects.toMatchObject({ damage: 'changed' });
    expect(found).toEqual(new Map([['unreadable', 'changed']]));
  });

  test('is not damaged if the whole store is unavailable', async () => {
    const file = await spoil('out-of-reach');
    const put = () => Promise.reject(new Error('the disk is gone'));
    const broken = verifyReads({ ...store, put });
    await expect(broken.verify(file)).rejects.toThrow(StorageUnavailable);
  });
});

test('a copy is refused, and the process goes on, if the file fails while the copy is created', async () => {
  const { file } = await put('early', small);
  await flip('early', 5);
  const slow = verifyReads({
    ...store,
    // all bytes are there before the caller continues, as from a store that answers at once
    async get(...question) {
      const bytes = await buffer(await store.get(...question));
      return Readable.from([bytes], { objectMode: false });
    },
  });
  const path = join(folder, 'early');
  await expect(slow.toFile(file, path)).rejects.toMatchObject({ damage: 'changed' });
  expect(existsSync(path)).toBe(false);
});

test('a file is not damaged if its copy cannot be written', async () => {
  const { file } = await put('unwritable', small);
  const handle = await open(pathOf('unwritable'));
  const writing = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'write');
  await handle.close();
  writing.mockRejectedValueOnce(Object.assign(new Error('a bad sector'), { code: 'EIO' }));
  const path = join(folder, 'unwritable');
  await expect(storage.toFile(file, path)).rejects.toThrow(StorageUnavailable);
  writing.mockRestore();
  expect(found.size).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('a copy never replaces another file', async () => {
  const { file } = await put('exclusive', small);
  const path = join(folder, 'exclusive');
  await storage.toFile(file, path);
  await expect(storage.toFile(file, path)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(sha256(await readFile(path))).toBe(file.sha256);
});
