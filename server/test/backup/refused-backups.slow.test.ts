/** Every case in which a restore must refuse a backup, before it changes anything. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBackup } from '../../src/backup/backup.ts';
import { entryNames } from '../../src/backup/backup-format.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { checkTar, openArchive, readTar } from '../../src/backup/tar.ts';
import { CannotStart } from '../../src/config/cannot-start.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { finishReplacing, isReplacing } from '../../src/postgres/replaced-data.ts';
import { createOwnDatabase, type OwnDatabase } from '../fixtures/database/own-database.ts';
import { copyFolder } from '../fixtures/prepared-folder.ts';
import { createBackedUp, look } from './backed-up.ts';

let origin: Awaited<ReturnType<typeof createBackedUp>>;
/**
 * A database of a server, with tables that were never used: a restore into one takes a fraction of the time, and damages are
 * found in the same way.
 */
let database: OwnDatabase;
/** A data folder into which the backup was restored. Tests change copies of it. */
let restored: string;
beforeAll(async () => {
  origin = await createBackedUp();
  database = await createOwnDatabase();
  await migrate(database.url);
  const { dataDir, options } = origin.target();
  await restoreBackup(origin.whole, options);
  restored = dataDir;
});
afterAll(async () => {
  await database.drop();
  await origin.remove();
});

/** A copy of the restored data folder, and the options to restore into it. */
async function targetWithData() {
  const target = origin.target();
  await mkdir(target.dataDir);
  copyFolder(restored, target.dataDir);
  return target;
}

/** The tables of the server's database that have rows, and how many. */
function countRows() {
  return database.run(`
    select relname, query_to_xml(format('select count(*) from public.%I', relname), true, true, '')::text
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`);
}

/** A refusal with this message, after which not even a data folder exists. */
async function expectRefusal(path: string, words: RegExp): Promise<void> {
  const { dataDir, options } = origin.target();
  await expect(restoreBackup(path, options)).rejects.toThrow(words);
  expect(existsSync(dataDir)).toBe(false);
}

describe('a restore refuses', () => {
  test('a truncated backup, regardless of where it was cut', async () => {
    const { size } = await stat(origin.whole);
    for (const length of [0, 511, 512, 2048, size - 2048, size - 1024, size - 512, size - 1]) {
      const path = join(origin.folder, `cut-${length}.tar`);
      await copyFile(origin.whole, path);
      await truncate(path, length);
      await expectRefusal(path, /is not a complete backup/);
    }
  });

  // promise d3.care.restore-refuses
  test('a backup with any changed byte', async () => {
    const bytes = await readFile(origin.whole);
    const path = join(origin.folder, 'flipped.tar');
    // many of its bytes, and the complete checksum
    const places = [...bytes.keys()].filter((at) => at % 97 === 0 || at >= bytes.length - 2048);
    const file = await open(path, 'w+');
    await file.writeFile(bytes);
    const put = (at: number, byte: number) => file.write(Uint8Array.of(byte), 0, 1, at);
    for (const at of places) {
      const byte = bytes[at] ?? 0;
      await put(at, byte ^ 1);
      await expect(checkTar(file, path), `byte ${at}`).rejects.toThrow(/is not a complete backup/);
      await put(at, byte);
    }
    await checkTar(file, path);
    await put(700, (bytes[700] ?? 0) ^ 1);
    await file.close();
    await expectRefusal(path, /is not a complete backup/);
  });

  // promise d3.care.restore-refuses
  test('a file that is not a backup', async () => {
    await expectRefusal(import.meta.filename, /is not a complete backup/);
    await expectRefusal(join(origin.folder, 'nothing'), /Could not read/);
    const other = await origin.rewrite('other.tar', (entry) =>
      entry.name === entryNames.manifest ? undefined : entry,
    );
    await expectRefusal(other, /is not a Recodery backup/);
  });

  test('a backup with a different layout, from a newer version, and of a foreign database', async () => {
    const layout = await origin.withManifest('layout.tar', (manifest) => ({
      ...manifest,
      format: 2,
    }));
    await expectRefusal(layout, /not a backup that this version of Recodery can read/);
    const newer = await origin.withManifest('newer.tar', (manifest) => ({
      ...manifest,
      version: '9.0.0',
      migrations: [...manifest.migrations, { name: '9999-later.sql', checksum: 'x' }],
    }));
    await expectRefusal(newer, /was created by Recodery 9\.0\.0/);
    const changed = await origin.withManifest('changed.tar', (manifest) => ({
      ...manifest,
      migrations: manifest.migrations.map((migration) => ({ ...migration, checksum: 'x' })),
    }));
    await expectRefusal(changed, /Restore it with that version/);
  });

  test('a backup without a file, and leaves nothing behind', async () => {
    const path = await origin.rewrite('without-file.tar', (entry) =>
      entry.name === 'files/kept/1' ? undefined : entry,
    );
    const { dataDir, options } = origin.target();
    await expect(restoreBackup(path, options)).rejects.toThrow(/backup/);
    expect(await readdir(dataDir)).toEqual(['locks']);
  });

  /** The entry that the refusal names, or one of several, if it is not the one that was changed. */
  type Named = string | readonly string[];
  test.each<[string, string, (bytes: Buffer) => readonly [string, Buffer][], Named?]>([
    [
      'with an unknown table',
      'contents.json',
      (bytes) => [
        ['database/unknown/000001.ndjson.gz', gzipSync('{}\n')],
        ['contents.json', bytes],
      ],
      'database/unknown/000001.ndjson.gz',
    ],
    [
      'with a row of an unlisted table',
      'contents.json',
      (bytes) => [
        ['database/session/000001.ndjson.gz', gzipSync('{}\n')],
        ['contents.json', bytes],
      ],
      'database/session/000001.ndjson.gz',
    ],
    [
      'with more rows than listed',
      'database/wrapped_key/000001.ndjson.gz',
      (bytes) => [
        ['database/wrapped_key/000001.ndjson.gz', bytes],
        ['database/wrapped_key/000002.ndjson.gz', bytes],
      ],
      'database/wrapped_key/000002.ndjson.gz',
    ],
    // listed in the manifest: the refusal names none
    ['without the rows of a table', 'database/wrapped_key/000001.ndjson.gz', () => [], []],
    [
      'with invalid rows',
      'database/wrapped_key/000001.ndjson.gz',
      () => [['database/wrapped_key/000001.ndjson.gz', gzipSync('}{\n')]],
    ],
    [
      'with uncompressed rows',
      'database/wrapped_key/000001.ndjson.gz',
      () => [['database/wrapped_key/000001.ndjson.gz', Buffer.from('{}\n')]],
    ],
    [
      'with rows that decompress endlessly',
      'database/wrapped_key/000001.ndjson.gz',
      () => [['database/wrapped_key/000001.ndjson.gz', gzipSync(Buffer.alloc(2 ** 26 + 1, ' '))]],
    ],
    [
      'with a file outside of the files folder',
      'files/kept/1',
      (bytes) => [['files/../../kept', bytes]],
      'files/../../kept',
    ],
    [
      'with a file in place of a folder',
      'files/kept/1',
      (bytes) => [
        ['files/kept', bytes],
        ['files/kept/1', bytes],
      ],
      // stored at the same time: either of the two cannot be
      ['files/kept', 'files/kept/1'],
    ],
    [
      'with an entry of another kind',
      'files/kept/1',
      (bytes) => [['letters/1', bytes]],
      'letters/1',
    ],
    ['without its contents', 'contents.json', () => []],
    ['with invalid contents', 'contents.json', () => [['contents.json', Buffer.from('{')]]],
    ['with an invalid manifest', 'manifest.json', () => [['manifest.json', Buffer.from('{')]]],
  ])('a backup %s, and leaves nothing behind', async (how, name, put, named = name) => {
    const path = await origin.rewriteTo(`${how.replaceAll(' ', '-')}.tar`, (entry) =>
      entry.name === name ? put(entry.bytes) : [[entry.name, entry.bytes]],
    );
    const files = join(origin.folder, `files-of-${how.replaceAll(' ', '-')}`);
    const { options } = origin.target({
      RECODERY_DATABASE_URL: database.url,
      RECODERY_SECRET: 'the secret of the server',
      RECODERY_STORAGE_URL: pathToFileURL(files).href,
    });
    const before = await countRows();
    const refusal = await restoreBackup(path, options).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CannotStart);
    const problems = [named]
      .flat()
      .map((one) =>
        one === entryNames.manifest
          ? ' is not a backup that this version of Recodery can read.'
          : ` is not a Recodery backup: its "${one}" is missing or invalid.`,
      );
    const refusals =
      problems.length > 0
        ? problems.map((problem) => `${path}${problem}`)
        : [
            'The backup is incomplete: entries listed in its manifest are missing. Use another backup.',
          ];
    expect(refusals).toContain((refusal as CannotStart).message);
    expect(await countRows()).toEqual(before);
    const left = existsSync(files) ? await readdir(files) : [];
    expect(left.filter((name) => name !== '.aside')).toEqual([]);
  });

  test('an entry with a negative size', async () => {
    const path = join(origin.folder, 'below.tar');
    const bytes = await readFile(origin.whole);
    bytes.write('-0000001000\0', 124, 'ascii');
    bytes.fill(' ', 148, 156);
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
    const proved = bytes.subarray(0, -2048);
    const proof = `${createHash('sha256').update(proved).digest('hex')}\n`;
    bytes.write(proof, bytes.length - 1536, 'ascii');
    await writeFile(path, bytes);
    const file = await openArchive(path);
    await checkTar(file, path);
    const walk = async () => {
      let count = 0;
      // an endless loop if the size is trusted
      for await (const _ of readTar(file, path)) if ((count += 1) > 100) return 'goes on';
      return 'ends';
    };
    await expect(walk().finally(() => file.close())).rejects.toThrow(/is not a complete backup/);
  });

  test('a backup whose secret is missing; with the secret it is restored', async () => {
    const path = join(origin.folder, 'no-secret.tar');
    await writeBackup(origin.dependencies({ readSecret: async () => null }), path);
    const without = origin.target();
    await expect(restoreBackup(path, without.options)).rejects.toThrow(/Set RECODERY_SECRET/);
    expect(await readdir(without.dataDir)).toEqual(['locks']);
    const wrong = origin.target({
      RECODERY_SECRET: 'some other secret of ours',
      RECODERY_DATABASE_URL: database.url,
    });
    await expect(restoreBackup(path, wrong.options)).rejects.toThrow(/Set RECODERY_SECRET/);
    const right = origin.target({ RECODERY_SECRET: origin.secret });
    await restoreBackup(path, right.options);
    expect(existsSync(join(right.dataDir, 'secret'))).toBe(false);
    await look(right.config, async ({ secrets }) => {
      expect(await secrets.getKey('master:one', 1)).not.toBeNull();
    });
  });

  test('a data folder that is not empty, except with --replace', async () => {
    const empty = origin.target();
    await mkdir(join(empty.dataDir, 'files'), { recursive: true });
    await expect(restoreBackup(origin.whole, empty.options)).rejects.toThrow(
      /is not empty \(files\)/,
    );
    const { dataDir, config, options } = await targetWithData();
    const names = ['files', 'locks', 'postgres', 'postgres.json', 'secret'];
    expect((await readdir(dataDir)).toSorted()).toEqual(names);
    await writeFile(join(dataDir, 'files/precious'), 'of another installation');
    await mkdir(join(dataDir, 'demo'));
    // with a secret other than the backup's
    const mine = 'the secret of this machine';
    const other = { ...options, config: { ...config, secret: mine }, mayReplace: true };
    await restoreBackup(origin.whole, other);
    expect((await readdir(dataDir)).toSorted()).toEqual(names);
    expect(existsSync(join(dataDir, 'files/precious'))).toBe(false);
    await look({ ...config, secret: mine }, async ({ db, secrets }) => {
      expect(await secrets.getKey('master:one', 1)).not.toBeNull();
      const files = await db.selectFrom('stored_file').select('guid').execute();
      expect(files.map(({ guid }) => guid)).toContain(origin.fileGuid);
    });
  });
});

test('a restore that lost power while it replaced the data folder is finished by the next process', async () => {
  const { dataDir, config } = await targetWithData();
  // the state after the note was written and the first item was moved
  const next = join(dataDir, '.restore/next');
  await mkdir(next, { recursive: true });
  for (const name of ['postgres', 'files', 'secret']) {
    await rename(join(dataDir, name), join(next, name));
  }
  await mkdir(join(dataDir, 'files'));
  await writeFile(join(dataDir, 'files/old'), 'of what was there before');
  const names = ['postgres.json', 'postgres', 'files', 'secret'];
  await writeFile(join(dataDir, '.restore/ready'), JSON.stringify(names));
  expect(isReplacing(dataDir)).toBe(true);
  await look(config, async ({ store, secrets }) => {
    expect(String(await buffer(await store.get('kept/1')))).toBe('what a workshop must not lose');
    expect(await store.head('old')).toBeNull();
    expect(await secrets.getKey('master:one', 1)).not.toBeNull();
  });
  expect(existsSync(join(dataDir, '.restore'))).toBe(false);
  await expect(finishReplacing(dataDir)).rejects.toThrow('ENOENT');
});
