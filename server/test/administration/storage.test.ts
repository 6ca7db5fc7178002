/** The storage of all organisations over HTTP, and the scan of the stored files. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { verifyFiles } from '../../src/upkeep/verify-files.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

const path = '/api/admin/storage';

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_ORGANISATION_GIB: '10' }, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

async function perform(task: string): Promise<{ state: string; text: string }> {
  const { text } = await olga.call('POST', `${path}/${task}`);
  return JSON.parse(text).finding;
}

// promise d3.care.storage
test('lists what each organisation stores of its quota, most first, with its damaged files', async () => {
  const { db } = portal.platform;
  const store = (code: string, bytes: number) =>
    sql`update organisation set stored_bytes = ${bytes} where customer_code = ${code}`.execute(db);
  await store('CC-1001', 900);
  await store('CC-2002', 5 * 2 ** 30);
  const { json } = await olga.get(path);
  const { items } = json as { items: readonly { customerCode: string }[] };
  expect(items.slice(0, 2)).toMatchObject([
    {
      customerCode: 'CC-2002',
      usedBytes: 5 * 2 ** 30,
      quotaBytes: 10 * 2 ** 30,
      usedPercent: 50,
      damaged: 0,
    },
    { customerCode: 'CC-1001', usedBytes: 900, usedPercent: 0, retentionDays: 365 },
  ]);
});

// promise d3.care.storage-scan
test('starts a scan of all files, and shows when it has ended and what is damaged', async () => {
  const { db, config, log } = portal.platform;
  const pace = { bytesPerSecond: 2 ** 40, days: 7 };
  const { storage } = await openStorage(config);
  const verify = () => verifyFiles({ db, storage, log }, pace);
  await verify();
  expect(await perform('result')).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/^The last scan ended on .*No file is known to be damaged\.$/),
  });
  expect(await perform('scan')).toMatchObject({
    text: expect.stringMatching(/^A worker starts the scan/),
  });

  const key = `originals/${newGuid()}`;
  await sql`
    insert into original (guid, protocol_id, hardware, software, name, size, sha256, storage_key)
    values (${newGuid()}, 1, 'HW', 'SW', 'lost.bin', 4, ${'0'.repeat(64)}, ${key})`.execute(db);
  await sql`insert into damaged_file (storage_key, damage) values (${key}, 'missing')`.execute(db);
  expect(await verify()).toBe(1);
  const found = await perform('result');
  expect(found.state).toBe('wrong');
  expect(found.text).toContain(`Damaged files: 1: ${key} (missing)`);
});
