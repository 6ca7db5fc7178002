/** Two files that are read side by side are both closed, whatever happens to one of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPairs } from '../../src/comparison/paired-bytes.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import { type RecordedFile, verifyReads } from '../../src/storage/verified-storage.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-pairs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['first', 0],
  ['second', 1],
])('closes the other file if the %s one is missing', async (_which, missing) => {
  const store = await openFileStorage(folder);
  const opened: Readable[] = [];
  const storage = verifyReads({
    ...store,
    async get(...question) {
      const stream = await store.get(...question);
      opened.push(stream);
      return stream;
    },
  });
  const files: RecordedFile[] = [];
  for (const storageKey of ['one', 'other']) {
    const written = await store.put(storageKey, Readable.from([Buffer.alloc(3 * 2 ** 20)]));
    files.push({ storageKey, ...written });
  }
  const [one, other] = files;
  if (one === undefined || other === undefined) throw new Error('two files were stored');
  await store.delete(missing === 0 ? 'one' : 'other');
  await expect(readPairs(storage, one, other).next()).rejects.toMatchObject({ damage: 'missing' });
  // the stream is closed in the next tick
  await setImmediate();
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});
