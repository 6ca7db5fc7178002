/** The store in a folder: the common suite, and what only a folder can get wrong. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeDiskShare, openFileStorage } from '../../src/platform/storage-files.ts';
import { describeStorage } from './storage-suite.ts';

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'recodery-files-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const freshFolder = () => join(root, String(count++));

describeStorage('a folder', () => openFileStorage(freshFolder()));

test('What a process left half written when it died is swept at the next start, fresh files are not', async () => {
  const folder = freshFolder();
  const aside = join(folder, '.aside');
  await mkdir(aside, { recursive: true });
  await writeFile(join(aside, 'dead'), 'half');
  await writeFile(join(aside, 'living'), 'half');
  const yesterday = new Date(Date.now() - 86_400_000);
  await utimes(join(aside, 'dead'), yesterday, yesterday);
  await openFileStorage(folder);
  expect(await readdir(aside)).toEqual(['living']);
});

test('A stream that breaks leaves nothing aside either', async () => {
  const folder = freshFolder();
  const storage = await openFileStorage(folder);
  const breaking = (async function* () {
    yield Buffer.from('half');
    throw new Error('the line broke');
  })();
  await expect(storage.put('a/b', breaking)).rejects.toThrow('the line broke');
  expect(await readdir(folder, { recursive: true })).toEqual(['.aside']);
});

test('Folders are cleared away with their last file', async () => {
  const folder = freshFolder();
  const storage = await openFileStorage(folder);
  await storage.fromFile('operation/1/decoded.bin', import.meta.filename);
  await storage.delete('operation/1/decoded.bin');
  expect(await readdir(folder)).toEqual(['.aside']);
});

test('The free share of the disk lies between nothing and all', async () => {
  const share = await freeDiskShare(root);
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThanOrEqual(1);
});
