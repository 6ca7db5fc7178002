/**
 * Backups that move an installation: between the embedded PostgreSQL and a server, and between a folder and an object
 * store. Everything arrives, or nothing changes.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { quickStart } from '../fixtures/recodery-process.ts';
import { writeBackup } from '../../src/backup/backup.ts';
import { openArchive, readTar } from '../../src/backup/tar.ts';
import { restoreBackup, type RestoreOptions } from '../../src/backup/restore.ts';
import { readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { openPlatform, type Platform } from '../../src/platform.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { createOwnDatabase, type OwnDatabase } from '../fixtures/database/own-database.ts';
import { hasSwift, isS3Required, startSwift, type Swift } from '../fixtures/services/swift.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace } from '../operations/workspace.ts';

const ownSecret = 'the secret of the server';

let folder: string;
let platform: TestPlatform;
let storage: Storage;
let whole: string;
const databases: OwnDatabase[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-move-'));
  await chmod(folder, 0o755);
  platform = await createTestPlatform();
  storage = (await openStorage(platform.config)).unverified;
  const workspace = await createWorkspace(platform.db);
  await platform.secrets.createKey('master:one', Buffer.from('a key of a master device, 32 B.!'));
  for (let count = 0; count < 20; count += 1) {
    const [guid, storageKey] = [newGuid(), `${newGuid()}/1/image`];
    const bytes = Buffer.alloc(count * 40_000, `image ${count}`);
    await insertStoredFiles(platform.db, [
      {
        ...(await storage.put(storageKey, Readable.from(count === 0 ? [] : [bytes]))),
        ...{ guid, storageKey, slotGuid: workspace.slotGuid, role: 'decoded', component: null },
        ...{ name: `${guid}.bin`, retentionDays: 30, organisationId: workspace.organisationId },
      },
    ]);
  }
  whole = join(folder, 'whole.tar');
  await backUp(platform, whole);
});
afterAll(async () => {
  await platform.stop();
  await Promise.all(databases.map((database) => database.drop()));
  await rm(folder, { recursive: true, force: true });
});

/** As the command does: the secret is in the backup if Recodery generated it. */
async function backUp({ db, clock, config, secretSource }: Platform, path: string) {
  const [secret = null] = config.secret === null ? await secretSource.read() : [];
  const opened = await openStorage(config);
  return writeBackup(
    { db, clock, readSecret: async () => secret, storage: opened.unverified, version: '0.1.0' },
    path,
  );
}

async function createDatabase(options?: string): Promise<OwnDatabase> {
  const database = await createOwnDatabase(options);
  databases.push(database);
  return database;
}

let count = 0;
/** A new data folder, and the options to restore with these settings. */
function target(settings: Readonly<Record<string, string>>) {
  count += 1;
  const dataDir = join(folder, `data-${count}`);
  const config = readConfig({ RECODERY_DATA_DIR: dataDir, ...settings });
  const options: RestoreOptions = { config, log: silentLog, mayReplace: false };
  return { dataDir, config, options };
}

/** The settings of a server with its files in a new folder. */
function serverSettings({ url }: OwnDatabase) {
  count += 1;
  const files = join(folder, `files-${count}`);
  const settings = {
    RECODERY_DATABASE_URL: url,
    RECODERY_SECRET: ownSecret,
    RECODERY_STORAGE_URL: pathToFileURL(files).href,
  };
  return { files, settings };
}

async function readRows(trx: Platform['db']) {
  // whatever the server's is
  await sql`set local time zone 'UTC'`.execute(trx);
  const { rows: names } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema
    order by name`.execute(trx);
  const rows: Record<string, readonly string[]> = {};
  for (const { name } of names) {
    // where these rows differ, the installations must differ
    if (['audit_waiting', 'migration', 'wrapped_key'].includes(name)) continue;
    const found = await sql<{ line: string }>`
      select row_to_json(line)::text as line from ${sql.table(name)} as line`.execute(trx);
    rows[name] = found.rows.map(({ line }) => line).toSorted();
  }
  return rows;
}

/** What an installation consists of: all rows, and the hash of every file. */
async function readAll(db: Platform['db'], files: Storage) {
  const rows = await db.transaction().execute(readRows);
  const hashes: Record<string, string> = {};
  for await (const { key } of files.list('')) {
    const hash = createHash('sha256');
    for await (const piece of await files.get(key)) hash.update(piece);
    hashes[key] = hash.digest('hex');
  }
  return { rows, hashes };
}

/** Opens an installation as a portal would. */
async function look<T>(
  config: Platform['config'],
  work: (opened: Platform, files: Storage) => Promise<T>,
): Promise<T> {
  const open = await openPlatform(config, silentLog, { as: 'command' });
  try {
    const opened = await openStorage(config);
    return await work(open.platform, opened.unverified);
  } finally {
    await open.close();
  }
}

/** Restores, compares everything with the source, and writes a backup of the result. */
async function expectMove(from: string, settings: Readonly<Record<string, string>>, name: string) {
  const { config, options } = target(settings);
  expect(await restoreBackup(from, options)).toMatchObject({ files: 20, damaged: [], missing: [] });
  const to = join(folder, name);
  await look(config, async (opened, files) => {
    expect(await readAll(opened.db, files)).toEqual(await readAll(platform.db, storage));
    const key = await opened.secrets.getKey('master:one', 1);
    expect(String(Buffer.from(key ?? []))).toBe('a key of a master device, 32 B.!');
    expect(await backUp(opened, to)).toMatchObject({ files: 20, damaged: [], missing: [] });
  });
  return to;
}

const secret = { RECODERY_SECRET: ownSecret };

describe.skipIf(!hasSwift && !isS3Required)('with OpenStack Swift', () => {
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
    vi.stubEnv('AWS_ACCESS_KEY_ID', swift.credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', swift.credentials.secretAccessKey);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await swift.stop();
  });

  const bucket = async () => `s3://${await swift.createBucket()}/shop?endpoint=${swift.endpoint}`;

  /** The backup of a server with an object store, to which everything was moved once. */
  let moved: Promise<string> | null = null;
  const moveToServer = async (): Promise<string> => {
    const { settings } = serverSettings(await createDatabase());
    const s3 = { RECODERY_STORAGE_URL: await bucket() };
    return expectMove(whole, { ...settings, ...s3 }, 'server-s3.tar');
  };
  const getMoved = () => (moved ??= moveToServer());

  // in each run, the folder of a server; `storage/s3.slow.test.ts` proves that an object store does what a folder does
  it('moves to a server and an object store and back, with every row, file and key', {
    tags: 'release',
  }, async () => {
    await expectMove(await getMoved(), secret, 'embedded-folder.tar');
  });

  it('moves only the database, and only the files', { tags: 'release' }, async () => {
    const mixed = { ...secret, RECODERY_STORAGE_URL: await bucket() };
    const embedded = await expectMove(await getMoved(), mixed, 'embedded-s3.tar');
    const other = serverSettings(await createDatabase());
    await expectMove(embedded, other.settings, 'server-folder.tar');
  });
});

describe('a restore into a server', () => {
  /** A database with tables that were never used. */
  let unused: OwnDatabase;
  beforeAll(async () => {
    unused = await createDatabase();
    await migrate(unused.url);
  });

  // promise d3.care.move
  it('accepts a database that was migrated and never used, and is moved back', async () => {
    const database = await createDatabase();
    const { settings } = serverSettings(database);
    await look(target(settings).config, async () => undefined);
    const moved = await expectMove(whole, settings, 'migrated.tar');
    await expectMove(moved, secret, 'back.tar');
  });

  // in each run, `refused-backups.slow.test.ts` refuses it, also into a server
  it('needs the secret of the original installation if the backup does not contain it', {
    tags: 'release',
  }, async () => {
    const { db, clock } = platform;
    const path = join(folder, 'no-secret.tar');
    await writeBackup({ db, clock, readSecret: async () => null, storage, version: '0.1.0' }, path);
    const database = await createDatabase();
    const { settings, files } = serverSettings(database);
    await expectRefusal(path, settings, /Set RECODERY_SECRET/);
    expect(await listAll(files)).toEqual([]);
    const [secret = ''] = await platform.secretSource.read();
    await expectMove(path, { ...settings, RECODERY_SECRET: secret }, 'with-secret.tar');
  });

  const listAll = async (path: string) =>
    existsSync(path)
      ? (await readdir(path, { recursive: true })).filter((name) => name !== '.aside')
      : [];

  const listTables = async (database: OwnDatabase) =>
    (await database.run(`select relname from pg_class where relnamespace = 'public'::regnamespace`))
      .map(({ relname }) => String(relname))
      .toSorted();

  async function expectRefusal(
    path: string,
    settings: Readonly<Record<string, string>>,
    words: RegExp,
  ): Promise<void> {
    await expect(restoreBackup(path, target(settings).options)).rejects.toThrow(words);
  }

  /** What makes a database unusable, and what undoes it. */
  it.each<[string, string, string, RegExp]>([
    [
      'with an organisation',
      `insert into organisation (guid, customer_code, name) values (gen_random_uuid(), 'CC', 'N')`,
      'delete from organisation',
      /is not empty: it has rows in organisation\. Create a new database/,
    ],
    [
      'with an entry of the audit trail',
      `insert into audit_waiting (guid, entry) values (gen_random_uuid(), '{}')`,
      'delete from audit_waiting',
      /is not empty: it has rows in audit_waiting/,
    ],
    [
      'with a table of another program',
      'create table invoice (id integer)',
      'drop table invoice',
      /\(invoice\)/,
    ],
    [
      'of a newer version',
      `insert into migration (name, checksum) values ('9999-later.sql', 'x')`,
      `delete from migration where name = '9999-later.sql'`,
      /newer version of Recodery/,
    ],
  ])('refuses a database %s, and changes nothing in it', async (_, statement, undo, words) => {
    const { settings, files } = serverSettings(unused);
    await unused.run(statement);
    const before = await listTables(unused);
    await expectRefusal(whole, settings, words);
    expect([await listTables(unused), await listAll(files)]).toEqual([before, []]);
    await unused.run(undo);
  });

  it('refuses a database that a portal is using', async () => {
    const { settings } = serverSettings(unused);
    await look(target(settings).config, async () => {
      await expectRefusal(whole, settings, /A portal, a worker or another command is using/);
    });
  });

  it('refuses a database in which its user cannot create tables, or with another encoding', async () => {
    const closed = await createDatabase();
    await closed.run('alter database ' + new URL(closed.url).username + ' owner to recodery');
    await expectRefusal(whole, serverSettings(closed).settings, /cannot create tables/);
    const narrow = await createDatabase(`encoding 'SQL_ASCII' locale_provider libc locale 'C'`);
    await expectRefusal(whole, serverSettings(narrow).settings, /has the encoding SQL_ASCII/);
    expect([await listTables(closed), await listTables(narrow)]).toEqual([[], []]);
  });

  it('refuses a storage that contains files, even those of the backup', async () => {
    const database = await createDatabase();
    const { settings, files } = serverSettings(database);
    await mkdir(files);
    await writeFile(join(files, 'precious'), 'of another installation');
    await expectRefusal(whole, settings, /is not empty \(it contains precious\)/);
    const { storageUrl } = platform.config;
    const sources = await listAll(new URL(storageUrl).pathname);
    await expectRefusal(whole, { ...settings, RECODERY_STORAGE_URL: storageUrl }, /is not empty/);
    expect(await listAll(files)).toEqual(['precious']);
    expect(await listAll(new URL(storageUrl).pathname)).toEqual(sources);
    expect(await listTables(database)).toEqual([]);
  });

  // promise d3.care.restore-whole
  it('leaves nothing behind when it fails, and can be repeated after it was killed', async () => {
    const database = await createDatabase();
    const { settings, files } = serverSettings(database);
    const { dataDir } = target(settings);
    const file = await openArchive(whole);
    let entries = 0;
    for await (const _ of readTar(file, whole)) entries += 1;
    await file.close();
    /** Exit code or signal, and stderr, of a restore that is interrupted at an entry. */
    const interrupt = async (step: string, entry: number, how: string) => {
      const script = join(import.meta.dirname, 'interrupted-restore.ts');
      const child = spawn(process.execPath, [script, whole, step, String(entry), how], {
        env: { ...quickStart, PATH: '/usr/bin:/bin', RECODERY_DATA_DIR: dataDir, ...settings },
      });
      let complaint = '';
      child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      return { ended: code ?? signal, complaint };
    };
    const [inRows, inFiles] = ['Restoring the database', 'Restoring the files'];
    const { ended, complaint } = await interrupt(inFiles, entries - 2, database.adminUrl);
    expect([ended, complaint]).toEqual([1, expect.stringContaining('The database is unavailable')]);
    expect([await listTables(database), await listAll(files)]).toEqual([[], []]);

    expect((await interrupt(inRows, 5, 'kill')).ended).toBe('SIGKILL');
    expect(await listAll(files)).toEqual([]);
    expect((await interrupt(inFiles, entries - 2, 'kill')).ended).toBe('SIGKILL');
    expect((await listAll(files)).length).toBeGreaterThan(10);
    // its connection ends a moment later
    await expect.poll(() => listTables(database)).toEqual([]);
    const other = join(folder, 'other.tar');
    await backUp(platform, other);
    await expectRefusal(other, settings, /is not empty/);
    await expect.poll(() => listTables(database)).toEqual([]);
    await expectMove(whole, settings, 'repeated.tar');
  });
});
