/** The storage in a folder: the common suite, and the cases that are specific to a folder. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CannotStart } from '../../src/config/cannot-start.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import { batchBytes } from '../../src/storage/in-batches.ts';
import { describeStorage } from './storage-suite.ts';

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'recodery-files-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const freshFolder = () => join(root, String(count++));

describeStorage('a folder', () => openFileStorage(freshFolder()));

test('half-written files are deleted if they have not grown since a given time', async () => {
  const folder = freshFolder();
  const storage = await openFileStorage(folder);
  const aside = join(folder, '.aside');
  for (const [name, time] of [
    ['dead', 1_000_000],
    ['living', 1_000_002],
  ] as const) {
    await writeFile(join(aside, name), 'half');
    await utimes(join(aside, name), time, time);
  }
  expect(await storage.deleteUnfinished(new Date(1_000_001_000))).toBe(1);
  expect(await readdir(aside)).toEqual(['living']);
});

test('an interrupted stream leaves no temporary file either', async () => {
  const folder = freshFolder();
  const storage = await openFileStorage(folder);
  const breaking = (async function* () {
    yield Buffer.from('half');
    throw new Error('the line broke');
  })();
  await expect(storage.put('a/b', breaking)).rejects.toThrow('the line broke');
  expect(await readdir(folder, { recursive: true })).toEqual(['.aside']);
});

// all bytes pass through a buffer of `batchBytes`
test.each([
  ['smaller than the buffer', [1, batchBytes - 2]],
  ['the size of the buffer', [batchBytes, batchBytes]],
  ['across the end of the buffer', [batchBytes - 1, 2, batchBytes - 3, 3]],
  ['several times the buffer', [4 * batchBytes - 7, 1, batchBytes - 1, 2 * batchBytes + 1]],
  ['no bytes among others', [0, 300_000, 0, 7]],
])('chunks of %s are stored unchanged, from a stream and from a file', async (_, sizes) => {
  const storage = await openFileStorage(freshFolder());
  const pieces = sizes.map((size) => randomBytes(size));
  const whole = Buffer.concat(pieces);
  const expected = {
    size: whole.length,
    sha256: createHash('sha256').update(whole).digest('hex'),
  };
  const path = join(root, `whole-${count++}`);
  await writeFile(path, whole);
  const stream = (async function* () {
    yield* pieces;
  })();
  expect(await storage.put('a', stream)).toEqual(expected);
  expect(await storage.fromFile('b', path)).toEqual(expected);
  for (const key of ['a', 'b']) {
    const stored = await (await storage.get(key)).toArray();
    expect(Buffer.concat(stored).equals(whole)).toBe(true);
  }
});

test.runIf(process.platform === 'linux')(
  'a file that ends before the size that the system states is stored up to its end',
  async () => {
    const storage = await openFileStorage(freshFolder());
    const path = '/sys/devices/system/cpu/online';
    const { length } = await readFile(path);
    expect((await stat(path)).size).toBeGreaterThan(length);
    expect(await storage.fromFile('a', path)).toMatchObject({ size: length });
  },
);

test('folders are deleted with their last file', async () => {
  const folder = freshFolder();
  const storage = await openFileStorage(folder);
  await storage.fromFile('operation/1/decoded.bin', import.meta.filename);
  await storage.delete('operation/1/decoded.bin');
  expect(await readdir(folder)).toEqual(['.aside']);
});

test('an empty folder is refused if it must contain files', async () => {
  const folder = freshFolder();
  await mkdir(folder);
  await expect(openFileStorage(folder, async () => true)).rejects.toThrow(CannotStart);
  expect(await readdir(folder)).toEqual([]);
  await openFileStorage(folder, async () => false);
  await openFileStorage(folder, async () => true);
});

test('a folder that is unavailable has neither lost its files nor deleted them', async () => {
  const folder = freshFolder();
  const storage = await openFileStorage(folder);
  await storage.put('a/file', Readable.from([Buffer.from('bytes')]));
  await rename(folder, `${folder}.elsewhere`);
  await mkdir(folder);
  const list = async () => {
    for await (const { key } of storage.list('')) throw new Error(key);
  };
  const calls = [
    storage.get('a/file'),
    buffer(storage.pieces('a/file')),
    storage.head('a/file'),
    storage.delete('a/file'),
    storage.put('a/file', Readable.from([])),
    storage.deleteUnfinished(new Date()),
    list(),
  ];
  const errors = (await Promise.allSettled(calls)).map((end) =>
    end.status === 'rejected' ? String(end.reason) : 'no error',
  );
  expect(errors.filter((error) => !error.startsWith('StorageUnavailable'))).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(existsSync('/proc/self/mem'))(
  'a read that fails before its reader listens reports the error to that reader',
  async () => {
    const folder = freshFolder();
    const storage = await openFileStorage(folder);
    // reading its first byte fails with EIO, as from a bad sector
    await symlink('/proc/self/mem', join(folder, 'unreadable'));
    const stream = await storage.get('unreadable');
    const isClosed = new Promise((done) => {
      stream.once('close', done);
    });
    stream.read();
    await isClosed;
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'EIO' });
  },
);
