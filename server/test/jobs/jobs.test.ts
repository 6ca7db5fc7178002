/** Jobs over HTTP: what the list and a job contain, how jobs are found, and what is kept and deleted. */
import { createHash } from 'node:crypto';
import type { ComparableImages } from '@recodery/contract/features/comparison';
import { decodeResult as ktagResult } from '@recodery/contract/families/ktag';
import { informationKeys } from '@recodery/contract/families/information';
import {
  type FoundFile,
  type Job,
  type JobFilters,
  type JobSummary,
  vehicleInformation,
} from '@recodery/contract/features/jobs/jobs';
import { idempotencyHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { describeJob } from '../../src/jobs/job-details.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { sweep } from '../../src/upkeep/sweep.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Client } from '../fixtures/client.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { waitedFor } from '../fixtures/database/until-blocked.ts';
import { imagesOf, resultOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import { decode, encode, keepImage, sealImage } from '../journeys/families/kessv2-workflow.ts';

const image = new Uint8Array(4096).fill(7);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let portal: RunningPortal;
let anna: Client;
let stranger: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_RETENTION_DAYS: '30' });
  [anna, stranger] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('luca@demo.test'),
  ]);
});
afterAll(() => portal.stop());

async function decodeWith(information: Readonly<Record<string, string>>, name: string) {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const read = sealImage(slave, 9000, image, { information });
  return { ...(await decode(anna, read, name)), read };
}

async function ask<T>(client: Client, path: string): Promise<T> {
  const answer = await client.get(path);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as T;
}

const jobOf = (slot: string) => ask<Job>(anna, `/api/jobs/${slot}`);
const find = async (query: string, client = anna) =>
  (await ask<JobSummary[]>(client, `/api/jobs?${query}`)).map(({ fileName }) => fileName);

test('a job has a field for all information that a slave can report', () => {
  expect(Object.keys(vehicleInformation.shape)).toEqual([...informationKeys]);
});

describe('the list of jobs', () => {
  // promise j1.jobs.search
  test('finds a job by parts of all that is known about it, and nothing else', async () => {
    const information = {
      vin: 'WVWZZZ1KZAW000123',
      hardware: '0281012345',
      software: '03L906018AB',
    };
    const { kessv2SlotGUID } = await decodeWith(information, 'Golf_Meier.bin');
    await decodeWith({ vin: 'ZAR93900001234567', hardware: 'HW-1' }, 'giulia.bin');
    await anna.put(`/api/jobs/${kessv2SlotGUID}/note`, { note: 'Stage 1, ohne DPF' });
    for (const word of [
      'WVWZZZ1KZAW000123',
      'zaw000123',
      '0281012345',
      '281012345',
      '906018ab',
      'meier',
      'golf_meier.bin',
      'eier.BIN golf',
      'golf_meier.b',
      'golf_meier.bi',
      'r.bin meier',
      'KV2-000007 meier 1',
      'dpf stage',
      'KV2-000007 meier',
      'ref-open golf',
      '0281012345 000123',
    ])
      expect([word, await find(`search=${encodeURIComponent(word)}`)]).toEqual([
        word,
        ['Golf_Meier.bin'],
      ]);
    for (const word of ['meierx', 'mei.bin', '!!!', "'", '\\', 'a:*', 'golf giulia'])
      expect([word, await find(`search=${encodeURIComponent(word)}`)]).toEqual([word, []]);
    expect((await anna.get('/api/jobs?search=%00')).status).toBe(400);
  });

  // promise j1.jobs.accents
  test('ignores accents, case and variants of letters, in the search and in what is found', async () => {
    const names = ['Müller Łódź.bin', 'strasse søren.bin', 'Ёлка Ægir.bin'] as const;
    for (const name of names) await decodeWith({ vin: 'VIN0000000000009' }, name);
    // as macOS stores names: letter and accent separately
    await decodeWith({ vin: 'VIN0000000000009' }, 'Élan.bin'.normalize('NFD'));
    for (const [word, name] of [
      ['muller', names[0]],
      ['MÜLLER', names[0]],
      ['müll', names[0]],
      ['u\u0308ller', names[0]],
      ['lodz', names[0]],
      ['łódź.bin', names[0]],
      ['lodz.bin', names[0]],
      ['straße', names[1]],
      ['STRASSE', names[1]],
      ['soren', names[1]],
      ['SØREN', names[1]],
      ['ｓｏｒｅｎ', names[1]],
      ['елка', names[2]],
      ['ЁЛКА', names[2]],
      ['aegir', names[2]],
      ['æGIR', names[2]],
    ] as const)
      expect([word, await find(`search=${encodeURIComponent(word)}`)]).toEqual([word, [name]]);
    expect(await find(`search=${encodeURIComponent('élan')}`)).toHaveLength(1);
    expect(await find('search=elan')).toHaveLength(1);
  });

  // promise j1.jobs.list
  test('is newest first, in pages, with filters, and of one organisation', async () => {
    const names = ['one.bin', 'two.bin', 'three.bin'];
    for (const name of names) await decodeWith({ vin: 'VF1AAAAA123456789' }, name);
    const [newest] = await ask<JobSummary[]>(anna, '/api/jobs?count=1');
    expect(newest).toMatchObject({
      fileName: 'three.bin',
      vin: 'VF1AAAAA123456789',
      slaveSerialNumber: 'KV2-000007',
      protocolName: 'REF-OPEN',
      isKept: false,
      note: null,
      encodedFiles: 0,
    });
    expect(await find(`count=2&before=${newest?.slotGUID}`)).toEqual(['two.bin', 'one.bin']);
    const { devices, people } = await ask<JobFilters>(anna, '/api/job-filters');
    expect(devices).toEqual(['KV2-000007']);
    expect(people.map(({ displayName }) => displayName)).toEqual([expect.stringMatching(/^Anna /)]);
    const all = await find('');
    expect(await find(`person=${people[0]?.guid}&device=KV2-000007&family=kessv2`)).toEqual(all);
    expect(await ask(anna, '/api/jobs-count')).toEqual({ jobs: all.length, hasMore: false });
    expect(await ask(anna, '/api/jobs-count?search=two.bin')).toEqual({ jobs: 1, hasMore: false });
    expect(await ask(stranger, '/api/jobs-count')).toEqual({ jobs: 0, hasMore: false });
    expect(await find('family=ktag')).toEqual([]);
    expect(await find('device=KV2')).toEqual([]);
    expect(await find('to=2026-01-01T00:00:00.000Z')).toEqual([]);
    expect(await find('from=2026-01-01T00:00:00.000Z')).toEqual(all);
    for (const time of ['0000-01-01T00:00:00Z', `2026-01-01T00:00:00.${'1'.repeat(35)}Z`])
      expect([time, (await anna.get(`/api/jobs?from=${time}`)).status]).toEqual([time, 400]);
    expect(await find('', stranger)).toEqual([]);
    expect((await stranger.get(`/api/jobs/${newest?.slotGUID}`)).status).toBe(404);
    expect(await ask<JobFilters>(stranger, '/api/job-filters')).toEqual({
      devices: [],
      people: [],
    });
  });
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

async function sweepNow() {
  const { db, log, config } = portal.platform;
  const { storage } = await openStorage(config);
  const retentionBounds = { least: 10, most: 3650 };
  return sweep({ db, log, storage, retentionDays: 30, retentionBounds, auditDays: 400 });
}

async function age(slot: string, days: number): Promise<void> {
  const { db } = portal.platform;
  const by = sql`make_interval(days => ${days})`;
  await sql`update slot set created_on = created_on - ${by} where guid = ${slot}`.execute(db);
  await sql`update stored_file set created_on = created_on - ${by}, expires_on = expires_on - ${by}
    where slot_guid = ${slot}`.execute(db);
}

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
