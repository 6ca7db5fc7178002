/** What doctor finds out about stored data: missing and orphaned bytes, old backups, and changed receipts. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { appendWaiting, operatorActor, recordAudit } from '../../src/audit/audit.ts';
import { readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { openReceipt } from '../../src/receipts/issue.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { createTestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace } from '../operations/workspace.ts';
import { examinePlatform, statesOf, textOf } from './examined-platform.ts';

const {
  platform,
  store,
  portal,

  configOf,
  findAll,
  find,
  pieces,

  allWell,
} = await examinePlatform();

describe('the storage', () => {
  test('is an error if a row has no bytes; bytes without a row are a warning', async () => {
    const { slotGuid, organisationId } = await createWorkspace(platform.db);
    const guid = newGuid();
    const storageKey = `${newGuid()}/1/decoded.bin`;
    await insertStoredFiles(platform.db, [
      {
        ...(await store.storage.put(storageKey, pieces('bytes'))),
        ...{ guid, storageKey, slotGuid, organisationId, role: 'decoded', component: null },
        ...{ name: 'decoded.bin', retentionDays: 30 },
      },
    ]);
    expect(statesOf(await find())).toEqual(allWell);

    await store.storage.put('left/behind', pieces('nobody’s'));
    const found = await find();
    expect(statesOf(found)).toEqual({ ...allWell, storage: 'warning' });
    expect(textOf(found, 'storage')).toBe(
      'Files in storage: 2; orphaned: 1. A worker deletes orphans of uploads and operations after one day. Their sizes match; "recodery doctor --deep" also checks their hashes.',
    );

    const { size } = await store.storage.put(storageKey, pieces('longer bytes'));
    expect(size).toBeGreaterThan(5);
    const resized = await find();
    expect(statesOf(resized)).toEqual({ ...allWell, storage: 'wrong' });
    expect(textOf(resized, 'storage')).toContain(`Files whose size has changed: 1 (${storageKey})`);

    await store.storage.put(storageKey, pieces('BYTES'));
    expect(statesOf(await find())).toEqual({ ...allWell, storage: 'warning' });
    const changed = await findAll(configOf(), true);
    expect(statesOf(changed)).toEqual({ ...allWell, storage: 'wrong' });
    expect(textOf(changed, 'storage')).toContain(
      `Files whose bytes have changed: 1 (${storageKey})`,
    );
    await store.storage.put(storageKey, pieces('bytes'));
    expect(statesOf(await findAll(configOf(), true))).toEqual({ ...allWell, storage: 'warning' });

    await store.storage.delete(storageKey);
    const wrong = await find();
    expect(statesOf(wrong)).toEqual({ ...allWell, storage: 'wrong' });
    expect(textOf(wrong, 'storage')).toContain(storageKey);

    // a deleted file does not need bytes
    await sql`update stored_file set deleted_on = now() where guid = ${guid}`.execute(platform.db);
    await store.storage.delete('left/behind');
    expect(statesOf(await find())).toEqual(allWell);
  });

  test('is an error if its folder cannot be created', async () => {
    const file = join(platform.config.dataDir, 'a-file');
    await writeFile(file, '');
    const url = pathToFileURL(join(file, 'folder')).href;
    expect(statesOf(await find({ RECODERY_STORAGE_URL: url }))).toEqual({
      ...allWell,
      storage: 'wrong',
    });
    await rm(file);
  });
});

test('warns if the last backup is old, or none is known', async () => {
  const other = await createTestPlatform();
  const config = readConfig({
    RECODERY_DATA_DIR: other.config.dataDir,
    RECODERY_DATABASE_URL: other.databaseUrl,
    RECODERY_SECRET_FILE: join(other.config.dataDir, 'secret'),
    RECODERY_PORT: new URL(portal.url).port,
  });
  const look = async () => {
    const { state, text } = (await findAll(config)).find(({ what }) => what === 'backup') ?? {};
    return [state, text];
  };
  const record = async (action: string, object: Readonly<Record<string, string>>) => {
    const event = { actor: operatorActor(), action, object, outcome: 'done' };
    await recordAudit(other.db, event);
    await appendWaiting(other.db);
  };
  await record('secret rotate', { arguments: '"action": "backup"' });
  expect(await look()).toEqual([
    'warning',
    expect.stringContaining('no backup in the last 35 days'),
  ]);
  const ago = (days: number) => new Date(Date.now() - (days + 0.5) * 86_400_000).toISOString();
  // the backup is older than the restore
  await record('restore', { takenOn: ago(8) });
  expect(await look()).toEqual([
    'warning',
    expect.stringMatching(/^The last backup is 8 days old\. /),
  ]);
  await record('restore', { takenOn: ago(1) });
  expect(await look()).toEqual(['ok', 'The last backup is one day old.']);
  await record('backup', {});
  expect(await look()).toEqual(['ok', 'The last backup is less than a day old.']);
  await other.stop();
});

// promise d11.receipts.forged
test('receipts that match the published keys are in order; one that was changed is an error', async () => {
  const { db, secrets, config } = platform;
  const { slotGuid, organisationId } = await createWorkspace(db);
  const deps = { secrets, publicUrl: config.publicUrl, nameProtocol: () => null };
  const { code, issue } = await openReceipt(deps);
  const encodedFile = { guid: newGuid(), size: 1, sha256: 'a'.repeat(64) };
  const issued = await issue(db, {
    ...{ operationGuid: newGuid(), organisationId, slotGuid, family: 'kess3', encodedFile },
    ...{
      slaveSerialNumber: null,
      protocolId: null,
      readChecksums: null,
      sources: [],
      encodedOn: new Date(),
    },
  });
  await issued.execute();
  const found = await find();
  expect(statesOf(found)).toMatchObject({ receipts: 'ok' });
  await sql`update receipt set receipt = receipt || 'A' where code = ${code}`.execute(db);
  const wrong = await find();
  expect(statesOf(wrong)).toMatchObject({ receipts: 'wrong' });
  expect(textOf(wrong, 'receipts')).toContain(code);
  await sql`delete from receipt where code = ${code}`.execute(db);
});
