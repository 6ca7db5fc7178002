/** The contents of a backup: every row and every file, also while they change. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
import { restoreBackup } from '../../src/backup/restore.ts';
import { sweep } from '../../src/upkeep/sweep.ts';
import { openArchive, readTar } from '../../src/backup/tar.ts';
import { newGuid } from '../../src/config/guids.ts';
import { type TestPlatform } from '../fixtures/test-platform.ts';
import { createBackedUp, look, pieces } from './backed-up.ts';

let origin: Awaited<ReturnType<typeof createBackedUp>>;
beforeAll(async () => {
  origin = await createBackedUp();
});
afterAll(() => origin.remove());

describe('a backup', () => {
  // promise d3.care.backup
  test('restores every row, value for value, every file and every key', async () => {
    const { config, options } = origin.target();
    const { guid } = origin.workspace.operation();
    // values that careless code would damage: quotes, line ends, other scripts, bytes, fractions, microseconds, big
    // numbers
    await sql`
      insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, fraction,
        context_data, created_on)
      values (${guid}, ${origin.workspace.organisationId}, 'kessv2', 'kessv2', 'KESSv2Decode', ${origin.workspace.slotGuid},
        ${JSON.stringify({ text: 'a "quote"\n\\N 世界 🚗 \u2028', number: 9_007_199_254_740_991, deep: [1.1, null] })},
        0.1, ${'tab\there \\ '}, '2026-11-21T06:00:00.123456Z')`.execute(origin.platform.db);
    const { secrets: keys, config: own } = origin.platform;
    const deps = { secrets: keys, publicUrl: own.publicUrl, nameProtocol: () => null };
    const receipt = await openReceipt(deps);
    const issued = await receipt.issue(origin.platform.db, {
      ...{ operationGuid: guid, organisationId: origin.workspace.organisationId, family: 'kessv2' },
      ...{
        slotGuid: origin.workspace.slotGuid,
        slaveSerialNumber: null,
        protocolId: null,
        readChecksums: null,
        sources: [],
        encodedOn: new Date(),
      },
      encodedFile: { guid, size: 1, sha256: 'a'.repeat(64) },
    });
    await issued.execute();
    const path = join(origin.folder, 'values.tar');
    const written = await writeBackup(origin.dependencies(), path);
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
    const before = await read(origin.platform.db);
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
    await sql`delete from receipt`.execute(origin.platform.db);
    await origin.platform.db.deleteFrom('operation').where('guid', '=', guid).execute();
  });

  test('is a tar file that other programs can unpack', async () => {
    const names: string[] = [];
    const file = await openArchive(origin.whole);
    for await (const { name } of readTar(file, origin.whole)) names.push(name);
    await file.close();
    const { stdout, status } = spawnSync('tar', ['tf', origin.whole], { encoding: 'utf8' });
    expect([status, stdout.trim().split('\n')]).toEqual([0, [...names, 'SHA256']]);
    expect(names).toContain('files/kept/1');
  });

  test('contains no sessions, and no other table needs what it omits', async () => {
    const { rows } = await sql<{ from: string; to: string }>`
      select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
      from pg_constraint where contype = 'f'`.execute(origin.platform.db);
    const omitted = Object.entries(tables).flatMap(([name, { isBackedUp }]) =>
      isBackedUp ? [] : [name],
    );
    const needed = rows.filter(({ from, to }) => omitted.includes(to) && !omitted.includes(from));
    expect(rows.length).toBeGreaterThan(10);
    expect(needed).toEqual([]);
    const sequences = await sql`select from pg_sequences`.execute(origin.platform.db);
    // rows contain no counters: a sequence would start again from 1
    expect(sequences.rows).toEqual([]);
  });

  test('is a consistent snapshot: it omits later writes, and tolerates files that are deleted while it runs', async () => {
    const [gone, kept] = [await origin.keep('gone/1', 'deleted meanwhile'), newGuid()];
    await origin.keepOriginal('gone', 'originals/gone');
    const path = join(origin.folder, 'moment.tar');
    let isDeleted = false;
    const slow: BackupDependencies['storage'] = {
      ...origin.storage,
      head: async (key) => {
        if (!isDeleted) {
          isDeleted = true;
          await origin.platform.db
            .updateTable('stored_file')
            .set({ deleted_on: sql<Date>`now()` })
            .where('guid', '=', gone)
            .execute();
          await origin.platform.db.deleteFrom('original').where('hardware', '=', 'gone').execute();
          await origin.storage.delete('gone/1');
          await origin.storage.delete('originals/gone');
          await sql`insert into account (guid, email, display_name)
            values (${kept}, 'late@test', 'Late')`.execute(origin.platform.db);
          // the sweep waits until the files that it would delete have been copied
          expect(await sweepNow()).toBeNull();
        }
        return origin.storage.head(key);
      },
    };
    const sweepNow = () =>
      sweep({
        ...origin.platform,
        storage: origin.storage,
        retentionDays: 30,
        retentionBounds: { least: 10, most: 3650 },
        auditDays: 400,
      });
    expect(await writeBackup(origin.dependencies({ storage: slow }), path)).toMatchObject({
      files: 2,
      // originals are never swept: a missing one is always reported
      missing: ['originals/gone'],
    });
    expect(await sweepNow()).not.toBeNull();
    const { config, options } = origin.target();
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
    await origin.platform.db.deleteFrom('account').where('guid', '=', kept).execute();
  });

  test('reports files that are missing or have changed since they were stored', async () => {
    const [lost, changed] = [
      await origin.keep('lost/1', 'lost'),
      await origin.keep('changed/1', 'as it was'),
    ];
    await origin.storage.delete('lost/1');
    await origin.storage.put('changed/1', pieces('as it is!'));
    const written = await writeBackup(origin.dependencies(), join(origin.folder, 'amiss.tar'));
    expect(written).toMatchObject({ missing: ['lost/1'], damaged: ['changed/1'] });
    for (const guid of [lost, changed]) {
      await origin.platform.db.deleteFrom('stored_file').where('guid', '=', guid).execute();
    }
  });

  test.runIf(existsSync('/proc/self/mem'))('reports a file that cannot be read', async () => {
    const unreadable = await origin.keep('unreadable/1', '');
    const path = join(origin.folder, 'store/unreadable/1');
    await rm(path);
    // reading its first byte fails with EIO, as from a bad sector
    await symlink('/proc/self/mem', path);
    const written = await writeBackup(origin.dependencies(), join(origin.folder, 'unreadable.tar'));
    expect(written).toMatchObject({ missing: [], damaged: ['unreadable/1'] });
    await origin.platform.db.deleteFrom('stored_file').where('guid', '=', unreadable).execute();
  });

  test('gets its final name only when it is complete', async () => {
    const path = join(origin.folder, 'broken.tar');
    const breaking: BackupDependencies['storage'] = {
      ...origin.storage,
      get: () => Promise.reject(new Error('the disk is gone')),
    };
    const isThere = () => [existsSync(path), existsSync(`${path}.part`)];
    const failing = writeBackup(origin.dependencies({ storage: breaking }), path);
    await expect(failing).rejects.toThrow('the disk is gone');
    expect(isThere()).toEqual([false, false]);
    await writeFile(`${path}.part`, 'another one is at work');
    await expect(writeBackup(origin.dependencies(), path)).rejects.toThrow(/\.part already exists/);
    expect(await readFile(`${path}.part`, 'utf8')).toBe('another one is at work');
    await expect(writeBackup(origin.dependencies(), origin.whole)).rejects.toThrow(
      /already exists/,
    );
    const nowhere = join(origin.folder, 'no-such-folder/x.tar');
    await expect(writeBackup(origin.dependencies(), nowhere)).rejects.toThrow(/Could not write/);
  });
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
  const older = await origin.rewrite('older.tar', (entry) => {
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
  const { config, options } = origin.target();
  await restoreBackup(older, options);
  await look(config, async ({ db }) => {
    const files = await db.selectFrom('stored_file').selectAll().execute();
    // a column that was added later has the value from its migration
    expect(files).toMatchObject([{ guid: origin.fileGuid, swept_on: null }]);
    expect(await db.selectFrom('original').select('guid').execute()).toEqual([]);
    const families = await db.selectFrom('organisation').select('families').execute();
    expect(families).toContainEqual({ families: ['kessv2'] });
    expect(await db.selectFrom('slot').select('workflow').execute()).toContainEqual({
      workflow: 'kessv2',
    });
  });
});
