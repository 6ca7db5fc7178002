/** Expired data is deleted with its bytes, and nothing else is; the tests change times in the database. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Operation } from '@recodery/contract/features/operations';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startSweeping, sweep, type SweepDependencies, sweepLock } from '../../src/upkeep/sweep.ts';
import { lockExpiredSlot } from '../../src/slots/slot-expiry.ts';
import { encode, keepImage } from '../journeys/families/kessv2-workflow.ts';
import { startSwept, nothing } from './swept-workshop.ts';

const vin = 'ZAR93900001234567';

const { portal, anna, store, dependencies, sweepNow, decodeOne, age, keysOf, stored, countRows } =
  await startSwept();

describe('a slot', () => {
  // promise d8.storage.retention
  test('stays with all its files until it expires, and is then deleted with every byte', async () => {
    const { kessv2SlotGUID: slot, image, decodedFileURL } = await decodeOne();
    await keepImage(anna, 'modified', slot, image);
    const keys = await keysOf(slot);
    expect(keys).toHaveLength(4);
    await age(slot, '29 days 23:50');
    expect(await sweepNow()).toEqual(nothing);
    expect(await stored(keys)).toEqual(keys);
    expect((await anna.get(decodedFileURL ?? '')).status).toBe(200);
    // expired by one minute, but its operation is still in the log
    await age(slot, '00:11');
    await portal.platform.db
      .updateTable('operation')
      .set({ created_on: sql<Date>`now() - interval '29 days'` })
      .where('slot_guid', '=', slot)
      .execute();
    expect(await sweepNow()).toEqual({ ...nothing, slots: 1, files: 4, bytes: 4 });
    expect(await stored(keys)).toEqual([]);
    expect(await countRows(slot)).toEqual({ slots: 1, files: 4, operations: 1 });
    const again = await anna.post('/api/kessv2/reencode-decoded-file', {
      kessv2FileSlotGUID: slot,
    });
    expect([again.status, again.text]).toEqual([404, 'NOT_FOUND']);
    expect(await sweepNow()).toEqual(nothing);
  });

  test('is deleted with its vehicle data; the log and the operation’s record stay readable', async () => {
    const { kessv2SlotGUID: slot } = await decodeOne(`${vin} stock.k2r`);
    const result = await encode(
      anna,
      {
        kessv2FileSlotGUID: slot,
        contextData: `car ${vin}`,
        notificationInfo: { email: null, message: `the car ${vin}`, isPrivate: true },
      },
      'reencode-decoded-file',
    );
    await age(slot, '40 days');
    const { db } = portal.platform;
    await db
      .updateTable('operation')
      .set({ created_on: sql<Date>`now() - interval '5 days'` })
      .where('slot_guid', '=', slot)
      .execute();
    await sweepNow();
    const rows = await Promise.all([
      db.selectFrom('slot').selectAll().where('guid', '=', slot).execute(),
      db.selectFrom('stored_file').selectAll().where('slot_guid', '=', slot).execute(),
      db.selectFrom('operation').selectAll().where('slot_guid', '=', slot).execute(),
    ]);
    expect(JSON.stringify(rows)).not.toContain(vin);
    const operations = await db
      .selectFrom('operation')
      .select(['guid', 'type'])
      .where('slot_guid', '=', slot)
      .execute();
    expect(operations).toHaveLength(2);
    for (const { guid } of operations) {
      const answer = await anna.get(`/api/async-operations/${guid}`);
      expect([answer.status, (answer.json as Operation).isSuccessful]).toEqual([200, true]);
      expect(answer.text).not.toContain(vin);
    }
    const log = (await anna.get('/api/operations-log/kessv2')).text;
    expect(log).toContain('… stock.k2r');
    expect(log).toContain(result.sha256);
  });

  test('is deleted with the customer labels that it had, also in names of files and in notifications', async () => {
    const put = async (path: string, body: object) =>
      expect((await anna.put(path, body)).status).toBeLessThan(300);
    const prefer = (format: string) =>
      put('/api/preferences/', {
        organisationPreferences: { encodedKESSv2FileNameFormat: format },
      });
    await prefer('%c %t');
    const { kessv2SlotGUID: slot } = await decodeOne();
    const info = { kessv2FileSlotGUID: slot, notificationInfo: null };
    for (const customerLabel of ['Wife/Huber', `Son ${vin}`, 'Z']) {
      await put(`/api/jobs/${slot}/vehicle`, { customerLabel });
      await encode(anna, info, 'reencode-decoded-file');
    }
    await prefer('%d');
    const { db } = portal.platform;
    const read = async () =>
      JSON.stringify(
        await Promise.all([
          db.selectFrom('slot').selectAll().where('guid', '=', slot).execute(),
          db.selectFrom('stored_file').selectAll().where('slot_guid', '=', slot).execute(),
          db.selectFrom('operation').selectAll().where('slot_guid', '=', slot).execute(),
          db.selectFrom('notification').selectAll().where('slot_guid', '=', slot).execute(),
        ]),
      );
    expect(await read()).toMatch(/Wife_Huber/);
    await age(slot, '40 days');
    await sql`update operation set created_on = now() - interval '5 days' where slot_guid = ${slot}`.execute(
      db,
    );
    await sweepNow();
    const left = await read();
    expect(left).toMatch(/"name":"… /);
    expect(left).not.toMatch(/Huber|Son|ZAR|"Z /);
  });

  test('stays while an operation is waiting or running on it, however old it is', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decodeOne();
    await age(slot, '50 days');
    const set = (status: 'waiting' | 'running' | 'succeeded') =>
      db
        .updateTable('operation')
        // not claimed, and not due
        .set({ status, lease_until: sql<Date>`now() + interval '1 day'` })
        .where('slot_guid', '=', slot)
        .execute();
    for (const status of ['waiting', 'running'] as const) {
      await set(status);
      expect(await sweepNow()).toEqual(nothing);
    }
    await set('succeeded');
    expect(await sweepNow()).toMatchObject({ slots: 1, files: 3, bytes: 3, rows: 1 });
  });

  test('stays when the retention was raised while slots were deleted', async () => {
    const { kessv2SlotGUID: slot } = await decodeOne();
    await age(slot, '31 days');
    const { db } = portal.platform;
    const lock = () => db.transaction().execute((trx) => lockExpiredSlot(trx, slot, 30));
    expect(await lock()).toMatchObject({ guid: slot });
    await sql`update organisation set retention_days = 90`.execute(db);
    expect(await lock()).toBeNull();
    await sql`update organisation set retention_days = null`.execute(db);
    await sweepNow();
    expect(await lock()).toBeNull();
  });

  test('is deleted, row by row, once no line of the log needs it', async () => {
    const { kessv2SlotGUID: slot } = await decodeOne();
    await age(slot, '30 days 00:01');
    expect(await sweepNow()).toEqual({ ...nothing, slots: 1, files: 3, bytes: 3, rows: 1 });
    expect(await countRows(slot)).toEqual({ slots: 0, files: 0, operations: 0 });
  });
});

describe('a file', () => {
  test('has its own retention: a late encode outlives its slot, and so does its download', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decodeOne();
    await age(slot, '29 days');
    const again = { kessv2FileSlotGUID: slot };
    const { fileGUID } = await encode(anna, again, 'reencode-decoded-file');
    await sql`update slot set created_on = created_on - interval '2 days' where guid = ${slot}`.execute(
      db,
    );
    await sql`
      update stored_file set created_on = created_on - interval '2 days', expires_on = expires_on - interval '2 days'
      where slot_guid = ${slot}`.execute(db);
    expect(await sweepNow()).toMatchObject({ slots: 1, files: 3, rows: 0 });
    expect((await anna.get(`/api/files/${fileGUID}`)).status).toBe(200);
    await sql`
      update stored_file set created_on = now() - interval '30 days', expires_on = now()
      where guid = ${fileGUID}`.execute(db);
    expect(await sweepNow()).toMatchObject({ slots: 0, files: 1, bytes: 1, rows: 0 });
    expect((await anna.get(`/api/files/${fileGUID}`)).status).toBe(404);
  });

  test('is deleted later if its bytes could not be deleted', async () => {
    const { kessv2SlotGUID: slot } = await decodeOne();
    const keys = await keysOf(slot);
    await age(slot, '31 days');
    const broken: SweepDependencies = {
      ...dependencies(),
      storage: {
        ...store.storage,
        delete: (key) =>
          key === keys[1] ? Promise.reject(new Error('EIO')) : store.storage.delete(key),
      },
    };
    expect(await sweep(broken)).toMatchObject({ files: 3, bytes: 2, rows: 0 });
    expect(await stored(keys)).toEqual([keys[1]]);
    expect(await sweepNow()).toMatchObject({ files: 0, bytes: 1, rows: 1 });
    expect(await stored(keys)).toEqual([]);
  });
});

describe('the operator’s retention', () => {
  test('also applies to existing files when it is changed, like to their slots', async () => {
    const { kessv2SlotGUID: slot, decodedFileURL } = await decodeOne();
    await age(slot, '40 days');
    expect(await sweepNow(60)).toEqual(nothing);
    expect((await anna.get(decodedFileURL ?? '')).status).toBe(200);
    expect(await sweepNow(39)).toMatchObject({ slots: 1, files: 3, bytes: 3 });
  });

  test('applies to more files than one statement changes', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot, decodedFileURL } = await decodeOne();
    const [file] = /[0-9a-f-]{36}/.exec(decodedFileURL ?? '') ?? [];
    await sql`
      insert into stored_file
      select copy.* from stored_file, generate_series(1, 1200) as at, jsonb_populate_record(
        stored_file, jsonb_build_object('guid', gen_random_uuid(), 'component', 'copy ' || at)) as copy
      where stored_file.guid = ${file}`.execute(db);
    await sweepNow(45);
    const { rows } = await sql`
      select (expires_on - created_on)::text as kept, count(*)::int from stored_file
      where slot_guid = ${slot} group by 1`.execute(db);
    expect(rows).toEqual([{ kept: '45 days', count: 1203 }]);
    await sql`delete from stored_file where slot_guid = ${slot} and component like 'copy %'`.execute(
      db,
    );
    await sweepNow();
  });

  test('changes no file again when it has not been changed', async () => {
    const { db } = portal.platform;
    await decodeOne();
    await sweepNow(60);
    const versions = async () => {
      const { rows } = await sql`
        select guid, xmin::text, expires_on from stored_file where deleted_on is null order by guid`.execute(
        db,
      );
      return rows;
    };
    const before = await versions();
    expect(before).not.toEqual([]);
    await sweepNow(60);
    expect(await versions()).toEqual(before);
    await sweepNow(61);
    expect(await versions()).not.toEqual(before);
    await sweepNow();
  });
});

describe('a notification', () => {
  test('is deleted with its email after the retention of the log, and one of a sent file with its job', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decodeOne();
    const notificationInfo = { email: 'garage@rossi.test', message: 'ready', isPrivate: true };
    await encode(anna, { kessv2FileSlotGUID: slot, notificationInfo }, 'reencode-decoded-file');
    const count = async () => {
      const { rows } = await sql<{ notifications: number; mails: number }>`
        select count(*) as notifications, count(mail.guid) as mails
        from notification left join mail using (guid) where slot_guid = ${slot}`.execute(db);
      return rows[0];
    };
    const all = { notifications: 2, mails: 1 };
    const set = (time: string) =>
      sql`update notification set completed_on = now() - ${time}::interval
        where slot_guid = ${slot}`.execute(db);
    // a younger one counts for the limit of emails per day
    await sql`update mail set created_on = created_on - interval '1 day'`.execute(db);
    await set('29 days 23:59');
    expect(await sweepNow(10)).toEqual(nothing);
    await set('59 days 23:59');
    expect(await sweepNow(60)).toEqual(nothing);
    expect(await count()).toEqual(all);
    // the job shows to whom its file was sent
    expect(await sweepNow(59)).toEqual({ ...nothing, notifications: 1 });
    expect(await count()).toEqual({ notifications: 1, mails: 1 });
    await sql`update slot set deleted_on = now() where guid = ${slot}`.execute(db);
    expect(await sweepNow(59)).toMatchObject({ notifications: 1 });
    expect(await count()).toEqual({ notifications: 0, mails: 0 });
  });
});

describe('the sweep', () => {
  test('runs in only one process at a time', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decodeOne();
    await age(slot, '31 days');
    const all = await Promise.all([sweepNow(), sweepNow(), sweepNow()]);
    const swept = all.filter((one) => one !== null);
    expect(swept.reduce((sum, { slots }) => sum + slots, 0)).toBe(1);
    await age((await decodeOne()).kessv2SlotGUID, '31 days');
    await db.connection().execute(async (other) => {
      await sql`select pg_advisory_lock(${sweepLock})`.execute(other);
      expect(await sweepNow()).toBeNull();
      await sql`select pg_advisory_unlock(${sweepLock})`.execute(other);
    });
    expect(await sweepNow()).toMatchObject({ slots: 1 });
  });

  test('continues from batch to batch, and periodically until it is stopped', async () => {
    const { db } = portal.platform;
    const { organisation_guid } = await db
      .selectFrom('slot')
      .select('organisation_guid')
      .limit(1)
      .executeTakeFirstOrThrow();
    // one more than a batch
    const makeOld = () =>
      sql`
        insert into slot (guid, organisation_guid, family, workflow, group_code, read_file_name, created_on)
        select gen_random_uuid(), ${organisation_guid}, 'ktag', 'ktag', 'G-1', 'old', now() - interval '99 days'
        from generate_series(1, 201)`.execute(db);
    const gone = async () => {
      const slots = db.selectFrom('slot').select('guid').where('read_file_name', '=', 'old');
      while ((await slots.execute()).length > 0) await wait(50);
    };
    await makeOld();
    const sweeping = startSweeping(dependencies(), { first: 0, every: 50 });
    await gone();
    await makeOld();
    await gone();
    await sweeping.stop();
    await makeOld();
    expect(await sweepNow()).toMatchObject({ slots: 201, rows: 201 });
  });
});

test('jobs of earlier versions are found after a sweep', async () => {
  const { db } = portal.platform;
  const { kessv2SlotGUID: slot } = await decodeOne('veteran.k2r');
  const find = async () => (await anna.get('/api/jobs?search=veteran')).json;
  await db.transaction().execute(async (trx) => {
    await sql`alter table slot disable trigger slot_described`.execute(trx);
    await sql`update slot set search = '' where guid = ${slot}`.execute(trx);
    await sql`alter table slot enable trigger slot_described`.execute(trx);
  });
  expect(await find()).toEqual([]);
  await sweepNow();
  expect(await find()).toMatchObject([{ slotGUID: slot }]);
});
