/** How long jobs stay: kept ones, the retention that an organisation chooses, and deletion. */
import { idempotencyHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { openStorage } from '../../src/storage/open-storage.ts';
import { waitedFor } from '../fixtures/database/until-blocked.ts';
import { encode, keepImage } from '../journeys/families/kessv2-workflow.ts';
import { startJobs, image } from './job-workshop.ts';

const { portal, anna, stranger, decodeWith, ask, jobOf, sweepNow, age } = await startJobs();

describe('the retention', () => {
  // promise j1.jobs.keep
  test('does not delete kept jobs, and restarts the retention when they are no longer kept', async () => {
    const { kessv2SlotGUID: slot, decodedFileURL } = await decodeWith({}, 'kept.bin');
    expect((await jobOf(slot)).expiresOn).not.toBeNull();
    expect((await anna.put(`/api/jobs/${slot}/keep`, { isKept: true })).status).toBe(204);
    expect((await stranger.put(`/api/jobs/${slot}/keep`, { isKept: false })).status).toBe(404);
    await age(slot, 1000);
    await sweepNow();
    expect(await jobOf(slot)).toMatchObject({ isKept: true, expiresOn: null });
    expect((await anna.get(decodedFileURL ?? '')).status).toBe(200);
    expect((await anna.put(`/api/jobs/${slot}/keep`, { isKept: false })).status).toBe(204);
    await sweepNow();
    const { expiresOn, files } = await jobOf(slot);
    expect(new Date(expiresOn ?? 0).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    expect(files.every(({ isThere }) => isThere)).toBe(true);
    await sql`update slot set retained_since = now() - interval '31 days' where guid = ${slot}`.execute(
      portal.platform.db,
    );
    await sweepNow();
    expect((await anna.get(`/api/jobs/${slot}`)).status).toBe(404);
  });

  // promise j1.storage.retention
  test('is the one that the organisation chooses within the bounds', async () => {
    const settings = '/api/storage-settings';
    const put = (retentionDays: number | null) => anna.put(settings, { retentionDays });
    expect(await ask(anna, settings)).toMatchObject({
      retentionDays: null,
      defaultDays: 30,
      leastDays: 10,
      mostDays: 3650,
      usedBytes: expect.any(Number),
    });
    expect((await put(9)).status).toBe(400);
    expect((await put(3651)).status).toBe(400);
    expect((await put(365)).status).toBe(200);
    const { kessv2SlotGUID: slot } = await decodeWith({}, 'year.bin');
    await age(slot, 100);
    await sweepNow();
    expect((await jobOf(slot)).files.every(({ isThere }) => isThere)).toBe(true);
    expect((await put(null)).status).toBe(200);
    await sweepNow();
    expect((await anna.get(`/api/jobs/${slot}`)).status).toBe(404);
    expect((await ask<{ retentionDays: null }>(anna, settings)).retentionDays).toBeNull();
  });

  test('changes only files whose expiry changes, and none under the lock of the organisation', async () => {
    const { db } = portal.platform;
    await decodeWith({}, 'one.bin');
    const put = (retentionDays: number) => anna.put('/api/storage-settings', { retentionDays });
    expect((await put(50)).status).toBe(200);
    const versions = async () => {
      const { rows } = await sql<{ guid: string; version: string; days: number }>`
        select stored_file.guid, stored_file.xmin::text as version,
          round(extract(epoch from expires_on - greatest(stored_file.created_on, retained_since)) / 86400)::integer as days
        from stored_file join slot on slot.guid = slot_guid
        where stored_file.deleted_on is null order by 1`.execute(db);
      return rows;
    };
    const before = await versions();
    expect(new Set(before.map(({ days }) => days))).toEqual(new Set([50]));
    expect((await put(50)).status).toBe(200);
    expect(await versions()).toEqual(before);
    // another transaction has locked a file, and then needs the organisation, like one that deletes files
    let saved: Promise<{ readonly status: number }> | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`select from stored_file where guid = ${before[0]?.guid} for update`.execute(trx);
      saved = put(60);
      await expect
        .poll(async () => (await versions()).filter(({ days }) => days === 60).length)
        .toBe(before.length - 1);
      await sql`update organisation set stored_bytes = stored_bytes where customer_code = 'CC-1001'`.execute(
        trx,
      );
    });
    expect((await saved)?.status).toBe(200);
    expect((await versions()).filter(({ days }) => days !== 60)).toEqual([]);
    await anna.put('/api/storage-settings', { retentionDays: null });
  });

  test('is applied by the sweep, before it deletes files, to those that an interrupted change has left', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot, decodedFileURL } = await decodeWith({}, 'interrupted.bin');
    await age(slot, 31);
    await db.transaction().execute(async (trx) => {
      await sql`select from stored_file where slot_guid = ${slot} for update`.execute(trx);
      const saved = anna.put('/api/storage-settings', { retentionDays: 60 });
      // its connection is lost while it waits for the last files
      await sql`select pg_terminate_backend(${await waitedFor(trx)})`.execute(trx);
      expect((await saved).status).toBe(503);
    });
    expect(await ask(anna, '/api/storage-settings')).toMatchObject({ retentionDays: 60 });
    await sweepNow();
    expect((await jobOf(slot)).files.every(({ isThere }) => isThere)).toBe(true);
    expect((await anna.get(decodedFileURL ?? '')).status).toBe(200);
    await anna.put('/api/storage-settings', { retentionDays: null });
  });

  test('is brought into bounds that the operator has changed', async () => {
    const { db } = portal.platform;
    await sql`update organisation set retention_days = 4000 where customer_code = 'CC-1001'`.execute(
      db,
    );
    await sweepNow();
    expect(await ask(anna, '/api/storage-settings')).toMatchObject({ retentionDays: 3650 });
    await anna.put('/api/storage-settings', { retentionDays: null });
  });
});

describe('deleting a job', () => {
  // promise j1.jobs.delete
  test('removes its files and everything personal from all rows', async () => {
    const secret = 'Grossmutter';
    const vin = 'WGRANDMA000000001';
    const { kessv2SlotGUID: slot } = await decodeWith({ vin, engine: secret }, `${secret}.bin`);
    const { fileGUID } = await keepImage(anna, 'modified', slot, image.with(1, 1));
    const notificationInfo = { email: `${secret}@example.org`, message: secret, isPrivate: true };
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID, contextData: secret };
    await encode(anna, { ...body, notificationInfo });
    // a page sends a key, and may repeat the request
    const headers = { [idempotencyHeader]: 'key 1', 'content-type': 'application/json' };
    const keyed = { headers, body: JSON.stringify(body) };
    const answer = await anna.call('POST', '/api/kessv2/encode-file', keyed);
    expect(answer.status).toBe(202);
    await anna.follow(answer.json as Operation);
    await anna.put(`/api/jobs/${slot}/note`, { note: secret });
    const { db, config } = portal.platform;
    const keys = await db
      .selectFrom('stored_file')
      .select('storage_key')
      .where('slot_guid', '=', slot)
      .execute();
    expect((await stranger.delete(`/api/jobs/${slot}`)).status).toBe(404);
    expect((await anna.delete(`/api/jobs/${slot}`)).status).toBe(204);
    expect((await anna.get(`/api/jobs/${slot}`)).status).toBe(404);
    const { storage } = await openStorage(config);
    const heads = await Promise.all(keys.map(({ storage_key }) => storage.head(storage_key)));
    expect(heads.filter((head) => head !== null)).toEqual([]);
    for (const table of [
      'slot',
      'stored_file',
      'operation',
      'notification',
      'mail',
      'webhook_message',
      'idempotency_key',
    ]) {
      const { rows } = await sql<{ line: string }>`
        select to_jsonb(t)::text as line from ${sql.table(table)} t`.execute(db);
      const lines = rows.map(({ line }) => line.toLowerCase());
      expect([table, lines.filter((line) => line.includes(secret.toLowerCase()))]).toEqual([
        table,
        [],
      ]);
      expect([table, lines.filter((line) => line.includes(vin.toLowerCase()))]).toEqual([
        table,
        [],
      ]);
    }
    expect((await anna.get('/api/operations?count=50')).status).toBe(200);
    const again = await anna.call('POST', '/api/kessv2/encode-file', keyed);
    expect([again.status, again.json]).toEqual([
      202,
      { ...(answer.json as Operation), contextData: null },
    ]);
  });

  test('does not raise the number of emails that are left for the day', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decodeWith({}, 'mailed.bin');
    const { fileGUID } = await keepImage(anna, 'modified', slot, image.with(2, 2));
    await encode(anna, {
      kessv2FileSlotGUID: slot,
      modifiedFileGUID: fileGUID,
      notificationInfo: { email: 'someone@example.org', message: null, isPrivate: false },
    });
    const countEmails = async () => {
      const rows = await sql<{ count: number }>`select count(*)::integer as count from mail
        where created_on > now() - interval '1 day' and failure is distinct from 'limit'`.execute(
        db,
      );
      return rows.rows[0]?.count ?? 0;
    };
    const counted = await countEmails();
    expect(counted).toBeGreaterThan(0);
    expect((await anna.delete(`/api/jobs/${slot}`)).status).toBe(204);
    await sweepNow();
    expect(await countEmails()).toBe(counted);
    const notices = await anna.get('/api/async-operation-notifications/');
    expect([notices.status, notices.text.includes('mailed')]).toEqual([200, false]);
    await sql`update mail set created_on = created_on - interval '1 day'`.execute(db);
    await sweepNow();
    const { rows } = await sql`select from notification where slot_guid = ${slot}
      union all select from mail where email = ''`.execute(db);
    expect(rows).toEqual([]);
  });
});
