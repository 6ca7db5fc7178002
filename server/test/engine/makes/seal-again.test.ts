/** A late download of a file that expires: it is sealed again from the stored image, once. */
import { createHash, randomBytes } from 'node:crypto';
import type { Tray } from '@recodery/contract/features/trays';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealingsEnded } from '../../../src/metrics/metrics.ts';
import { readOperationRow } from '../../../src/operations/operation-row.ts';
import { createWebhookData } from '../../../src/webhook-data.ts';
import { startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { readZip } from '../../fixtures/read-zip.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import { encodeEnd } from '../encoding-api/vendor-workflow.ts';
import { expiring, refusal, useSealing } from './sealing-workshop.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const lasting = allMakes.filter(({ family }) => !doFilesExpire(family));

test('there is a make whose files expire', () => expect(expiring).not.toEqual([]));

describe.each(expiring)('$family:', (make) => {
  const { family } = make;
  const {
    workshop,
    encodeOld,
    makeOlder,
    pathOf,
    stateOf,
    seal,
    sealUntil,
    download,
    describeJob,
  } = useSealing(make);

  // promise e3.makes.sealed
  test('a download after half of its time seals the file again from the stored image', async () => {
    const { slotGUID, fileGUID, image } = await encodeOld(13);
    const { db } = workshop.portal.platform;
    // neither the read, nor the upload, nor the decoded image is needed
    await sql`update stored_file set deleted_on = now()
      where slot_guid = ${slotGUID} and role in ('read', 'modified', 'decoded')`.execute(db);
    const ticket = await workshop.anna.post(`/api/files/${fileGUID}/ticket`);
    expect(ticket.json).toMatchObject({ canSealAgain: true, isExpired: false });

    const fresh = await sealUntil('fresh', fileGUID);
    expect(fresh.fileGUID).not.toBe(fileGUID);
    expect(Date.parse(fresh.sealedOn ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(await download(fresh.fileGUID)).toEqual({ slave: 'Golf', image });
    expect(workshop.service.sealed).toEqual([{ slave: 'Golf', image }]);

    const encodedOf = async () =>
      (await describeJob(slotGUID)).files.filter(({ role }) => role === 'encoded');
    // counted after the last byte has been sent
    await expect.poll(async () => (await encodedOf()).at(-1)?.downloadCount).toBe(1);
    const [first, second, ...others] = await encodedOf();
    expect(others).toEqual([]);
    expect(first?.sealedAgain).toBeUndefined();
    expect(second).toMatchObject({
      fileGUID: fresh.fileGUID,
      sealedAgain: { fileGUID, kind: 'user', name: expect.stringContaining('Anna') },
      sealedOn: fresh.sealedOn,
      madeFrom: first?.madeFrom,
    });
    // its receipt names the image, and the file that was delivered
    const receipts = await sql<{ receipt: string; encoded: string }>`
      select receipt, encoded_sha256 as encoded from receipt where slot_guid = ${slotGUID}`.execute(
      db,
    );
    expect(receipts.rows.map(({ encoded }) => encoded)).toEqual([first?.sha256, second?.sha256]);
    for (const { receipt } of receipts.rows) {
      const content = Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString();
      expect(content).toContain(sha256(image));
    }
  });

  // promise e3.makes.sealed
  test('a sealing is counted, and announced to the endpoints of the organization', async () => {
    const { db } = workshop.portal.platform;
    const hook = await workshop.anna.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook' });
    expect(hook.status).toBe(200);
    const countOf = async (outcome: string) => {
      const { values } = await sealingsEnded.get();
      return values.find(({ labels }) => labels.family === family && labels.outcome === outcome)
        ?.value;
    };
    expect((await sealingsEnded.get()).values.map(({ labels }) => labels.outcome)).toEqual(
      expect.arrayContaining(['succeeded', 'refused', 'failed']),
    );
    const before = (await countOf('succeeded')) ?? 0;
    const { fileGUID } = await encodeOld(13);
    workshop.service.misbehave(refusal, 1);
    await sealUntil('failed', fileGUID);
    const messages = () =>
      db.selectFrom('webhook_message').where('type', '=', 'file.sealed').selectAll().execute();
    expect(await messages()).toEqual([]);
    expect(await countOf('refused')).toBeGreaterThan(0);

    const fresh = await sealUntil('fresh', fileGUID);
    const [message, ...others] = await messages();
    expect(others).toEqual([]);
    expect((await countOf('succeeded')) ?? 0).toBe(before + 1);
    const rows = await db
      .selectFrom('operation')
      .where('guid', '=', message?.operation_guid ?? '')
      .selectAll()
      .execute();
    const [operation] = rows.map(readOperationRow);
    if (operation === undefined) throw new Error('the message is about no operation');
    const { organisationId } = operation;
    const about = {
      ...({ type: 'file.sealed', clientGuid: null, organisationId, attempt: 1 } as const),
      ...{ guid: message?.guid ?? '', webhookId: message?.webhook_id ?? '' },
      endpointGuid: message?.endpoint_guid ?? '',
      ...{ operationGuid: operation.guid, senderOrganisationId: organisationId },
      createdOn: new Date(),
    };
    expect(await createWebhookData(workshop.portal.platform)(about, operation)).toMatchObject({
      isSuccessful: true,
      firstFileGUID: fileGUID,
      result: {
        encodedFileURL: expect.stringContaining(fresh.fileGUID),
        sealedOn: expect.any(String),
        expiresOn: expect.any(String),
      },
    });
  });

  // promise e3.makes.sealed
  test('the zip of a tray and an export state when each file was sealed, and seal none again', async () => {
    const bytes = make.seal('Golf', randomBytes(64));
    const file = { name: 'golf', size: bytes.length, sha256: sha256(bytes) };
    const files = [{ ...file, workflow: family, error: null }];
    const added = await workshop.anna.post('/api/trays', { files });
    const { guid, files: listed } = added.json as Tray;
    const path = `/api/trays/${guid}/files/${listed[0]?.guid}`;
    const upload = { field: 'readFile', bytes, name: 'golf' };
    const { slotGUID } = await workshop.anna.follow(
      started(await workshop.anna.upload('POST', path, upload)),
    );
    const body = { slotGUID, files: {} };
    const ended = await encodeEnd(workshop.anna, `/api/${family}/encode-file`, body);
    const { fileGUID } = ended.result as { readonly fileGUID: string };
    await makeOlder(fileGUID, 30);
    workshop.service.sealed.length = 0;

    const { sealing } =
      ((await workshop.anna.get(`/api/trays/${guid}`)).json as Tray).files[0] ?? {};
    const { sealedOn = '', freshUntil = '', expiresOn = '' } = sealing ?? {};
    expect(Date.parse(expiresOn)).toBeLessThan(Date.now());
    expect(Date.parse(freshUntil) - Date.parse(sealedOn)).toBe(
      Date.parse(expiresOn) - Date.parse(freshUntil),
    );
    const textIn = async (ticket: string, name: string, asked?: object) => {
      const { url } = (await workshop.anna.post(ticket, asked)).json as { readonly url: string };
      return new TextDecoder().decode(readZip((await workshop.anna.get(url)).bytes).get(name));
    };
    const list = await textIn(`/api/trays/${guid}/ticket`, 'manifest.txt', { fileType: 'Encoded' });
    const [head = '', line = ''] = list.split('\r\n');
    expect(head.split('\t').slice(-3)).toEqual(['Sealed', 'Write before', 'Engine']);
    expect(line.split('\t').slice(-3)).toEqual([sealedOn, expiresOn, '']);

    const manifest = JSON.parse(await textIn('/api/jobs-export/ticket', 'manifest.json')) as {
      readonly jobs: readonly { readonly guid: string; readonly files: readonly object[] }[];
    };
    const exported = manifest.jobs.find((job) => job.guid === slotGUID)?.files ?? [];
    expect(exported).toContainEqual(
      expect.objectContaining({ guid: fileGUID, role: 'encoded', sealedOn, expiresOn }),
    );
    expect(exported.filter((one) => 'sealedOn' in one)).toHaveLength(1);
    expect(workshop.service.sealed).toEqual([]);
  });

  test('a download within half of its time takes the file as it is', async () => {
    const { fileGUID } = await encodeOld(11);
    const ticket = await workshop.anna.post(`/api/files/${fileGUID}/ticket`);
    expect(ticket.json).toMatchObject({ canSealAgain: false });
    expect(await seal(fileGUID)).toMatchObject({ state: 'fresh', fileGUID });
    expect(workshop.service.sealed).toEqual([]);
  });

  test('two requests at once give one sealing, and a later one its result', async () => {
    const { fileGUID } = await encodeOld(30);
    const states = await Promise.all([seal(fileGUID), seal(fileGUID), seal(fileGUID)]);
    for (const { state } of states) expect(['sealing', 'fresh']).toContain(state);
    await expect.poll(async () => (await stateOf(fileGUID)).state).toBe('fresh');
    const fresh = await seal(fileGUID);
    expect(workshop.service.sealed).toHaveLength(1);
    // each delivery leads to the newest one
    expect(await seal(fresh.fileGUID)).toMatchObject({ state: 'fresh', fileGUID: fresh.fileGUID });
    await makeOlder(fresh.fileGUID, 30);
    const third = await sealUntil('fresh', fresh.fileGUID);
    expect((await stateOf(fileGUID)).fileGUID).toBe(third.fileGUID);
  });

  test('the stored image counts as storage, and is deleted with the job', async () => {
    const { slotGUID, image } = await encodeOld(0);
    const { db } = workshop.portal.platform;
    const plain = () =>
      sql<{ sha256: string; size: number; isDeleted: boolean }>`
        select sha256, size, deleted_on is not null as "isDeleted" from stored_file
        where slot_guid = ${slotGUID} and role = 'plain'`.execute(db);
    const described = { sha256: sha256(image), size: image.length };
    expect((await plain()).rows).toEqual([{ ...described, isDeleted: false }]);
    expect((await describeJob(slotGUID)).files.map(({ role }) => role)).not.toContain('plain');
    expect((await workshop.anna.delete(`/api/jobs/${slotGUID}`)).status).toBe(204);
    expect((await plain()).rows).toEqual([{ ...described, isDeleted: true }]);
  });

  // promise e3.makes.sealed
  test('a service that refuses the read is a failure, and the earlier file stays', async () => {
    const { fileGUID, image } = await encodeOld(30);
    workshop.service.misbehave(refusal, 1);
    const failed = await sealUntil('failed', fileGUID);
    expect(failed).toMatchObject({
      reason: 'ENGINE_REFUSED',
      detail: expect.stringContaining('The read is too old.'),
      fileGUID,
    });
    expect(await download(fileGUID)).toEqual({ slave: 'Golf', image });
    expect((await sealUntil('fresh', fileGUID)).fileGUID).not.toBe(fileGUID);
  });

  test('a service that does not respond is a failure that says so', async () => {
    const { fileGUID } = await encodeOld(30);
    workshop.service.misbehave({ status: 503 }, 1e5);
    expect(await sealUntil('failed', fileGUID)).toMatchObject({ reason: 'ENGINE_UNAVAILABLE' });
  });

  test.each(['no image', 'only a part of the images'])(
    'a file of which %s is stored is delivered as it is',
    async (what) => {
      const { slotGUID, fileGUID } = await encodeOld(30);
      const { db } = workshop.portal.platform;
      if (what !== 'no image')
        await sql`insert into stored_file
          select (jsonb_populate_record(image, jsonb_build_object('guid', gen_random_uuid()))).*
          from stored_file as image where slot_guid = ${slotGUID} and role = 'plain'`.execute(db);
      await sql`update stored_file set deleted_on = now() where guid =
        (select max(guid::text)::uuid from stored_file where slot_guid = ${slotGUID} and role = 'plain')`.execute(
        db,
      );
      expect(await seal(fileGUID)).toMatchObject({ state: 'impossible', fileGUID });
      const { json } = await workshop.anna.post(`/api/files/${fileGUID}/ticket`);
      expect(json).toMatchObject({ canSealAgain: false, isExpired: true });
      const { files } = await describeJob(slotGUID);
      expect(files.find((file) => file.fileGUID === fileGUID)?.canSealAgain).toBe(false);
      expect(workshop.service.sealed).toEqual([]);
    },
  );

  test('is not sealed again for another organisation', async () => {
    const { fileGUID } = await encodeOld(30);
    const luca = await workshop.portal.signIn('luca@demo.test');
    await luca.post('/api/session/customer-code', { customerCode: 'CC-1002' });
    expect((await luca.post(pathOf(fileGUID))).status).toBe(404);
    expect((await luca.get(pathOf(fileGUID))).status).toBe(404);
  });
});

describe('a file that does not expire', () => {
  let portal: RunningPortal;
  beforeAll(async () => {
    portal = await startTestPortal();
  });
  afterAll(() => portal.stop());

  test.each(lasting)('of $family is never sealed again', async (make) => {
    const service = await startFakeService(make);
    await addMake(portal.platform, service);
    const anna = await portal.signIn('anna@demo.test');
    const read = { field: 'readFile', bytes: make.seal('Golf', randomBytes(64)), name: 'golf' };
    const path = `/api/${make.family}/upload-read-file`;
    const { slotGUID } = await anna.follow(started(await anna.upload('POST', path, read)));
    const ended = await encodeEnd(anna, `/api/${make.family}/encode-file`, { slotGUID, files: {} });
    const { fileGUID } = ended.result as { readonly fileGUID: string };
    expect((await anna.post(`/api/files/${fileGUID}/sealing`)).json).toMatchObject({
      state: 'lasting',
      fileGUID,
    });
    const roles = await portal.platform.db.selectFrom('stored_file').select('role').execute();
    expect(roles.map(({ role }) => role)).not.toContain('plain');
    await service.stop();
  });
});
