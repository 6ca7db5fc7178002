/** The contents of a backup, and every case in which a restore must refuse it before it changes anything. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPresented } from '../../src/receipts/check.ts';
import { openReceipt } from '../../src/receipts/issue.ts';
import { type BackupDependencies, writeBackup } from '../../src/backup/backup.ts';
import { entryNames, type Manifest } from '../../src/backup/backup-format.ts';
import { tables } from '../../src/postgres/tables/table-rules.ts';
import { restoreBackup, type RestoreOptions } from '../../src/backup/restore.ts';
import { sweep } from '../../src/upkeep/sweep.ts';
import { checkTar, createTar, openArchive, readTar } from '../../src/backup/tar.ts';
import { CannotStart } from '../../src/config/cannot-start.ts';
import { readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { silentLog } from '../../src/config/log.ts';
import { openPlatform } from '../../src/platform.ts';
import { finishReplacing, isReplacing } from '../../src/postgres/replaced-data.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { putOriginal } from '../../src/recoding/originals/originals.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace, type Workspace } from '../operations/workspace.ts';

let folder: string;
let platform: TestPlatform;
let storage: Storage;
let workspace: Workspace;
let whole: string;
let secret: string;
let fileGuid: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-backups-'));
  await chmod(folder, 0o755);
  platform = await createTestPlatform();
  storage = await openFileStorage(join(folder, 'store'));
  workspace = await createWorkspace(platform.db);
  await platform.secrets.createKey('master:one', Buffer.from('a key of a master device, 32 B.!'));
  secret = (await readFile(join(platform.config.dataDir, 'secret'), 'utf8')).trim();
  fileGuid = await keep('kept/1', 'what a workshop must not lose');
  await keepOriginal('H', 'originals/1');
  whole = join(folder, 'whole.tar');
  await writeBackup(dependencies(), whole);
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

async function* pieces(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Stores a file of the workspace's slot; returns its GUID. */
async function keep(storageKey: string, text: string): Promise<string> {
  const guid = newGuid();
  await insertStoredFiles(platform.db, [
    {
      ...(await storage.put(storageKey, pieces(text))),
      ...{ guid, storageKey, slotGuid: workspace.slotGuid, role: 'decoded', component: null },
      ...{ name: `${guid}.bin`, retentionDays: 30, organisationId: workspace.organisationId },
    },
  ]);
  return guid;
}

/** Stores an image in the library of originals. */
async function keepOriginal(hardware: string, storageKey: string): Promise<void> {
  await putOriginal(platform.db, {
    ...{ protocolId: 1002, hardware, software: 'S', name: 'o.bin', storageKey },
    ...(await storage.put(storageKey, pieces('an original'))),
  });
}

const dependencies = (other: Partial<BackupDependencies> = {}): BackupDependencies => ({
  db: platform.db,
  storage,
  clock: platform.clock,
  version: '0.1.0',
  readSecret: async () => secret,
  ...other,
});

let count = 0;
/** A data folder that does not exist yet, and the options to restore into it. */
function target(settings: Readonly<Record<string, string>> = {}) {
  count += 1;
  const dataDir = join(folder, `data-${count}`);
  const config = readConfig({ RECODERY_DATA_DIR: dataDir, ...settings });
  const options: RestoreOptions = { config, log: silentLog, mayReplace: false };
  return { dataDir, config, options };
}

/** Opens a data folder as a portal would. */
async function look<T>(
  config: ReturnType<typeof readConfig>,
  work: (opened: OpenedPlatform) => Promise<T>,
) {
  const open = await openPlatform(config, silentLog, { as: 'command' });
  try {
    const store = await openFileStorage(join(config.dataDir, 'files'));
    return await work({ ...open.platform, store });
  } finally {
    await open.close();
  }
}
type OpenedPlatform = Awaited<ReturnType<typeof openPlatform>>['platform'] & { store: Storage };

/** Writes the entries of the complete backup again, each as `change` returns it; undefined omits one. */
async function rewrite(
  name: string,
  change: (entry: { name: string; bytes: Buffer }) => { name: string; bytes: Buffer } | undefined,
): Promise<string> {
  return rewriteTo(name, (entry) => {
    const changed = change(entry);
    return changed === undefined ? [] : [[changed.name, changed.bytes]];
  });
}

/** Writes the entries of the complete backup again, with the names and bytes that `change` returns. */
async function rewriteTo(
  name: string,
  change: (entry: { name: string; bytes: Buffer }) => readonly (readonly [string, Buffer])[],
): Promise<string> {
  const path = join(folder, name);
  const [from, to] = [await openArchive(whole), await open(path, 'wx')];
  const tar = createTar(to, new Date());
  for await (const { name: entry, content } of readTar(from, whole)) {
    const bytes: Uint8Array[] = [];
    for await (const piece of content()) bytes.push(piece);
    for (const changed of change({ name: entry, bytes: Buffer.concat(bytes) })) {
      await tar.addBytes(...changed);
    }
  }
  await tar.end();
  await Promise.all([from.close(), to.close()]);
  return path;
}

const withManifest = (name: string, change: (manifest: Manifest) => unknown) =>
  rewrite(name, (entry) =>
    entry.name === entryNames.manifest
      ? { ...entry, bytes: Buffer.from(JSON.stringify(change(JSON.parse(String(entry.bytes))))) }
      : entry,
  );

/** A refusal with this message, after which not even a data folder exists. */
async function expectRefusal(path: string, words: RegExp): Promise<void> {
  const { dataDir, options } = target();
  await expect(restoreBackup(path, options)).rejects.toThrow(words);
  expect(existsSync(dataDir)).toBe(false);
}

describe('a backup', () => {
  // promise d3.care.backup
  test('restores every row, value for value, every file and every key', async () => {
    const { config, options } = target();
    const { guid } = workspace.operation();
    // values that careless code would damage: quotes, line ends, other scripts, bytes, fractions, microseconds, big
    // numbers
    await sql`
      insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, fraction,
        context_data, created_on)
      values (${guid}, ${workspace.organisationId}, 'kessv2', 'kessv2', 'KESSv2Decode', ${workspace.slotGuid},
        ${JSON.stringify({ text: 'a "quote"\n\\N 世界 🚗 \u2028', number: 9_007_199_254_740_991, deep: [1.1, null] })},
        0.1, ${'tab\there \\ '}, '2026-11-21T06:00:00.123456Z')`.execute(platform.db);
    const { secrets: keys, config: own } = platform;
    const deps = { secrets: keys, publicUrl: own.publicUrl, nameProtocol: () => null };
    const receipt = await openReceipt(deps);
    const issued = await receipt.issue(platform.db, {
      ...{ operationGuid: guid, organisationId: workspace.organisationId, family: 'kessv2' },
      ...{
        slotGuid: workspace.slotGuid,
        slaveSerialNumber: null,
        protocolId: null,
        readChecksums: null,
        sources: [],
        encodedOn: new Date(),
      },
      encodedFile: { guid, size: 1, sha256: 'a'.repeat(64) },
    });
    await issued.execute();
    const path = join(folder, 'values.tar');
    const written = await writeBackup(dependencies(), path);
    expect(written).toMatchObject({ files: 2, missing: [], damaged: [] });
    await restoreBackup(path, options);
    const read = async (db: TestPlatform['db']) => {
      const tables = Object.keys(written.rows);
      const all: Record<string, unknown> = {};
      for (const table of tables) {
        const { rows } = await sql<{ line: string }>`
          select line::text as line from ${sql.table(table)} as line`.execute(db);
        all[table] = rows.map(({ line }) => line).toSorted();
      }
      return all;
    };
    const before = await read(platform.db);
    expect(JSON.stringify(before)).toContain('.123456');
    await look(config, async ({ db, store, secrets }) => {
      const added = [expect.stringContaining('restore')];
      expect(await read(db)).toEqual({ ...before, audit_waiting: added });
      expect(String(await buffer(await store.get('kept/1')))).toBe('what a workshop must not lose');
      expect(String(await buffer(await store.get('originals/1')))).toBe('an original');
      const key = await secrets.getKey('master:one', 1);
      expect(String(Buffer.from(key ?? []))).toBe('a key of a master device, 32 B.!');
      const code = { code: receipt.code };
      expect(await checkPresented({ db, secrets }, code)).toMatchObject({ check: 'found' });
    });
    await sql`delete from receipt`.execute(platform.db);
    await platform.db.deleteFrom('operation').where('guid', '=', guid).execute();
  });

  test('is a tar file that other programs can unpack', async () => {
    const names: string[] = [];
    const file = await openArchive(whole);
    for await (const { name } of readTar(file, whole)) names.push(name);
    await file.close();
    const { stdout, status } = spawnSync('tar', ['tf', whole], { encoding: 'utf8' });
    expect([status, stdout.trim().split('\n')]).toEqual([0, [...names, 'SHA256']]);
    expect(names).toContain('files/kept/1');
  });

  test('contains no sessions, and no other table needs what it omits', async () => {
    const { rows } = await sql<{ from: string; to: string }>`
      select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
      from pg_constraint where contype = 'f'`.execute(platform.db);
    const omitted = Object.entries(tables).flatMap(([name, { isBackedUp }]) =>
      isBackedUp ? [] : [name],
    );
    const needed = rows.filter(({ from, to }) => omitted.includes(to) && !omitted.includes(from));
    expect(rows.length).toBeGreaterThan(10);
    expect(needed).toEqual([]);
    const sequences = await sql`select from pg_sequences`.execute(platform.db);
    // rows contain no counters: a sequence would start again from 1
    expect(sequences.rows).toEqual([]);
  });

  test('is a consistent snapshot: it omits later writes, and tolerates files that are deleted while it runs', async () => {
    const [gone, kept] = [await keep('gone/1', 'deleted meanwhile'), newGuid()];
    await keepOriginal('gone', 'originals/gone');
    const path = join(folder, 'moment.tar');
    let isDeleted = false;
    const slow: BackupDependencies['storage'] = {
      ...storage,
      head: async (key) => {
        if (!isDeleted) {
          isDeleted = true;
          await platform.db
            .updateTable('stored_file')
            .set({ deleted_on: sql<Date>`now()` })
            .where('guid', '=', gone)
            .execute();
          await platform.db.deleteFrom('original').where('hardware', '=', 'gone').execute();
          await storage.delete('gone/1');
          await storage.delete('originals/gone');
          await sql`insert into account (guid, email, display_name)
            values (${kept}, 'late@test', 'Late')`.execute(platform.db);
          // the sweep waits until the files that it would delete have been copied
          expect(await sweepNow()).toBeNull();
        }
        return storage.head(key);
      },
    };
    const sweepNow = () =>
      sweep({
        ...platform,
        storage,
        retentionDays: 30,
        retentionBounds: { least: 10, most: 3650 },
        auditDays: 400,
      });
    expect(await writeBackup(dependencies({ storage: slow }), path)).toMatchObject({
      files: 2,
      // originals are never swept: a missing one is always reported
      missing: ['originals/gone'],
    });
    expect(await sweepNow()).not.toBeNull();
    const { config, options } = target();
    await restoreBackup(path, options);
    await look(config, async ({ db }) => {
      const late = await db.selectFrom('account').select('guid').where('guid', '=', kept).execute();
      expect(late).toEqual([]);
      const file = await db
        .selectFrom('stored_file')
        .select(['deleted_on', 'swept_on'])
        .where('guid', '=', gone)
        .executeTakeFirst();
      // its bytes are missing: a row that exists would be a download that fails
      expect(file).toEqual({ deleted_on: expect.any(Date), swept_on: expect.any(Date) });
      const originals = await db.selectFrom('original').select('hardware').execute();
      expect(originals).toEqual([{ hardware: 'H' }]);
    });
    await platform.db.deleteFrom('account').where('guid', '=', kept).execute();
  });

  test('reports files that are missing or have changed since they were stored', async () => {
    const [lost, changed] = [await keep('lost/1', 'lost'), await keep('changed/1', 'as it was')];
    await storage.delete('lost/1');
    await storage.put('changed/1', pieces('as it is!'));
    const written = await writeBackup(dependencies(), join(folder, 'amiss.tar'));
    expect(written).toMatchObject({ missing: ['lost/1'], damaged: ['changed/1'] });
    for (const guid of [lost, changed]) {
      await platform.db.deleteFrom('stored_file').where('guid', '=', guid).execute();
    }
  });

  test.runIf(existsSync('/proc/self/mem'))('reports a file that cannot be read', async () => {
    const unreadable = await keep('unreadable/1', '');
    const path = join(folder, 'store/unreadable/1');
    await rm(path);
    // reading its first byte fails with EIO, as from a bad sector
    await symlink('/proc/self/mem', path);
    const written = await writeBackup(dependencies(), join(folder, 'unreadable.tar'));
    expect(written).toMatchObject({ missing: [], damaged: ['unreadable/1'] });
    await platform.db.deleteFrom('stored_file').where('guid', '=', unreadable).execute();
  });

  test('gets its final name only when it is complete', async () => {
    const path = join(folder, 'broken.tar');
    const breaking: BackupDependencies['storage'] = {
      ...storage,
      get: () => Promise.reject(new Error('the disk is gone')),
    };
    const isThere = () => [existsSync(path), existsSync(`${path}.part`)];
    const failing = writeBackup(dependencies({ storage: breaking }), path);
    await expect(failing).rejects.toThrow('the disk is gone');
    expect(isThere()).toEqual([false, false]);
    await writeFile(`${path}.part`, 'another one is at work');
    await expect(writeBackup(dependencies(), path)).rejects.toThrow(/\.part already exists/);
    expect(await readFile(`${path}.part`, 'utf8')).toBe('another one is at work');
    await expect(writeBackup(dependencies(), whole)).rejects.toThrow(/already exists/);
    const nowhere = join(folder, 'no-such-folder/x.tar');
    await expect(writeBackup(dependencies(), nowhere)).rejects.toThrow(/Could not write/);
  });
});

describe('a restore refuses', () => {
  test('a truncated backup, regardless of where it was cut', async () => {
    const { size } = await stat(whole);
    for (const length of [0, 511, 512, 2048, size - 2048, size - 1024, size - 512, size - 1]) {
      const path = join(folder, `cut-${length}.tar`);
      await copyFile(whole, path);
      await truncate(path, length);
      await expectRefusal(path, /is not a complete backup/);
    }
  });

  // promise d3.care.restore-refuses
  test('a backup with any changed byte', async () => {
    const bytes = await readFile(whole);
    const path = join(folder, 'flipped.tar');
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
    await expectRefusal(join(folder, 'nothing'), /Could not read/);
    const other = await rewrite('other.tar', (entry) =>
      entry.name === entryNames.manifest ? undefined : entry,
    );
    await expectRefusal(other, /is not a Recodery backup/);
  });

  test('a backup with a different layout, from a newer version, and of a foreign database', async () => {
    const layout = await withManifest('layout.tar', (manifest) => ({ ...manifest, format: 2 }));
    await expectRefusal(layout, /not a backup that this version of Recodery can read/);
    const newer = await withManifest('newer.tar', (manifest) => ({
      ...manifest,
      version: '9.0.0',
      migrations: [...manifest.migrations, { name: '9999-later.sql', checksum: 'x' }],
    }));
    await expectRefusal(newer, /was created by Recodery 9\.0\.0/);
    const changed = await withManifest('changed.tar', (manifest) => ({
      ...manifest,
      migrations: manifest.migrations.map((migration) => ({ ...migration, checksum: 'x' })),
    }));
    await expectRefusal(changed, /Restore it with that version/);
  });

  test.each(['files/kept/1', 'database/wrapped_key/000001.ndjson.gz'])(
    'a backup without %s, and leaves nothing behind',
    async (missing) => {
      const path = await rewrite(`without-${missing.replaceAll('/', '-')}.tar`, (entry) =>
        entry.name === missing ? undefined : entry,
      );
      const { dataDir, options } = target();
      await expect(restoreBackup(path, options)).rejects.toThrow(/backup/);
      expect(await readdir(dataDir)).toEqual(['locks']);
    },
  );

  test.each<[string, string, (bytes: Buffer) => readonly [string, Buffer][]]>([
    [
      'with an unknown table',
      'contents.json',
      (bytes) => [
        ['database/nobody/000001.ndjson.gz', gzipSync('{}\n')],
        ['contents.json', bytes],
      ],
    ],
    [
      'with a row of an unlisted table',
      'contents.json',
      (bytes) => [
        ['database/session/000001.ndjson.gz', gzipSync('{}\n')],
        ['contents.json', bytes],
      ],
    ],
    [
      'with more rows than listed',
      'database/wrapped_key/000001.ndjson.gz',
      (bytes) => [
        ['database/wrapped_key/000001.ndjson.gz', bytes],
        ['database/wrapped_key/000002.ndjson.gz', bytes],
      ],
    ],
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
    ],
    [
      'with a file in place of a folder',
      'files/kept/1',
      (bytes) => [
        ['files/kept', bytes],
        ['files/kept/1', bytes],
      ],
    ],
    ['with an entry of another kind', 'files/kept/1', (bytes) => [['letters/1', bytes]]],
    ['without its contents', 'contents.json', () => []],
    ['with invalid contents', 'contents.json', () => [['contents.json', Buffer.from('{')]]],
    ['with an invalid manifest', 'manifest.json', () => [['manifest.json', Buffer.from('{')]]],
  ])('a backup %s, and leaves nothing behind', async (how, name, put) => {
    const path = await rewriteTo(`${how.replaceAll(' ', '-')}.tar`, (entry) =>
      entry.name === name ? put(entry.bytes) : [[entry.name, entry.bytes]],
    );
    const { dataDir, options } = target();
    const refusal = await restoreBackup(path, options).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CannotStart);
    expect(String(refusal)).toContain(path);
    expect(
      (existsSync(dataDir) ? await readdir(dataDir) : []).filter((is) => is !== 'locks'),
    ).toEqual([]);
  });

  test('an entry with a negative size', async () => {
    const path = join(folder, 'below.tar');
    const bytes = await readFile(whole);
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
    const path = join(folder, 'no-secret.tar');
    await writeBackup(dependencies({ readSecret: async () => null }), path);
    const without = target();
    await expect(restoreBackup(path, without.options)).rejects.toThrow(/Set RECODERY_SECRET/);
    expect(await readdir(without.dataDir)).toEqual(['locks']);
    const wrong = target({ RECODERY_SECRET: 'some other secret of ours' });
    await expect(restoreBackup(path, wrong.options)).rejects.toThrow(/Set RECODERY_SECRET/);
    const right = target({ RECODERY_SECRET: secret });
    await restoreBackup(path, right.options);
    expect(existsSync(join(right.dataDir, 'secret'))).toBe(false);
    await look(right.config, async ({ secrets }) => {
      expect(await secrets.getKey('master:one', 1)).not.toBeNull();
    });
  });

  test('a data folder that is not empty, except with --replace', async () => {
    const { dataDir, config, options } = target();
    await mkdir(join(dataDir, 'files'), { recursive: true });
    await writeFile(join(dataDir, 'files/precious'), 'of another installation');
    await expect(restoreBackup(whole, options)).rejects.toThrow(/is not empty \(files\)/);
    await mkdir(join(dataDir, 'demo'));
    await restoreBackup(whole, { ...options, mayReplace: true });
    expect(existsSync(join(dataDir, 'files/precious'))).toBe(false);
    expect((await readdir(dataDir)).toSorted()).toEqual(
      ['files', 'locks', 'postgres', 'postgres.json', 'secret'].toSorted(),
    );
    // repeated over a complete one, and with a secret other than the backup's
    const mine = 'the secret of this machine';
    const other = { ...options, config: { ...config, secret: mine }, mayReplace: true };
    await restoreBackup(whole, other);
    await look({ ...config, secret: mine }, async ({ db, secrets }) => {
      expect(await secrets.getKey('master:one', 1)).not.toBeNull();
      const files = await db.selectFrom('stored_file').select('guid').execute();
      expect(files.map(({ guid }) => guid)).toContain(fileGuid);
    });
  });
});

test('a restore that lost power while it replaced the data folder is finished by the next process', async () => {
  const { dataDir, config, options } = target();
  await restoreBackup(whole, options);
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

/** Rows as versions before migration 0009 wrote them. */
const rowsBefore9: Readonly<Record<string, (row: object) => object>> = {
  organisation: (row) => ({
    ...row,
    families: undefined,
    may_kessv2: true,
    may_ktag: false,
    may_kess3: false,
  }),
  slot: (row) => ({ ...row, workflow: undefined, vin: undefined, is_utility: false }),
};

test('a backup of an older version is restored and migrated', async () => {
  const older = await rewrite('older.tar', (entry) => {
    if (entry.name === entryNames.manifest) {
      const manifest = JSON.parse(String(entry.bytes)) as Manifest;
      const migrations = manifest.migrations.filter(({ name }) => name < '0003');
      return { ...entry, bytes: Buffer.from(JSON.stringify({ ...manifest, migrations })) };
    }
    if (/^(database\/installation|(database|files)\/original)/.test(entry.name)) return undefined;
    const table = /^database\/(\w+)\//.exec(entry.name)?.[1];
    const asThen = table === undefined ? undefined : rowsBefore9[table];
    if (asThen !== undefined) {
      const lines = gunzipSync(entry.bytes).toString().trimEnd().split('\n');
      const rows = lines.map((line) => JSON.stringify(asThen(JSON.parse(line) as object)));
      return { ...entry, bytes: gzipSync(`${rows.join('\n')}\n`) };
    }
    if (entry.name === entryNames.contents) {
      const contents = JSON.parse(String(entry.bytes)) as { rows: Record<string, number> };
      const known = ['installation', 'original', 'organisation_preferences', 'operator_message'];
      const rows = Object.entries(contents.rows).filter(([table]) => !known.includes(table));
      const { length: bytes } = 'what a workshop must not lose';
      const changed = { ...contents, files: 1, bytes, rows: Object.fromEntries(rows) };
      return { ...entry, bytes: Buffer.from(JSON.stringify(changed)) };
    }
    return entry;
  });
  const { config, options } = target();
  await restoreBackup(older, options);
  await look(config, async ({ db }) => {
    const files = await db.selectFrom('stored_file').selectAll().execute();
    // a column that was added later has the value from its migration
    expect(files).toMatchObject([{ guid: fileGuid, swept_on: null }]);
    expect(await db.selectFrom('original').select('guid').execute()).toEqual([]);
    const families = await db.selectFrom('organisation').select('families').execute();
    expect(families).toContainEqual({ families: ['kessv2'] });
    expect(await db.selectFrom('slot').select('workflow').execute()).toContainEqual({
      workflow: 'kessv2',
    });
  });
});
