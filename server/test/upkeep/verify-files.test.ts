/** The regular verification of all stored files: it finds damage before a user does, and forgets what was restored. */
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { addOriginal as addToLibrary } from '../../src/recoding/originals/add-original.ts';
import { putOriginal } from '../../src/recoding/originals/originals.ts';
import { countDamagedFiles, createDamageRecord } from '../../src/slots/files/damaged-files.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { type OpenStorage, openStorage } from '../../src/storage/open-storage.ts';
import { verifyFiles } from '../../src/upkeep/verify-files.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace } from '../operations/workspace.ts';

let platform: TestPlatform;
let store: OpenStorage;
let workspace: Awaited<ReturnType<typeof createWorkspace>>;
beforeAll(async () => {
  platform = await createTestPlatform();
  const record = createDamageRecord({ db: platform.db, log: silentLog });
  store = await openStorage(platform.config, undefined, record);
  workspace = await createWorkspace(platform.db);
});
beforeEach(async () => {
  await sql`truncate stored_file cascade`.execute(platform.db);
  await sql`delete from original`.execute(platform.db);
  await sql`delete from damaged_file`.execute(platform.db);
  await sql`update file_verification set last_key = '', completed_on = null, lease_until = null`.execute(
    platform.db,
  );
});
afterAll(() => platform.stop());

const fast = { bytesPerSecond: Number.POSITIVE_INFINITY, days: 7 };
const verify = (signal?: AbortSignal) =>
  verifyFiles({ db: platform.db, storage: store.storage, log: silentLog }, fast, signal);
const put = (key: string, text: string) =>
  store.storage.put(key, Readable.from([Buffer.from(text)]));

async function addFile(): Promise<string> {
  const storageKey = `${newGuid()}/1/image`;
  const { slotGuid, organisationId } = workspace;
  await insertStoredFiles(platform.db, [
    {
      ...(await put(storageKey, 'right')),
      ...{ guid: newGuid(), storageKey, slotGuid, organisationId, role: 'decoded' },
      ...{ component: 'obd', name: 'image.bin', retentionDays: 30 },
    },
  ]);
  return storageKey;
}

async function addOriginal(): Promise<string> {
  const storageKey = `originals/${newGuid()}`;
  await putOriginal(platform.db, {
    ...(await put(storageKey, 'right')),
    ...{ protocolId: 1001, hardware: newGuid(), software: '1', name: 'original.bin', storageKey },
  });
  return storageKey;
}

async function readDamage() {
  const rows = await platform.db.selectFrom('damaged_file').selectAll().execute();
  return Object.fromEntries(rows.map(({ storage_key: key, damage }) => [key, damage]));
}

// promise d8.storage.weekly
test('finds what is missing or has changed, in jobs and in the library', async () => {
  const [changed, missing, right, original] = [
    await addFile(),
    await addFile(),
    await addFile(),
    await addOriginal(),
  ];
  await put(changed, 'WRONG');
  await store.storage.delete(missing);
  await put(original, 'longer');
  expect(await verify()).toBe(4);
  const damage = { [changed]: 'changed', [missing]: 'missing', [original]: 'changed' };
  expect(await readDamage()).toEqual(damage);
  expect(await countDamagedFiles(platform.db)).toBe(3);
  expect(right in (await readDamage())).toBe(false);
});

// promise d8.storage.weekly
test('forgets damage that was repaired, and files that were deleted', async () => {
  const [repaired, deleted] = [await addFile(), await addFile()];
  for (const key of [repaired, deleted]) await put(key, 'WRONG');
  await verify();
  expect(Object.keys(await readDamage()).toSorted()).toEqual([repaired, deleted].toSorted());
  await put(repaired, 'right');
  await sql`update stored_file set deleted_on = now() where storage_key = ${deleted}`.execute(
    platform.db,
  );
  expect(await countDamagedFiles(platform.db)).toBe(1);
  // not only when the next pass is due
  expect(await verify()).toBe(0);
  expect(await readDamage()).toEqual({});
});

test('keeps its lease while it verifies damaged files', async () => {
  const { db } = platform;
  for (const key of [await addFile(), await addFile()]) await put(key, 'WRONG');
  await verify();
  const leases: unknown[] = [];
  const storage: Pick<OpenStorage['storage'], 'verify'> = {
    async verify(file) {
      const { rows } = await sql`select lease_until > now() as held from file_verification`.execute(
        db,
      );
      leases.push(...rows);
      await sql`update file_verification set lease_until = now()`.execute(db);
      await store.storage.verify(file);
    },
  };
  await verifyFiles({ db, storage, log: silentLog }, fast);
  expect(leases).toEqual([{ held: true }, { held: true }]);
});

test('does not report the bytes of a deleted file as missing', async () => {
  const key = await addFile();
  const [file] = await platform.db
    .selectFrom('stored_file')
    .select(['storage_key as storageKey', 'size', 'sha256'])
    .execute();
  await sql`update stored_file set deleted_on = now()`.execute(platform.db);
  await store.storage.delete(key);
  if (file === undefined) throw new Error('the file has no row');
  await expect(store.storage.verify(file)).rejects.toMatchObject({ damage: 'missing' });
  expect(await readDamage()).toEqual({});
});

// promise d8.storage.weekly
test('starts a pass only when one is due, in one worker at a time, and continues where one stopped', async () => {
  const keys = [await addFile(), await addFile(), await addFile()].toSorted();
  expect(await verify()).toBe(3);
  expect(await verify()).toBe(0);
  await sql`
    update file_verification set last_key = ${keys[0]}, lease_until = now() + interval '1 minute'`.execute(
    platform.db,
  );
  expect(await verify()).toBe(0);
  await sql`update file_verification set lease_until = now() - interval '1 second'`.execute(
    platform.db,
  );
  expect(await verify()).toBe(2);
});

test('a damaged original is replaced when it is added again', async () => {
  const { db } = platform;
  const original = { protocolId: 1001, hardware: newGuid(), software: '1', name: 'original.bin' };
  const add = () =>
    addToLibrary({ db, storage: store.storage }, { ...original, image: Buffer.from('right') });
  const findKey = async () =>
    (await db.selectFrom('original').select('storage_key').executeTakeFirstOrThrow()).storage_key;
  expect([await add(), await add()]).toEqual(['added', 'unchanged']);
  await put(await findKey(), 'WRONG');
  expect([await add(), await add()]).toEqual(['replaced', 'unchanged']);
  expect(await countDamagedFiles(db)).toBe(0);
});
