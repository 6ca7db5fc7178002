/** Jobs over HTTP: what the list and a job contain, how jobs are found, and what is kept and deleted. */
import type { ComparableImages } from '@recodery/contract/features/comparison';
import { decodeResult as ktagResult } from '@recodery/contract/families/ktag';
import { informationKeys } from '@recodery/contract/families/information';
import {
  type FoundFile,
  type JobSummary,
  vehicleInformation,
} from '@recodery/contract/features/jobs/jobs';
import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { describeJob } from '../../src/jobs/job-details.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { imagesOf, resultOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import { decode, encode, keepImage } from '../journeys/families/kessv2-workflow.ts';
import { startJobs, image, sha256 } from './job-workshop.ts';

const { portal, anna, stranger, decodeWith, ask, jobOf, find } = await startJobs();

test('a job has a field for all information that a slave can report', () => {
  expect(Object.keys(vehicleInformation.shape)).toEqual([...informationKeys]);
});

describe('a job', () => {
  test('lists the components of a backup in the order of the control unit, not of the alphabet', async () => {
    const slave = await portal.getSlave('ktag', 'KTG-000007');
    const images = imagesOf(9000, 1, { flash: 4096, micro: 8192, eeprom: 1024 });
    const backup = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
    const answer = await uploadTo(anna, '/api/ktag/upload-read-backup', backup);
    const { ktagSlotGUID } = ktagResult.parse(await resultOf(anna, answer));
    const { files } = await jobOf(ktagSlotGUID);
    const decoded = files.filter(({ role }) => role === 'decoded');
    expect(decoded.map(({ component }) => component)).toEqual(['flash', 'micro', 'eeprom']);
  });

  test('is being decoded until its decode has succeeded or failed', async () => {
    const { kessv2SlotGUID: slot } = await decodeWith({ vin: 'VIN0000000000003' }, 'soon.bin');
    const { db } = portal.platform;
    expect(await jobOf(slot)).toMatchObject({ isDecoding: false, state: 'decoded' });
    // as before the decode
    await sql`update slot set facts = null where guid = ${slot}`.execute(db);
    const change = (values: { status: 'running' | 'failed'; lease_until: Date | null }) =>
      db.updateTable('operation').set(values).where('slot_guid', '=', slot).execute();
    await change({ status: 'running', lease_until: new Date(Date.now() + 3_600_000) });
    expect(await jobOf(slot)).toMatchObject({
      decodeOperationGUID: null,
      isDecoding: true,
      state: 'decoding',
    });
    await change({ status: 'failed', lease_until: null });
    expect(await jobOf(slot)).toMatchObject({
      decodeOperationGUID: null,
      isDecoding: false,
      state: 'failed',
    });
  });

  test('that is decoded while it is read is described as it was before', async () => {
    const { kessv2SlotGUID: slot } = await decodeWith({ vin: 'VIN0000000000004' }, 'just.bin');
    const { db } = portal.platform;
    const organisationId = await findOrganisationByCode(db, 'CC-1001');
    if (organisationId === null) throw new Error('the organisation is not there');
    const { facts } = await db
      .selectFrom('slot')
      .select('facts')
      .where('guid', '=', slot)
      .executeTakeFirstOrThrow();
    await sql`update slot set facts = null where guid = ${slot}`.execute(db);
    await sql`
      update stored_file set deleted_on = now() where slot_guid = ${slot} and role <> 'read'`.execute(
      db,
    );
    await sql`
      update operation set status = 'running', lease_until = now() + interval '1 hour'
      where slot_guid = ${slot}`.execute(db);
    const decoded = () =>
      db.transaction().execute(async (trx) => {
        await sql`update slot set facts = ${JSON.stringify(facts)} where guid = ${slot}`.execute(
          trx,
        );
        await sql`update stored_file set deleted_on = null where slot_guid = ${slot}`.execute(trx);
        await sql`
          update operation set status = 'succeeded', lease_until = null
          where slot_guid = ${slot}`.execute(trx);
      });
    const { storage } = await openStorage(portal.platform.config);
    const deps = { storage, retentionDays: 30, nameProtocol: () => null };
    const read = (from: Db) => describeJob({ db: from, ...deps }, organisationId, slot);
    const before = await read(db);
    expect(before).toMatchObject({ isDecoding: true, restoreKit: { reason: 'NOT_DECODED' } });
    expect(await read(meanwhile(db, decoded))).toEqual(before);
    expect(await read(db)).toMatchObject({ isDecoding: false, restoreKit: { state: 'missing' } });
  });

  // promise j1.jobs.timeline
  test('lists every version of its files with users, hashes, and the first download', async () => {
    const { kessv2SlotGUID: slot, read } = await decodeWith({ vin: 'VIN0000000000001' }, 'car.bin');
    const versions = [image.with(0, 1), image.with(0, 2)];
    for (const version of versions) {
      const { fileGUID } = await keepImage(anna, 'modified', slot, version);
      await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID });
    }
    // this one was never encoded, and the next one replaces it
    await keepImage(anna, 'modified', slot, image.with(0, 3));
    await keepImage(anna, 'modified', slot, image.with(0, 4));
    const { files, decodeOperationGUID, encodedFiles } = await jobOf(slot);
    expect(encodedFiles).toBe(2);
    expect(decodeOperationGUID).not.toBeNull();
    expect(files.map(({ role, isThere }) => (isThere ? role : `no ${role}`))).toEqual([
      'read',
      'decoded',
      'id',
      'modified',
      'encoded',
      'modified',
      'encoded',
      'modified',
      'modified',
    ]);
    expect(files[0]).toMatchObject({ sha256: sha256(read), size: read.length });
    expect(files[1]?.sha256).toBe(sha256(image));
    for (const { userDisplayName } of files) expect(userDisplayName).toMatch(/^Anna /);
    const [first, second] = files.filter(({ role }) => role === 'encoded');
    expect(first?.madeFrom).toEqual([files[3]?.fileGUID]);
    expect(second?.madeFrom).toEqual([files[5]?.fileGUID]);
    expect(first?.firstDownloadedOn).toBeNull();
    const path = `/api/files/${first?.fileGUID}`;
    expect((await anna.get(path)).status).toBe(200);
    await expect.poll(async () => (await jobOf(slot)).files[4]?.firstDownloadedOn).not.toBeNull();
    const time = (await jobOf(slot)).files[4]?.firstDownloadedOn;
    await anna.get(path);
    expect((await jobOf(slot)).files[4]?.firstDownloadedOn).toBe(time);
  });

  test('with hundreds of long names is found by the newest ones', async () => {
    const { kessv2SlotGUID: slot } = await decodeWith({ vin: 'VIN0000000000002' }, 'many.bin');
    const { db } = portal.platform;
    await sql`
      insert into stored_file (guid, organisation_guid, slot_guid, role, name, size, sha256, storage_key, created_on,
        deleted_on, expires_on)
      select gen_random_uuid(), organisation_guid, guid, 'modified',
        repeat(chr(19968 + n), 64) || ' ' || repeat(chr(20968 + n), 12),
        1, repeat('0', 64), gen_random_uuid()::text, now() + n * interval '1 second', now(), now()
      from slot, generate_series(1, 400) as n where guid = ${slot}`.execute(db);
    expect(
      await find(`search=${encodeURIComponent(String.fromCharCode(19968 + 400).repeat(3))}`),
    ).toEqual(['many.bin']);
    expect((await anna.put(`/api/jobs/${slot}/note`, { note: 'x' })).status).toBe(204);
  });

  // promise j1.jobs.hash
  test('is found by the hash of each of its files, including deleted ones, only by its organisation', async () => {
    const { kessv2SlotGUID: slot } = await decodeWith({ vin: 'VIN0000000000002' }, 'hash.bin');
    const old = image.with(9, 9);
    await keepImage(anna, 'modified', slot, old);
    await sql`update stored_file set deleted_on = now() where sha256 = ${sha256(old)}`.execute(
      portal.platform.db,
    );
    const path = `/api/files-by-hash/${sha256(old).toUpperCase()}`;
    expect(await ask<FoundFile[]>(anna, path)).toMatchObject([
      {
        role: 'modified',
        isThere: false,
        slotGUID: slot,
        workflow: 'kessv2',
        fileName: 'hash.bin',
      },
    ]);
    expect(await ask(stranger, path)).toEqual([]);
    expect((await anna.get('/api/files-by-hash/abc')).status).toBe(404);
    await anna.delete(`/api/jobs/${slot}`);
    expect(await ask<FoundFile[]>(anna, path)).toMatchObject([{ slotGUID: null, name: '…' }]);
  });

  test('is found by several hashes at once', async () => {
    const files = [image.with(7, 1), image.with(7, 2)];
    const slots: string[] = [];
    for (const [at, file] of files.entries()) {
      const { kessv2SlotGUID } = await decodeWith({}, `several${at}.bin`);
      await keepImage(anna, 'modified', kessv2SlotGUID, file);
      slots.push(kessv2SlotGUID);
    }
    const hashes = files.map((file) => sha256(file));
    const found = await ask<FoundFile[]>(anna, `/api/files-by-hash/${hashes.join(',')}`);
    expect(found.map(({ slotGUID, sha256: hash }) => [slotGUID, hash])).toEqual([
      [slots[1], hashes[1]],
      [slots[0], hashes[0]],
    ]);
    const many = Array.from({ length: 51 }, () => hashes[0]).join(',');
    expect((await anna.get(`/api/files-by-hash/${many}`)).status).toBe(400);
  });

  // promise j1.jobs.before
  test('names the earlier jobs with the same read file', async () => {
    const first = await decodeWith({ vin: 'SAMEREAD000000001' }, 'first.bin');
    const second = await decode(anna, first.read, 'second.bin');
    const earlier = async (slot: string): Promise<string[]> =>
      (await ask<JobSummary[]>(anna, `/api/jobs/${slot}/earlier-reads`)).map(
        ({ slotGUID }) => slotGUID,
      );
    expect(await earlier(second.kessv2SlotGUID)).toEqual([first.kessv2SlotGUID]);
    expect(await earlier(first.kessv2SlotGUID)).toEqual([]);
    const path = `/api/jobs/${second.kessv2SlotGUID}/earlier-reads`;
    expect((await stranger.get(path)).status).toBe(404);
    expect((await anna.get('/api/jobs/none/earlier-reads')).status).toBe(404);
  });

  // promise j1.jobs.compare
  test('is compared with images of the same size in all jobs of its organisation', async () => {
    const first = await decodeWith({ vin: 'COMPARED000000001' }, 'Compared Müller.bin');
    const second = await decodeWith({ vin: 'COMPARED000000002' }, 'compared other.bin');
    const { fileGUID } = await keepImage(
      anna,
      'modified',
      first.kessv2SlotGUID,
      image.with(100, 1),
    );
    await encode(anna, { kessv2FileSlotGUID: first.kessv2SlotGUID, modifiedFileGUID: fileGUID });
    const { files } = await jobOf(second.kessv2SlotGUID);
    const decoded = files.find(({ role }) => role === 'decoded')?.fileGUID;
    const comparable = (search: string, client = anna) =>
      client.get(`/api/files/${decoded}/comparable?search=${encodeURIComponent(search)}`);
    const { images: found } = (await comparable('compared muller')).json as ComparableImages;
    expect(found).toMatchObject([
      {
        fileGUID,
        role: 'modified',
        slotGUID: first.kessv2SlotGUID,
        fileName: 'Compared Müller.bin',
        encodedAs: expect.stringMatching(/\.moc$/),
      },
      { role: 'decoded', slotGUID: first.kessv2SlotGUID, encodedAs: null },
    ]);
    const { images: all } = (await anna.get(`/api/files/${decoded}/comparable`))
      .json as ComparableImages;
    expect(all.map((one) => one.fileGUID)).not.toContain(decoded);
    const [newest, ...older] = all;
    const next = await anna.get(`/api/files/${decoded}/comparable?before=${newest?.fileGUID}`);
    expect(next.json).toEqual({ images: older, next: null });
    expect((await comparable('compared muller', stranger)).status).toBe(404);
    const sealed = files.find(({ role }) => role === 'read')?.fileGUID;
    expect((await anna.get(`/api/files/${sealed}/comparable`)).status).toBe(400);
    const compared = await anna.get(`/api/files/${decoded}/comparison/${fileGUID}`);
    expect(compared.json).toMatchObject({ bytes: 1 });
  });

  // promise j1.jobs.compare
  test('is found however many images of the same size are newer', async () => {
    const { db } = portal.platform;
    const own = await decodeWith({ vin: 'SEARCHED000000001' }, 'searched.bin');
    const old = await decodeWith({ vin: 'SEARCHED000000002' }, 'wanted.bin');
    const imageOf = async (slot: string) =>
      (await jobOf(slot)).files.find(({ role }) => role === 'decoded')?.fileGUID ?? '';
    const [decoded, wanted] = [
      await imageOf(own.kessv2SlotGUID),
      await imageOf(old.kessv2SlotGUID),
    ];
    // 5,000 copies of its own image, the oldest of which has expired
    await sql`
      insert into stored_file (guid, organisation_guid, slot_guid, role, component, name, size, sha256, storage_key,
        created_on, expires_on)
      select gen_random_uuid(), organisation_guid, slot_guid, role, component, name, size, sha256, storage_key || n,
        now() + n * interval '1 second', case n when 1 then now() else now() + interval '1 day' end
      from stored_file, generate_series(1, 5000) as n where guid = ${decoded}`.execute(db);
    const search = async (before: string | null) => {
      const next = before === null ? '' : `&before=${before}`;
      const answer = await anna.get(`/api/files/${decoded}/comparable?search=wanted${next}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return answer.json as ComparableImages;
    };
    const first = await search(null);
    expect(first.images).toEqual([]);
    const second = await search(first.next);
    expect(second.images.map(({ fileGUID }) => fileGUID)).toEqual([wanted]);
    expect(second.next).toBeNull();
    await sql`delete from stored_file where storage_key ~ ('^' || (
      select storage_key from stored_file where guid = ${decoded}) || '[0-9]+$')`.execute(db);
  });

  // promise j1.jobs.vehicle
  test('names other jobs of the same vehicle', async () => {
    const information = { vin: 'SAMEVEHICLE000001' };
    const first = await decodeWith(information, 'first.bin');
    const second = await decodeWith(information, 'second.bin');
    const { otherJobs } = await jobOf(second.kessv2SlotGUID);
    expect(otherJobs.map(({ slotGUID }) => slotGUID)).toEqual([first.kessv2SlotGUID]);
  });

  // promise j1.jobs.note
  test('has a note with its author', async () => {
    const { kessv2SlotGUID: slot } = await decodeWith({}, 'noted.bin');
    const path = `/api/jobs/${slot}/note`;
    expect((await anna.put(path, { note: ' Ask for the key. ' })).status).toBe(204);
    expect(await jobOf(slot)).toMatchObject({
      note: 'Ask for the key.',
      notedBy: expect.stringMatching(/^Anna /),
      notedOn: expect.any(String),
    });
    expect((await anna.put(path, { note: 'x'.repeat(2001) })).status).toBe(400);
    expect((await anna.put(path, { note: 'a\0b' })).status).toBe(400);
    expect((await stranger.put(path, { note: 'mine' })).status).toBe(404);
    expect((await anna.put(path, { note: '' })).status).toBe(204);
    expect(await jobOf(slot)).toMatchObject({ note: null, notedBy: null, notedOn: null });
  });
});
