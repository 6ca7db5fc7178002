/** A late download of a file that expires: it is sealed again from the stored image, once, for the page, a link and programs. */
import { createHash, randomBytes } from 'node:crypto';
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import type { Tray } from '@recodery/contract/features/trays';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendWaiting } from '../../src/audit/audit.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import { sealingsEnded } from '../../src/metrics/metrics.ts';
import { readOperationRow } from '../../src/operations/operation-row.ts';
import { createWebhookData } from '../../src/webhook-data.ts';
import { type ServerTextKey, textsByLocale } from '../../src/texts/texts.ts';
import { type MailServer, sharePathIn, startMailServer } from '../email/mail-server.ts';
import { addProgram, type Program } from '../encoding-api/program.ts';
import type { Client } from '../fixtures/client.ts';
import { type FakeService, startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { allMakes } from '../../src/demo/doubles/makes.ts';
import { type RunningPortal, startTestPortal, testPace } from '../fixtures/running-portal.ts';
import { readZip } from '../fixtures/read-zip.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { encodeEnd, keep } from './encoding-api/vendor-workflow.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const refusal = { status: 400, body: '{"message":"The read is too old."}' } as const;

const expiring = allMakes.filter(({ family }) => doFilesExpire(family));
const lasting = allMakes.filter(({ family }) => !doFilesExpire(family));

test('there is a make whose files expire', () => expect(expiring).not.toEqual([]));

describe.each(expiring)('$family:', (make) => {
  const { family } = make;
  let mails: MailServer;
  let service: FakeService;
  let portal: RunningPortal;
  let anna: Client;

  beforeAll(async () => {
    mails = await startMailServer();
    service = await startFakeService(make);
    const times = { ...testPace.times, patience: 1500, answer: 1500 };
    portal = await startTestPortal(
      {
        RECODERY_SMTP_URL: mails.url,
        RECODERY_MAIL_FROM: 'portal@recodery.test',
        RECODERY_WEBHOOK_ALLOW: '127.0.0.1',
      },
      true,
      { ...testPace, times },
    );
    await addMake(portal.platform, service);
    anna = await portal.signIn('anna@demo.test');
  });
  beforeEach(() => {
    service.behave();
    service.sealed.length = 0;
  });
  afterAll(async () => {
    await portal.stop();
    await service.stop();
    await mails.stop();
  });

  interface Encoded {
    readonly slotGUID: string;
    readonly fileGUID: string;
    /** The image in it. */
    readonly image: Buffer;
  }

  /** Encodes a modified image, and makes the file `hours` old. */
  async function encodeOld(hours: number, email: string | null = null): Promise<Encoded> {
    const original = randomBytes(64);
    const read = { field: 'readFile', bytes: make.seal('Golf', original), name: 'golf' };
    const path = `/api/${family}/upload-read-file`;
    const decoded = await anna.follow(started(await anna.upload('POST', path, read)));
    const slotGUID = decoded.slotGUID ?? '';
    const image = Buffer.from(original).fill(1, 0, 9);
    const place = `/api/${family}/upload-modified-file/${slotGUID}/image`;
    const guid = await keep(anna, place, 'file', image);
    const notificationInfo = email === null ? null : { email, message: null, isPrivate: false };
    const body = { slotGUID, files: { image: guid }, notificationInfo };
    const ended = await encodeEnd(anna, `/api/${family}/encode-file`, body);
    const { fileGUID } = ended.result as { readonly fileGUID: string };
    await makeOlder(fileGUID, hours);
    service.sealed.length = 0;
    return { slotGUID, fileGUID, image };
  }

  async function makeOlder(fileGUID: string, hours: number): Promise<void> {
    const sealedOn = new Date(Date.now() - hours * 3_600_000).toISOString();
    await sql`update operation set result = jsonb_set(result, '{sealedOn}', to_jsonb(${sealedOn}::text))
      where result ->> 'fileGuid' = ${fileGUID}`.execute(portal.platform.db);
  }

  const pathOf = (fileGUID: string): string => `/api/files/${fileGUID}/sealing`;

  async function stateOf(fileGUID: string, client = anna): Promise<SealingState> {
    const { status, json } = await client.get(pathOf(fileGUID));
    expect(status).toBe(200);
    return json as SealingState;
  }

  async function seal(fileGUID: string, client = anna): Promise<SealingState> {
    const { status, json, text } = await client.post(pathOf(fileGUID));
    expect([status, text]).toEqual([200, text]);
    return json as SealingState;
  }

  async function sealUntil(wanted: SealingState['state'], fileGUID: string, client = anna) {
    expect((await seal(fileGUID, client)).state).toBe('sealing');
    await expect.poll(async () => (await stateOf(fileGUID, client)).state).toBe(wanted);
    return stateOf(fileGUID, client);
  }

  async function download(fileGUID: string, client = anna) {
    const { json } = await client.post(`/api/files/${fileGUID}/ticket`);
    const { bytes } = await client.get((json as { readonly url: string }).url);
    return make.open(bytes);
  }

  const describeJob = async (slotGUID: string) =>
    (await anna.get(`/api/jobs/${slotGUID}`)).json as Job;

  // promise e3.makes.sealed
  test('a download after half of its time seals the file again from the stored image', async () => {
    const { slotGUID, fileGUID, image } = await encodeOld(13);
    const { db } = portal.platform;
    // neither the read, nor the upload, nor the decoded image is needed
    await sql`update stored_file set deleted_on = now()
      where slot_guid = ${slotGUID} and role in ('read', 'modified', 'decoded')`.execute(db);
    const ticket = await anna.post(`/api/files/${fileGUID}/ticket`);
    expect(ticket.json).toMatchObject({ canSealAgain: true, isExpired: false });

    const fresh = await sealUntil('fresh', fileGUID);
    expect(fresh.fileGUID).not.toBe(fileGUID);
    expect(Date.parse(fresh.sealedOn ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(await download(fresh.fileGUID)).toEqual({ slave: 'Golf', image });
    expect(service.sealed).toEqual([{ slave: 'Golf', image }]);

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
    const { db } = portal.platform;
    const hook = await anna.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook' });
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
    service.misbehave(refusal, 1);
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
    expect(await createWebhookData(portal.platform)(about, operation)).toMatchObject({
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
    const added = await anna.post('/api/trays', { files });
    const { guid, files: listed } = added.json as Tray;
    const path = `/api/trays/${guid}/files/${listed[0]?.guid}`;
    const upload = { field: 'readFile', bytes, name: 'golf' };
    const { slotGUID } = await anna.follow(started(await anna.upload('POST', path, upload)));
    const body = { slotGUID, files: {} };
    const ended = await encodeEnd(anna, `/api/${family}/encode-file`, body);
    const { fileGUID } = ended.result as { readonly fileGUID: string };
    await makeOlder(fileGUID, 30);
    service.sealed.length = 0;

    const { sealing } = ((await anna.get(`/api/trays/${guid}`)).json as Tray).files[0] ?? {};
    const { sealedOn = '', freshUntil = '', expiresOn = '' } = sealing ?? {};
    expect(Date.parse(expiresOn)).toBeLessThan(Date.now());
    expect(Date.parse(freshUntil) - Date.parse(sealedOn)).toBe(
      Date.parse(expiresOn) - Date.parse(freshUntil),
    );
    const textIn = async (ticket: string, name: string, asked?: object) => {
      const { url } = (await anna.post(ticket, asked)).json as { readonly url: string };
      return new TextDecoder().decode(readZip((await anna.get(url)).bytes).get(name));
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
    expect(service.sealed).toEqual([]);
  });

  test('a download within half of its time takes the file as it is', async () => {
    const { fileGUID } = await encodeOld(11);
    const ticket = await anna.post(`/api/files/${fileGUID}/ticket`);
    expect(ticket.json).toMatchObject({ canSealAgain: false });
    expect(await seal(fileGUID)).toMatchObject({ state: 'fresh', fileGUID });
    expect(service.sealed).toEqual([]);
  });

  test('two requests at once give one sealing, and a later one its result', async () => {
    const { fileGUID } = await encodeOld(30);
    const states = await Promise.all([seal(fileGUID), seal(fileGUID), seal(fileGUID)]);
    for (const { state } of states) expect(['sealing', 'fresh']).toContain(state);
    await expect.poll(async () => (await stateOf(fileGUID)).state).toBe('fresh');
    const fresh = await seal(fileGUID);
    expect(service.sealed).toHaveLength(1);
    // each delivery leads to the newest one
    expect(await seal(fresh.fileGUID)).toMatchObject({ state: 'fresh', fileGUID: fresh.fileGUID });
    await makeOlder(fresh.fileGUID, 30);
    const third = await sealUntil('fresh', fresh.fileGUID);
    expect((await stateOf(fileGUID)).fileGUID).toBe(third.fileGUID);
  });

  test('the stored image counts as storage, and is deleted with the job', async () => {
    const { slotGUID, image } = await encodeOld(0);
    const { db } = portal.platform;
    const plain = () =>
      sql<{ sha256: string; size: number; isDeleted: boolean }>`
        select sha256, size, deleted_on is not null as "isDeleted" from stored_file
        where slot_guid = ${slotGUID} and role = 'plain'`.execute(db);
    const described = { sha256: sha256(image), size: image.length };
    expect((await plain()).rows).toEqual([{ ...described, isDeleted: false }]);
    expect((await describeJob(slotGUID)).files.map(({ role }) => role)).not.toContain('plain');
    expect((await anna.delete(`/api/jobs/${slotGUID}`)).status).toBe(204);
    expect((await plain()).rows).toEqual([{ ...described, isDeleted: true }]);
  });

  // promise e3.makes.sealed
  test('a service that refuses the read is a failure, and the earlier file stays', async () => {
    const { fileGUID, image } = await encodeOld(30);
    service.misbehave(refusal, 1);
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
    service.misbehave({ status: 503 }, 1e5);
    expect(await sealUntil('failed', fileGUID)).toMatchObject({ reason: 'ENGINE_UNAVAILABLE' });
  });

  test.each(['no image', 'only a part of the images'])(
    'a file of which %s is stored is delivered as it is',
    async (what) => {
      const { slotGUID, fileGUID } = await encodeOld(30);
      const { db } = portal.platform;
      if (what !== 'no image')
        await sql`insert into stored_file
          select (jsonb_populate_record(image, jsonb_build_object('guid', gen_random_uuid()))).*
          from stored_file as image where slot_guid = ${slotGUID} and role = 'plain'`.execute(db);
      await sql`update stored_file set deleted_on = now() where guid =
        (select max(guid::text)::uuid from stored_file where slot_guid = ${slotGUID} and role = 'plain')`.execute(
        db,
      );
      expect(await seal(fileGUID)).toMatchObject({ state: 'impossible', fileGUID });
      const { json } = await anna.post(`/api/files/${fileGUID}/ticket`);
      expect(json).toMatchObject({ canSealAgain: false, isExpired: true });
      const { files } = await describeJob(slotGUID);
      expect(files.find((file) => file.fileGUID === fileGUID)?.canSealAgain).toBe(false);
      expect(service.sealed).toEqual([]);
    },
  );

  describe('the link of an email', () => {
    const contains = (page: string, key: ServerTextKey) =>
      [...textsByLocale.values()].some((texts) => page.includes(texts[key]));

    async function openLink(hours: number) {
      const encoded = await encodeOld(hours, 'garage@rossi.test');
      const url = new URL(sharePathIn(await mails.next()), portal.url);
      const show = async () => {
        const answer = await fetch(url);
        return { page: await answer.text(), refresh: answer.headers.get('refresh') };
      };
      return { ...encoded, url, show };
    }

    // promise e3.makes.sealed
    test('seals the file again when it is used, and not when it is opened', async () => {
      const { url, show, image, slotGUID, fileGUID } = await openLink(30);
      const opened = await show();
      expect([contains(opened.page, 'shareSealDue'), opened.refresh]).toEqual([true, null]);
      // the times of a file that is not sent
      expect(contains(opened.page, 'shareWriteBefore')).toBe(false);
      expect((await stateOf(fileGUID)).state).toBe('due');

      const used = await fetch(url, { method: 'POST' });
      expect([used.status, used.headers.get('refresh')]).toEqual([202, '3']);
      expect(contains(await used.text(), 'shareSealing')).toBe(true);
      await expect.poll(async () => (await show()).refresh).toBeNull();
      const { page } = await show();
      const { sealedOn } = await stateOf(fileGUID);
      expect(page).toContain(`datetime="${sealedOn}"`);
      const { rows } = await sql<{ code: string }>`select code from receipt
        where slot_guid = ${slotGUID} order by issued_on desc`.execute(portal.platform.db);
      const codes = rows.map(({ code }) => page.includes(`/${code}"`));
      expect(codes).toEqual([true, false]);
      const taken = await fetch(url, { method: 'POST' });
      expect(taken.status).toBe(200);
      expect(make.open(new Uint8Array(await taken.arrayBuffer()))).toEqual({
        slave: 'Golf',
        image,
      });
      expect(service.sealed).toHaveLength(1);
      const delivered = (await describeJob(slotGUID)).files.at(-1);
      expect(delivered).toMatchObject({
        sealedAgain: { fileGUID, kind: 'link', name: 'garage@rossi.test' },
      });
    });

    test('offers the earlier file if the service refuses', async () => {
      const { url, show, image, slotGUID, fileGUID } = await openLink(30);
      service.misbehave(refusal, 1);
      await fetch(url, { method: 'POST' });
      await expect.poll(async () => contains((await show()).page, 'shareSealRefused')).toBe(true);
      const earlier = await fetch(`${url.href}?delivery=earlier`, { method: 'POST' });
      expect(earlier.status).toBe(200);
      expect(make.open(new Uint8Array(await earlier.arrayBuffer()))).toEqual({
        slave: 'Golf',
        image,
      });
      expect(service.sealed).toEqual([]);
      const starts = async () => {
        const { db } = portal.platform;
        while ((await appendWaiting(db)) > 0);
        let count = 0;
        for await (const { entry } of listAudit(db, { action: 'share.sealAgain' }))
          if (entry.object?.['file'] === fileGUID) count += 1;
        return count;
      };
      expect(await starts()).toBe(1);

      // anyone may have the link: it must not be a way to flood the service
      await fetch(url, { method: 'POST' });
      expect((await stateOf(fileGUID)).state).toBe('failed');
      await sql`update operation set completed_on = now() - interval '11 minutes'
        where slot_guid = ${slotGUID} and is_background`.execute(portal.platform.db);
      await fetch(url, { method: 'POST' });
      await expect.poll(async () => (await stateOf(fileGUID)).state).toBe('fresh');
      expect([await starts(), service.sealed.length]).toEqual([2, 1]);
    });
  });

  test('shows a receiver neither the name that the file has nor the words of the service', async () => {
    const { fileGUID } = await encodeOld(30, 'garage@rossi.test');
    const luca = await portal.signIn('luca@demo.test');
    await sql`update notification set target_file_name = 'shared', receiver_organisation_guid =
        (select guid from organisation where name = 'Garage Rossi')
      where target_file_guid = ${fileGUID}`.execute(portal.platform.db);
    service.misbehave(refusal, 1);
    const failed = await sealUntil('failed', fileGUID, luca);
    expect(failed).toMatchObject({ reason: 'ENGINE_REFUSED', detail: null });
    expect(failed).not.toHaveProperty('fileName');
  });

  test('is not sealed again for another organisation', async () => {
    const { fileGUID } = await encodeOld(30);
    const luca = await portal.signIn('luca@demo.test');
    await luca.post('/api/session/customer-code', { customerCode: 'CC-1002' });
    expect((await luca.post(pathOf(fileGUID))).status).toBe(404);
    expect((await luca.get(pathOf(fileGUID))).status).toBe(404);
  });

  /** A read that a program has decoded, and how it encodes it. */
  async function openSlotOf(program: Program) {
    const read = make.seal('Golf', randomBytes(64));
    const decoded = await program.decode(`/api/${family}/decode-read-file/C-1`, read);
    const { slotGUID } = await program.succeed(decoded);
    const encode = async () => {
      const body = { [`${family}FileSlotGUID`]: slotGUID };
      const asked = await program.post(`/api/${family}/encode-file`, body);
      const address = (await program.succeed(asked)).result['encodedFileURL'] ?? '';
      return { address, fileGUID: /files\/([^/?]+)/.exec(address)?.[1] ?? '' };
    };
    return { slotGUID, encode };
  }

  test('a program gets the file that was encoded last, though an earlier one was sealed again', async () => {
    const program = await addProgram(portal);
    const { slotGUID, encode } = await openSlotOf(program);
    const first = await encode();
    const last = await encode();
    await makeOlder(first.fileGUID, 30);
    await sealUntil('fresh', first.fileGUID);
    const path = `/api/${family}/file-slots/${slotGUID}/files/?fileType=Encoded`;
    expect((await program.get(path)).json).toEqual((await program.get(last.address)).json);
  });

  // promise e3.makes.sealed
  test('a program repeats its request until the file is sealed again', async () => {
    const program = await addProgram(portal);
    const { address, fileGUID } = await (await openSlotOf(program)).encode();
    expect((await program.get(address)).status).toBe(200);
    await makeOlder(fileGUID, 30);
    service.sealed.length = 0;
    service.misbehave(refusal, 1);
    const first = await program.get(address);
    expect([first.status, first.text]).toEqual([409, 'FILE_BEING_SEALED']);
    expect(first.headers.get('retry-after')).not.toBeNull();
    const poll = async (query = '') => (await program.get(address + query)).text.slice(0, 17);
    await expect.poll(() => poll()).toBe('ENGINE_REFUSED');
    expect((await program.get(`${address}?seal=earlier`)).status).toBe(200);
    expect(service.sealed).toEqual([]);
    expect(await poll('?seal=again')).toBe('FILE_BEING_SEALED');
    await expect.poll(async () => (await program.get(address)).status).toBe(200);
    expect(service.sealed).toHaveLength(1);
  });
});

test.each(lasting)('$family: a file that does not expire is never sealed again', async (make) => {
  const service = await startFakeService(make);
  const portal = await startTestPortal();
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
  await portal.stop();
  await service.stop();
});
