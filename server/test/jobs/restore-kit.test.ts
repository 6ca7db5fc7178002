/** Restore kits: the read of each job, encoded as it was, which the slave always accepts, and which is in no list. */
import { createHash, randomBytes } from 'node:crypto';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { timeZoneHeader } from '@recodery/contract/headers';
import type { RestoreKit } from '@recodery/contract/features/jobs/job-history';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import type { Tray } from '@recodery/contract/features/trays';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { describeJob } from '../../src/jobs/job-details.ts';
import { notify } from '../../src/postgres/announce.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { readRestoreKit, requestRestoreKit } from '../../src/recoding/restore-kit.ts';
import { findSlot, type Slot } from '../../src/slots/slots.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { callerOf } from '../http/test-server.ts';
import { waitedFor } from '../fixtures/database/until-blocked.ts';
import { resultOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import {
  decode,
  encode,
  protocolOf,
  sealImage,
  started,
} from '../journeys/families/kessv2-workflow.ts';
import { startKits, serial, type KitDependencies } from './kit-workshop.ts';

const { portal, anna, stranger, decodeImage, kitOf, readEncoded, ready, write } = await startKits();

describe('a restore kit', () => {
  // promise j1.kit.background
  test('is prepared after each decode, and is in no list, notification, event and quota', async () => {
    const { slot, image } = await decodeImage();
    await ready(slot);
    const { components } = await write(slot);
    expect(Buffer.from(components[0]?.bytes ?? []).equals(image)).toBe(true);
    const list = await anna.get('/api/operations?count=50');
    const types = (list.json as { asyncOperationType: string }[]).map(
      (one) => one.asyncOperationType,
    );
    expect(types).toEqual(['KESSv2Decode']);
    const bell = await anna.get('/api/async-operation-notifications/?count=20');
    expect(bell.json).toHaveLength(1);
    const { db } = portal.platform;
    const { rows } = await sql<{ guid: string }>`
      select guid from operation where is_background`.execute(db);
    expect(rows).toHaveLength(1);
    expect((await anna.get(`/api/async-operations/${rows[0]?.guid}`)).status).toBe(404);
    const log = await anna.get('/api/operations-log/kessv2');
    expect(log.text.trim().split('\n')).toHaveLength(2);
    const job = (await anna.get(`/api/jobs/${slot}`)).json as Job;
    expect(job.files.map(({ role }) => role)).toEqual(['read', 'decoded', 'id']);
    expect(job.encodedFiles).toBe(0);
  });

  test('contains the image as it was read, and is named so, even if its checksums are wrong', async () => {
    const protocol = protocolOf(1001);
    const image = tuneImage(protocol, 'obd', generateImage(protocol, 'obd', 1), 2);
    const slave = await portal.getSlave('kess3', 'KS3-000042');
    const read = seal(slave, { protocolId: 1001, mode: 'obd', images: new Map([['obd', image]]) });
    const path = '/api/kess3/upload-read-file?skipChecksum=true';
    const result = await resultOf(anna, await uploadTo(anna, path, read));
    const { kess3FileSlotGUID: slot } = result as { kess3FileSlotGUID: string };
    await ready(slot);
    const { fileGUID, fileName } = await kitOf(slot);
    expect(fileName).toMatch(/_as-read\.moc$/);
    const file = await anna.get(`/api/files/${fileGUID}`);
    const { components } = readEncoded(slave, file.bytes);
    expect(Buffer.from(components[0]?.bytes ?? []).equals(image)).toBe(true);
  });

  test('shows in its name the local time of the user who decoded the read', async () => {
    await anna.call('GET', `/api/auth/session/${anna.sessionId}`, {
      headers: { [timeZoneHeader]: 'Pacific/Kiritimati' },
    });
    const { slot } = await decodeImage();
    await ready(slot);
    const { files, restoreKit } = (await anna.get(`/api/jobs/${slot}`)).json as Job;
    /** The hours since the start of the year 1970 in a name with `_yyyyMMdd-HH`. */
    const hoursOf = (name: string | null | undefined) => {
      const [, year, month, day, hour] = /_(\d{4})(\d\d)(\d\d)-(\d\d)\d{4}/.exec(name ?? '') ?? [];
      return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour)) / 3_600_000;
    };
    const decoded = hoursOf(files.find(({ role }) => role === 'decoded')?.name);
    // UTC is 14 hours away; an hour can end between the two
    expect(hoursOf(restoreKit.fileName) - decoded).toBeOneOf([0, 1]);
  });

  // promise j1.kit.damaged
  test('is not ready without its file, and is prepared again on request', async () => {
    const { slot } = await decodeImage();
    await ready(slot);
    const { storage_key: key } = await portal.platform.db
      .selectFrom('stored_file')
      .select('storage_key')
      .where('slot_guid', '=', slot)
      .where('role', '=', 'restore')
      .executeTakeFirstOrThrow();
    await (await openStorage(portal.platform.config)).storage.delete(key);
    expect((await kitOf(slot)).state).toBe('missing');
    await anna.post(`/api/jobs/${slot}/restore-kit`);
    await ready(slot);
    const { fileGUID } = await kitOf(slot);
    expect((await anna.get(`/api/files/${fileGUID}`)).status).toBe(200);
  });

  test('needs no original: only corrections are computed from it', async () => {
    const protocol = protocolOf(1003);
    const image = generateImage(protocol, 'obd', 1);
    const slave = await portal.getSlave('kessv2', serial);
    const { kessv2SlotGUID: slot, ...read } = await decode(anna, sealImage(slave, 1003, image));
    expect(read).toMatchObject({ isChecksumCorrectionNeeded: true });
    await ready(slot);
    const { components } = await write(slot);
    expect(Buffer.from(components[0]?.bytes ?? []).equals(image)).toBe(true);
  });

  test('is neither shown nor sent as encoded by a tray', async () => {
    const slave = await portal.getSlave('kessv2', serial);
    const bytes = sealImage(slave, 9000, new Uint8Array(randomBytes(4096)));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const name = 'read.k2r';
    const file = { name, size: bytes.length, sha256, workflow: 'kessv2', error: null };
    const added = (await anna.post('/api/trays', { files: [file] })).json as Tray;
    const path = `/api/trays/${added.guid}/files/${added.files[0]?.guid}`;
    const upload = await anna.upload('POST', path, { field: 'readFile', bytes, name });
    await anna.follow(started(upload));
    const read = async () => (await anna.get(`/api/trays/${added.guid}`)).json as Tray;
    const [decoded] = (await read()).files;
    await ready(decoded?.slotGUID ?? '');
    expect((await read()).files[0]).toMatchObject({
      decode: { status: 'succeeded' },
      encode: null,
    });
    expect((await anna.get(`/api/trays/${added.guid}/files?fileType=Encoded`)).status).toBe(404);
  });

  test('that is being prepared does not block the deletion of its job, and leaves nothing behind', async () => {
    const { slot } = await decodeImage();
    await ready(slot);
    const { db } = portal.platform;
    await sql`
      update operation set status = 'running', completed_on = null
      where slot_guid = ${slot} and is_background`.execute(db);
    expect((await anna.delete(`/api/jobs/${slot}`)).status).toBe(204);
    const { rows } = await sql`
      select guid from operation where slot_guid = ${slot} and is_background`.execute(db);
    expect(rows).toEqual([]);
    expect((await anna.delete(`/api/jobs/${slot}`)).status).toBe(404);
  });

  /** Makes a job's kit unfinished, or finished again. */
  async function setFinished(trx: Db, slot: string, isFinished: boolean): Promise<void> {
    await sql`
      update operation set status = ${isFinished ? 'succeeded' : 'running'},
        completed_on = ${isFinished ? new Date() : null},
        lease_until = ${isFinished ? null : sql`now() + interval '1 hour'`}
      where slot_guid = ${slot} and is_background`.execute(trx);
    await sql`
      update stored_file set deleted_on = ${isFinished ? null : new Date()}
      where slot_guid = ${slot} and role = 'restore'`.execute(trx);
  }

  test('that is finished while its state is read is not taken for one that must be prepared', async () => {
    const { slot: guid } = await decodeImage();
    await ready(guid);
    const { db } = portal.platform;
    const organisationId = await findOrganisationByCode(db, 'CC-1001');
    const slot = organisationId && (await findSlot(db, organisationId, guid));
    if (slot === null) throw new Error('the job is not there');
    await setFinished(db, guid, false);
    const { reading } = await db.transaction().execute(async (trx) => {
      await sql`lock table operation in access exclusive mode`.execute(trx);
      const reading = readRestoreKit(db, slot);
      await waitedFor(trx);
      await setFinished(trx, guid, true);
      return { reading };
    });
    expect((await reading).kit.state).toBe('ready');
  });

  test.each([
    [
      'shown',
      (deps: KitDependencies, { organisationId, guid }: Slot) =>
        describeJob({ nameProtocol: () => null, ...deps }, organisationId, guid),
    ],
    [
      'requested',
      (deps: KitDependencies, { organisationId, guid }: Slot) =>
        requestRestoreKit(
          {
            parallelOperations: 1,
            organisationBytes: 1,
            hasDiskRoom: async () => true,
            ...deps,
          },
          callerOf(organisationId),
          guid,
        ),
    ],
  ])(
    'that is %s leaves no transaction open while the storage is asked for its file',
    async (_how, ask) => {
      const { slot: guid } = await decodeImage();
      await ready(guid);
      const { db, config, databaseUrl } = portal.platform;
      const organisationId = await findOrganisationByCode(db, 'CC-1001');
      const slot = organisationId && (await findSlot(db, organisationId, guid));
      if (slot === null) throw new Error('the job is not there');
      const { storage } = await openStorage(config);
      const own = openDatabase(databaseUrl, silentLog, {
        size: 1,
        connectMs: 300_000,
      });
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own.db);
      const open: unknown[] = [];
      const head = vi.fn<typeof storage.head>(async (key) => {
        const { rows: found } = await sql`
          select query from pg_stat_activity
          where pid = ${rows[0]?.pid} and xact_start is not null`.execute(db);
        open.push(...found);
        return storage.head(key);
      });
      await ask({ db: own.db, storage: { head }, retentionDays: 30 }, slot);
      await own.end();
      expect(head).toHaveBeenCalledOnce();
      expect(open).toEqual([]);
    },
  );

  // promise j1.kit.again
  test('is sealed again after a later encode for the slave, which refuses the older one', async () => {
    const { slot, image } = await decodeImage();
    await ready(slot);
    const older = await write(slot);
    const later = await encode(anna, { kessv2FileSlotGUID: slot }, 'reencode-decoded-file');
    const file = await anna.get(later.encodedFileURL);
    const slave = await portal.getSlave('kessv2', serial);
    const { number } = readEncoded(slave, file.bytes);
    expect(number).toBeGreaterThan(older.number);
    expect((await kitOf(slot)).state).toBe('outdated');
    expect((await stranger.post(`/api/jobs/${slot}/restore-kit`)).status).toBe(404);
    const asked = await anna.post(`/api/jobs/${slot}/restore-kit`);
    expect([asked.status, (asked.json as RestoreKit).state]).toEqual([200, 'preparing']);
    await ready(slot);
    // the new kit was not downloaded yet, so no slave refuses the encoded file because of it
    const isOutdated = async () => {
      const { files } = (await anna.get(`/api/jobs/${slot}`)).json as Job;
      return files.find(({ fileGUID }) => fileGUID === later.fileGUID)?.isOutdated;
    };
    expect(await isOutdated()).toBe(false);
    const { components, ...restored } = await write(slot);
    await expect.poll(isOutdated).toBe(true);
    expect(restored.number).toBeGreaterThan(number);
    expect(Buffer.from(components[0]?.bytes ?? []).equals(image)).toBe(true);
    expect(((await anna.post(`/api/jobs/${slot}/restore-kit`)).json as RestoreKit).state).toBe(
      'ready',
    );
  });

  test('that waits until its worker is quiet is announced and reserves space once a user requests it', async () => {
    const { db, announce } = portal.platform;
    const { slot } = await decodeImage();
    await ready(slot);
    const ofKit = { slot_guid: slot, is_background: true };
    // as after the decode, while a worker is busy
    await db
      .updateTable('operation')
      .set({ status: 'waiting', lease_until: sql`now() + interval '1 hour'`, completed_on: null })
      .where((eb) => eb.and(ofKit))
      .execute();
    const isRequested = async () => {
      const rows = db
        .selectFrom('operation')
        .select('reserved_bytes')
        .where((eb) => eb.and(ofKit));
      return (await rows.executeTakeFirstOrThrow()).reserved_bytes > 0;
    };
    let due = 0;
    const unsubscribe = announce.subscribe(({ kind }) => {
      if (kind === 'operation-due') due += 1;
    });
    const request = async () => (await anna.post(`/api/jobs/${slot}/restore-kit`)).json;
    expect(await isRequested()).toBe(false);
    expect(await request()).toMatchObject({ state: 'preparing' });
    expect(await isRequested()).toBe(true);
    await expect.poll(() => due).toBe(1);
    expect(await request()).toMatchObject({ state: 'preparing' });
    await notify(db, { kind: 'operation-due', guid: null, organisation: null });
    await expect.poll(() => due).toBe(2);
    unsubscribe();
  });

  test('can be requested for as many jobs at once as operations can run, while users continue to work', async () => {
    const { db } = portal.platform;
    const { slot } = await decodeImage();
    await ready(slot);
    // the kit of this job is missing, and others are being prepared that users have requested
    await sql`delete from operation where slot_guid = ${slot} and is_background`.execute(db);
    await sql`update stored_file set deleted_on = now() where slot_guid = ${slot} and role = 'restore'`.execute(
      db,
    );
    const others: string[] = [];
    while (others.length < portal.platform.config.parallelOperations) {
      const other = await decodeImage();
      await ready(other.slot);
      others.push(other.slot);
    }
    await sql`
      update operation set status = 'running', completed_on = null, reserved_bytes = 1,
        lease_until = now() + interval '1 hour'
      where is_background and slot_guid = any(${others}::uuid[])`.execute(db);
    const request = async () => (await anna.post(`/api/jobs/${slot}/restore-kit`)).status;
    expect(await request()).toBe(429);
    // they are not users' operations
    const { slot: next } = await decodeImage();
    await encode(anna, { kessv2FileSlotGUID: next }, 'reencode-decoded-file');
    await sql`
      update operation set status = 'succeeded', completed_on = now(), lease_until = null, reserved_bytes = 0
      where is_background and status = 'running'`.execute(db);
    expect(await request()).toBe(200);
    await ready(slot);
  });

  // promise j1.kit.reason
  test('reports why there is none: the image was not read', async () => {
    const { slot } = await decodeImage({
      identificationOnly: true,
      components: [],
      protocolId: 1002,
    });
    const kit = await kitOf(slot);
    expect(kit).toMatchObject({ state: 'impossible', reason: 'NOT_READ' });
    expect((await anna.post(`/api/jobs/${slot}/restore-kit`)).status).toBe(400);
  });

  // promise j1.kit.number
  test('has a number that a restored database issues again only after its time', async () => {
    const { db } = portal.platform;
    await sql`update slave_device set last_number = 3, last_encoded_number = 3 where serial_number = ${serial}`.execute(
      db,
    );
    const before = Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 1000) - 5;
    const { slot } = await decodeImage();
    await ready(slot);
    expect((await write(slot)).number).toBeGreaterThan(before);
  });
});
