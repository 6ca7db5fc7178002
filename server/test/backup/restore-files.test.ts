/** The storage that a restore fills: what is left in it after attempts that fail. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Archive } from '../../src/backup/archive.ts';
import { openSharedTarget } from '../../src/backup/restore-files.ts';
import { checkTar, createTar, openArchive, readTar } from '../../src/backup/tar.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import type { Storage } from '../../src/storage/storage.ts';

let folder: string;
let archive: Archive;
let storage: Storage;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-restore-'));
  const path = join(folder, 'backup.tar');
  const written = await open(path, 'wx');
  const tar = createTar(written, new Date());
  for (const name of ['one', 'two']) await tar.addBytes(`files/${name}`, Buffer.from(name));
  await tar.end();
  await written.close();
  const file = await openArchive(path);
  const manifest: Archive['manifest'] = {
    format: 1,
    version: '0.9.0',
    takenOn: new Date().toISOString(),
    migrations: [],
  };
  archive = { file, path, sha256: await checkTar(file, path), manifest };
});
afterAll(async () => {
  await archive.file.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  count += 1;
  storage = await openFileStorage(join(folder, `files-${count}`));
});

const write = async () => {
  const target = await openSharedTarget(storage, archive);
  await target.write(readTar(archive.file, archive.path));
  return target;
};
const listAll = async () => {
  const keys: string[] = [];
  for await (const { key } of storage.list('')) keys.push(key);
  return keys.toSorted();
};

test('a first restore that fails leaves nothing behind', async () => {
  const target = await write();
  await target.undo();
  expect(await listAll()).toEqual([]);
});

test('a repeated restore that fails keeps the files of the previous one, which may be in use, and can be repeated', async () => {
  // its rows are stored, but it could not delete its marker
  await write();
  const all = await listAll();
  const repeated = await write();
  await repeated.undo();
  expect(await listAll()).toEqual(all);
  expect(await text(await storage.get('one'))).toBe('one');
  await (await write()).complete();
  expect(await listAll()).toEqual(['one', 'two']);
});
