/** Migrations that databases already have stay as they are: their checksums are stored, and a portal refuses others. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../migrations');
/** The last migration that is protected; a new one is added here with the next one. */
const last = '0022-job-search.sql';

test('no migration was edited after databases had it', async () => {
  const names = (await readdir(folder)).toSorted().filter((name) => name <= last);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const hash = createHash('sha256').update(texts.join('\0').replaceAll('\r\n', '\n'));
  expect([names.length, hash.digest('hex')]).toEqual([
    22,
    'a679138a233b4b7ce6c1604b04c76054a0f2275d3bbd5f22a93d3fe27cd738df',
  ]);
});
