/** Trays: many read files at once, decoded within the quota, each once, and one zip of the results. */
import { createHash } from 'node:crypto';
import { preflightAnswer } from '@recodery/contract/features/recoding/preflight';
import { type Tray, tray as trayShape, type TrayFile } from '@recodery/contract/features/trays';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { readTraySlots } from '../../src/trays/describe-tray.ts';
import { deleteExpiredTrays, mostUnusedTrays } from '../../src/trays/trays.ts';
import type { Answer } from '../fixtures/client.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { untilBlocked } from '../fixtures/database/until-blocked.ts';
import { keepImage, started } from '../journeys/families/kessv2-workflow.ts';
import { startTrays, dropped, image, announced, codeOf } from './tray-workshop.ts';

const { portal, anna, mia, readOf, backupOf, add, get, upload, decodeAll } = await startTrays();

beforeEach(() => portal.startWorker());

// promise 4.tray.decode
test('decodes reads of all families and shows the result of each', async () => {
  const files = [
    await readOf(1),
    await backupOf('ktag', 'KTG-000007'),
    await backupOf('kess3', 'KS3-000042'),
  ];
  const broken = { ...(await readOf(2, 'broken.k2r')) };
  const cut = dropped(broken.name, broken.bytes.slice(0, 900), 'kessv2');
  const tray = await decodeAll([...files, cut]);
  expect(tray.files.map(({ name }) => name)).toEqual([...files, cut].map(({ name }) => name));
  expect(tray.files.map(({ decode }) => decode?.status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'failed',
  ]);
  expect(tray.files.map(({ images }) => images.length)).toEqual([1, 2, 2, 0]);
  expect(tray.files.map(({ draft }) => draft?.files.length)).toEqual([0, 0, 0, undefined]);
  const sha256 = createHash('sha256').update(image(1)).digest('hex');
  expect(tray.files[0]?.images[0]).toMatchObject({ size: 4096, sha256 });
});

describe('a file', () => {
  // promise 4.tray.once
  test('is decoded once, even if it is added or uploaded again', async () => {
    const read = await readOf(3);
    const tray = await decodeAll([read]);
    const copies = await add([read, { ...read, name: 'copy.k2r' }]);
    expect(copies.files).toHaveLength(1);
    const again = await anna.post(`/api/trays/${tray.guid}/files`, { files: announced([read]) });
    expect(trayShape.parse(again.json).files).toHaveLength(1);
    expect(codeOf(await upload(tray, tray.files[0], read))).toBe('400 OPERATION_NOT_POSSIBLE');
    expect((await get(tray)).files[0]?.error).toBeNull();
  });

  test('that is uploaded twice at the same moment is decoded once', async () => {
    await portal.stopWorker();
    const read = await readOf(44);
    const tray = await add([read]);
    const { db } = portal.platform;
    const uploads: Promise<Answer>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`select from organisation for update`.execute(trx);
      uploads.push(upload(tray, tray.files[0], read), upload(tray, tray.files[0], read));
      await untilBlocked(db, 'lock_usage', Promise.race(uploads), uploads.length);
    });
    const codes = (await Promise.all(uploads)).map(({ status, text }) =>
      status === 202 ? 'decoding' : text,
    );
    expect(codes.toSorted()).toEqual(['OPERATION_NOT_POSSIBLE', 'decoding']);
  });

  test('that is decoded while the tray is read is described as it was before', async () => {
    const { guid, files } = await decodeAll([await readOf(40)]);
    const slot = files[0]?.slotGUID ?? '';
    const { db } = portal.platform;
    const organisationId = await findOrganisationByCode(db, 'CC-1001');
    if (organisationId === null) throw new Error('the organisation is not there');
    const setRunning = (isRunning: boolean) =>
      db.transaction().execute(async (trx) => {
        await sql`
          update operation set status = ${isRunning ? 'running' : 'succeeded'},
            lease_until = ${isRunning ? sql`now() + interval '1 hour'` : null}
          where slot_guid = ${slot}`.execute(trx);
        await sql`
          update stored_file set deleted_on = ${isRunning ? sql`now()` : null}
          where slot_guid = ${slot} and role = 'decoded'`.execute(trx);
      });
    const read = async (from: Db) => {
      const [one] = await readTraySlots(from, organisationId, guid);
      const images = one?.files.filter(({ role }) => role === 'decoded');
      return [one?.operations.map(({ status }) => status), images?.length];
    };
    await setRunning(true);
    for (const queries of [1, 2, 3]) {
      expect(await read(meanwhile(db, () => setRunning(false), queries))).toEqual([['running'], 0]);
      expect(await read(db)).toEqual([['succeeded'], 1]);
      await setRunning(true);
    }
    await setRunning(false);
  });

  test('is decoded again after its decode has failed', async () => {
    const read = await readOf(4);
    const cut = dropped('cut.k2r', read.bytes.slice(0, 900), 'kessv2');
    const tray = await decodeAll([cut]);
    await anna.follow(started(await upload(tray, tray.files[0], read)));
    const [file] = (await get(tray)).files;
    expect([file?.decode?.status, file?.sha256]).toEqual(['succeeded', read.sha256]);
  });

  // promise 4.tray.waits
  test('stays in the tray while the quota is full', async () => {
    await portal.stopWorker();
    const files = [await readOf(5), await readOf(6), await readOf(7)];
    const tray = await add(files);
    const answers = [];
    for (const [index, file] of files.entries())
      answers.push(await upload(tray, tray.files[index], file));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect((await get(tray)).files.map(({ decode, error }) => [decode?.status, error])).toEqual([
      ['waiting', null],
      ['waiting', null],
      [undefined, null],
    ]);
    await portal.startWorker();
    await Promise.all(answers.slice(0, 2).map((answer) => anna.follow(started(answer))));
    const [, , last] = files;
    if (last !== undefined) await anna.follow(started(await upload(tray, tray.files[2], last)));
    expect((await get(tray)).files.every(({ decode }) => decode?.isSuccessful)).toBe(true);
  });

  // promise 4.tray.waits
  test('stays in the tray during maintenance', async () => {
    const { db } = portal.platform;
    const read = await readOf(8);
    const tray = await add([read]);
    await sql`update maintenance set is_on = true`.execute(db);
    expect((await upload(tray, tray.files[0], read)).status).toBe(503);
    await sql`update maintenance set is_on = false`.execute(db);
    expect((await get(tray)).files[0]).toMatchObject({ decode: null, error: null });
    expect((await upload(tray, tray.files[0], read)).status).toBe(202);
  });

  test('keeps the reason why it is not decoded', async () => {
    const sealed = { ...(await readOf(9)), error: 'ENCODED_FILE', workflow: null } as const;
    const own = await add([sealed]);
    expect((await get(own)).files[0]?.error).toBe('ENCODED_FILE');
    expect(codeOf(await upload(own, own.files[0], sealed))).toBe('400 OPERATION_NOT_POSSIBLE');
  });

  test('is refused without the rights of its family, and can be uploaded later', async () => {
    const { db } = portal.platform;
    const read = await backupOf('kess3', 'KS3-000042');
    const tray = await add([read]);
    const rights = (may: boolean) =>
      sql`update organisation set may_recod = ${may} where customer_code = 'CC-1001'`.execute(db);
    await rights(false);
    expect(codeOf(await upload(tray, tray.files[0], read))).toBe('403 USER_NO_RIGHTS');
    await rights(true);
    await anna.follow(started(await upload(tray, tray.files[0], read)));
    expect((await get(tray)).files[0]?.decode?.isSuccessful).toBe(true);
  });

  test('has the name of its slot, from which the vehicle data is deleted', async () => {
    const tray = await decodeAll([await readOf(11, 'ZAR93900001234567.k2r')]);
    const { db } = portal.platform;
    const rows = db.selectFrom('tray_file').select('name').where('tray_guid', '=', tray.guid);
    expect(await rows.execute()).toEqual([{ name: null }]);
    await sql`update slot set read_file_name = 'hidden.k2r' where guid = ${tray.files[0]?.slotGUID}`.execute(
      db,
    );
    expect((await get(tray)).files[0]?.name).toBe('hidden.k2r');
  });

  test('can be removed after its decode has failed, while the job of the decode stays', async () => {
    const { name, bytes } = await readOf(19, 'cut.k2r');
    const cut = dropped(name, bytes.slice(0, 900), 'kessv2');
    const tray = await decodeAll([cut]);
    const [file] = tray.files;
    const answer = await anna.delete(`/api/trays/${tray.guid}/files/${file?.guid}`);
    expect(answer.status).toBe(204);
    expect((await get(tray)).files).toEqual([]);
    expect((await anna.get(`/api/jobs/${file?.slotGUID}`)).status).toBe(200);
  });

  test('can be removed until it is uploaded', async () => {
    const files = [await readOf(12), await readOf(13)];
    const tray = await decodeAll(files.slice(0, 1));
    const later = await anna.post(`/api/trays/${tray.guid}/files`, { files: announced(files) });
    const [decoded, waiting] = trayShape.parse(later.json).files;
    const remove = (file: TrayFile | undefined, by = anna) =>
      by.call('DELETE', `/api/trays/${tray.guid}/files/${file?.guid}`);
    expect((await remove(waiting, mia)).status).toBe(404);
    expect((await remove(decoded)).status).toBe(404);
    expect((await remove(waiting)).status).toBe(204);
    expect((await get(tray)).files.map(({ guid }) => guid)).toEqual([decoded?.guid]);
  });
});

test('a file whose decode starts while it is removed stays in the tray', async () => {
  const { db } = portal.platform;
  const read = await readOf(21);
  const other = (await decodeAll([await readOf(20)])).files[0]?.decode?.guid;
  const tray = await add([read]);
  const [file] = tray.files;
  let removing: Promise<Answer> | undefined;
  await db.transaction().execute(async (trx) => {
    // another request starts its decode
    const decode = newGuid();
    await sql`
      insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, status, result, completed_on)
      select ${decode}, organisation_guid, family, workflow, type, slot_guid, request, status, result, completed_on
      from operation where guid = ${other}`.execute(trx);
    await sql`update tray_file set operation_guid = ${decode} where guid = ${file?.guid}`.execute(
      trx,
    );
    removing = anna.delete(`/api/trays/${tray.guid}/files/${file?.guid}`);
    await untilBlocked(db, 'tray_file', removing);
  });
  expect(codeOf((await removing) as Answer)).toContain('404');
  expect((await get(tray)).files.map(({ guid }) => guid)).toEqual([file?.guid]);
});

test('accepts fifty files and refuses the next', async () => {
  const read = await readOf(14);
  const many = Array.from({ length: 50 }, (_, index) => ({
    ...read,
    sha256: null,
    name: `${index}`,
  }));
  const tray = await add(many);
  expect(tray.files.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
  const more = await anna.post(`/api/trays/${tray.guid}/files`, { files: announced([read]) });
  expect(codeOf(more)).toBe('400 BAD_REQUEST');
  const tooMany = await anna.post('/api/trays', { files: announced([...many, read]) });
  expect(codeOf(tooMany)).toBe('400 BAD_REQUEST');
});

test('lists the caller’s own trays, newest first', async () => {
  const first = await add([await readOf(15)]);
  const second = await add([await readOf(16), await readOf(17)]);
  const { json } = await anna.get('/api/trays');
  expect((json as Tray[]).slice(0, 2)).toEqual([
    {
      guid: second.guid,
      name: null,
      createdOn: second.createdOn,
      fileCount: 2,
      firstFileName: 'car-16.k2r',
    },
    {
      guid: first.guid,
      name: null,
      createdOn: first.createdOn,
      fileCount: 1,
      firstFileName: 'car-15.k2r',
    },
  ]);
  expect((await mia.get('/api/trays')).json).toEqual([]);
});

// promise 4.tray.names
test('reads of one slave that are decoded in the same second have different names', async () => {
  const files = [];
  for (let seed = 50; seed < 58; seed += 1) files.push(await readOf(seed));
  const names = (await decodeAll(files)).files.flatMap(({ images }) =>
    images.map(({ name }) => name),
  );
  expect(new Set(names).size).toBe(files.length);
});

// promise 4.tray.limits
test('keeps with a file what could not be checked, until its job is deleted', async () => {
  const tray = await decodeAll([await readOf(19)]);
  const slot = tray.files[0]?.slotGUID ?? '';
  expect(tray.files[0]?.limits).toBeNull();
  const { fileGUID } = await keepImage(anna, 'modified', slot, image(20));
  const answer = preflightAnswer.parse(
    (await anna.get(`/api/kessv2/slots/${slot}/preflight`)).json,
  );
  expect(answer.unchecked).toBeGreaterThan(0);
  expect(answer.draft.files).toEqual({ modified: fileGUID });
  const { limits } = (await get(tray)).files[0] ?? {};
  expect(limits).toEqual({
    draft: answer.draft,
    checks: answer.checks.filter(({ status }) => status === 'unchecked'),
  });
  expect((await anna.delete(`/api/jobs/${slot}`)).status).toBe(204);
  const { check_limits } = await portal.platform.db
    .selectFrom('slot')
    .where('guid', '=', slot)
    .select('check_limits')
    .executeTakeFirstOrThrow();
  expect(check_limits).toBeNull();
});

// promise 4.tray.list
test('can be named by its organisation, and is listed with the name and its first file', async () => {
  const tray = await decodeAll([await readOf(18)]);
  const path = `/api/trays/${tray.guid}/name`;
  expect((await anna.put(path, { name: '  Fleet of March ' })).status).toBe(204);
  expect((await get(tray)).name).toBe('Fleet of March');
  const [listed] = (await anna.get('/api/trays')).json as Tray[];
  expect(listed).toMatchObject({ name: 'Fleet of March', firstFileName: 'car-18.k2r' });
  expect((await anna.put(path, { name: 'x'.repeat(101) })).status).toBe(400);
  expect((await mia.put(path, { name: 'mine' })).status).toBe(404);
  expect((await anna.put(path, { name: '' })).status).toBe(204);
  expect((await get(tray)).name).toBeNull();
});

test('belongs to its organisation', async () => {
  const read = await readOf(30);
  const tray = await add([read]);
  const path = `/api/trays/${tray.guid}`;
  expect((await mia.get(path)).status).toBe(404);
  expect((await mia.post(`${path}/files`, { files: announced([read]) })).status).toBe(404);
  expect((await mia.post(`${path}/ticket`, { fileType: 'Decoded' })).status).toBe(404);
  expect((await upload(tray, tray.files[0], read, mia)).status).toBe(404);
  expect((await get(tray)).files[0]?.decode).toBeNull();
});

test('is deleted when 200 newer ones have no upload either, and kept if it has one', async () => {
  const { db } = portal.platform;
  await db.deleteFrom('tray').execute();
  const read = await readOf(33);
  const small = [dropped('small.bin', new Uint8Array(1), null)];
  const [used, unused, other] = [await add([read]), await add(small), await add(small, mia)];
  started(await upload(used, used.files[0], read));
  await sql`update tray set created_on = now() - interval '1 day' where guid in (${used.guid}, ${unused.guid}, ${other.guid})`.execute(
    db,
  );
  await sql`insert into tray (guid, organisation_guid, account_guid)
    select gen_random_uuid(), organisation_guid, account_guid
    from tray, generate_series(2, ${mostUnusedTrays}::integer) where guid = ${unused.guid}`.execute(
    db,
  );
  expect((await anna.get(`/api/trays/${unused.guid}`)).status).toBe(200);
  await add(small);
  expect((await anna.get(`/api/trays/${unused.guid}`)).status).toBe(404);
  expect((await get(used)).files).toHaveLength(1);
  expect((await mia.get(`/api/trays/${other.guid}`)).status).toBe(200);
});

test('is deleted after the retention, even if nothing was uploaded', async () => {
  const { db } = portal.platform;
  const [old, fresh] = [await add([await readOf(31)]), await add([await readOf(32)])];
  await sql`update tray set created_on = now() - interval '31 days' where guid = ${old.guid}`.execute(
    db,
  );
  const keepFor = (days: number | null) =>
    sql`update organisation set retention_days = ${days}`.execute(db);
  await keepFor(90);
  expect(await deleteExpiredTrays(db, 30, 200)).toBe(0);
  await keepFor(null);
  expect(await deleteExpiredTrays(db, 30, 200)).toBe(1);
  expect((await anna.get(`/api/trays/${old.guid}`)).status).toBe(404);
  expect((await get(fresh)).files).toHaveLength(1);
});
