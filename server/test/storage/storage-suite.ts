/** What every storage must do; each adapter runs these tests. */
import { randomBytes } from 'node:crypto';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestOptions } from 'vitest';
import { NothingStored, type Storage } from '../../src/storage/storage.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* pieces(...parts: Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* parts;
}

async function* breaking(): AsyncIterable<Uint8Array> {
  yield randomBytes(300_000);
  throw new Error('the line broke');
}

/** Runs the suite. `open` returns an empty storage on each call. */
export function describeStorage(
  name: string,
  open: () => Promise<Storage>,
  options: TestOptions = {},
): void {
  describe(`storage in ${name}`, options, () => {
    let storage: Storage;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'recodery-storage-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    beforeEach(async () => {
      storage = await open();
    });
    const keys = async (prefix = '') => {
      const found: string[] = [];
      for await (const { key } of storage.list(prefix)) found.push(key);
      return found.sort();
    };
    const read = async (key: string, range?: { start: number; end: number }) =>
      buffer(await storage.get(key, range));

    test('returns what was stored, with its size and SHA-256', async () => {
      const parts = [randomBytes(70_000), randomBytes(1), randomBytes(200_000)];
      const whole = Buffer.concat(parts);
      const written = await storage.put('a/b/c.bin', pieces(...parts));
      expect(written).toEqual({ size: whole.length, sha256: sha256(whole) });
      expect((await read('a/b/c.bin')).equals(whole)).toBe(true);
      expect((await storage.head('a/b/c.bin'))?.size).toBe(whole.length);
    });

    test('stores an empty object', async () => {
      expect((await storage.put('empty', pieces())).size).toBe(0);
      expect((await read('empty')).length).toBe(0);
    });

    test.each([
      [0, 0],
      [10, 19],
      [99_990, 99_999],
    ])('returns the range from %i to %i, both inclusive', async (start, end) => {
      const whole = randomBytes(100_000);
      await storage.put('range', pieces(whole));
      expect((await read('range', { start, end })).equals(whole.subarray(start, end + 1))).toBe(
        true,
      );
    });

    test('returns the first bytes, and all of an object that has fewer', async () => {
      const whole = randomBytes(1000);
      await storage.put('start', pieces(whole));
      expect(Buffer.from(await storage.start('start', 10)).equals(whole.subarray(0, 10))).toBe(
        true,
      );
      expect(Buffer.from(await storage.start('start', 2000)).equals(whole)).toBe(true);
      await expect(storage.start('missing', 10)).rejects.toThrow(NothingStored);
    });

    test('replaces what was stored under the key', async () => {
      await storage.put('k', pieces(Buffer.from('a longer first')));
      await storage.put('k', pieces(Buffer.from('second')));
      expect((await read('k')).toString()).toBe('second');
    });

    test('stores nothing if the stream breaks, and keeps what was stored before', async () => {
      await expect(storage.put('new', breaking())).rejects.toThrow('the line broke');
      expect(await storage.head('new')).toBeNull();
      await storage.put('old', pieces(Buffer.from('stays')));
      await expect(storage.put('old', breaking())).rejects.toThrow('the line broke');
      expect((await read('old')).toString()).toBe('stays');
      expect(await keys()).toEqual(['old']);
    });

    test('reports that nothing is stored under an unknown key', async () => {
      expect(await storage.head('no/such')).toBeNull();
      await expect(storage.get('no/such')).rejects.toThrow(NothingStored);
      await expect(buffer(storage.pieces('no/such'))).rejects.toThrow(NothingStored);
    });

    test('reads an object piece by piece', async () => {
      const bytes = randomBytes(1_500_000);
      await storage.put('p', pieces(bytes));
      const copies: Buffer[] = [];
      // all pieces can share the same memory
      for await (const piece of storage.pieces('p')) copies.push(Buffer.from(piece));
      expect(Buffer.concat(copies).equals(bytes)).toBe(true);
    });

    test('deletes, and succeeds if there is nothing to delete', async () => {
      await storage.put('x/1', pieces(Buffer.from('1')));
      await storage.put('x/2', pieces(Buffer.from('2')));
      await storage.delete('x/1');
      await storage.delete('x/1');
      // the folder of another key
      await storage.delete('x');
      expect(await keys()).toEqual(['x/2']);
    });

    test('lists the keys under a prefix, with or without a trailing slash', async () => {
      for (const key of ['one/1/a', 'one/2', 'one-two', 'two/1']) {
        await storage.put(key, pieces(Buffer.from(key)));
      }
      expect(await keys('one/')).toEqual(['one/1/a', 'one/2']);
      expect(await keys('one')).toEqual(['one-two', 'one/1/a', 'one/2']);
      expect(await keys('none/')).toEqual([]);
    });

    test('stores many files in one folder concurrently and deletes them again', async () => {
      const names = Array.from({ length: 16 }, (_, index) => `many/${index % 4}/${index}`);
      await Promise.all(names.map((key) => storage.put(key, pieces(Buffer.from(key)))));
      await Promise.all(
        names.map(async (key, index) => {
          if (index % 2 === 0) await storage.delete(key);
          else await storage.put(`${key}-again`, pieces(Buffer.from(key)));
        }),
      );
      expect((await keys('many/')).length).toBe(16);
    });

    test('copies from a file', async () => {
      const bytes = randomBytes(500_000);
      const from = join(folder, 'from.bin');
      await writeFile(from, bytes);
      expect((await storage.fromFile('f', from)).sha256).toBe(sha256(bytes));
      expect((await read('f')).equals(bytes)).toBe(true);
      expect((await readFile(from)).equals(bytes)).toBe(true);
    });

    test.each([
      '',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/../../b',
      'a/./b',
      '.aside/x',
      'a\\b',
      'a\0b',
      'ä',
      `${'a'.repeat(200)}`,
    ])('refuses the key %j', async (key) => {
      await expect(storage.put(key, pieces(Buffer.from('x')))).rejects.toThrow('not a storage key');
      await expect(storage.get(key)).rejects.toThrow('not a storage key');
      await expect(buffer(storage.pieces(key))).rejects.toThrow('not a storage key');
      await expect(storage.delete(key)).rejects.toThrow('not a storage key');
    });
  });
}
