/** Sending encoded files of jobs over HTTP, and what a job shows about emails and downloads. */
import type { Job } from '@recodery/contract/features/jobs/jobs';
import type { Sending } from '@recodery/contract/features/jobs/job-history';
import { idempotencyHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getToken, writeShareLink } from '../../src/email/link-token.ts';
import { listExpiredSlots } from '../../src/slots/slot-expiry.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import type { Client } from '../fixtures/client.ts';
import {
  listOf,
  type Sending as Workshop,
  startSending,
  vin,
} from '../notifications/sending-workshop.ts';

let workshop: Workshop;
let anna: Client;
let luca: Client;
beforeAll(async () => {
  workshop = await startSending();
  ({ anna, luca } = workshop);
});
afterAll(() => workshop.portal.stop());

async function readJob(client = anna): Promise<Job> {
  const answer = await client.get(`/api/jobs/${workshop.slot}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as Job;
}

/** Encodes without sending; returns the file. */
async function encodeFile(): Promise<{ readonly guid: string; readonly url: string }> {
  const { result } = await workshop.send(null);
  const { fileGUID, encodedFileURL } = result as { fileGUID: string; encodedFileURL: string };
  return { guid: fileGUID, url: encodedFileURL };
}

const address = (file: string, slot = workshop.slot) => `/api/jobs/${slot}/files/${file}/send`;

async function send(file: string, info: object, headers = {}): Promise<Sending> {
  const answer = await anna.call('POST', address(file), {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ notificationInfo: info }),
  });
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return answer.json as Sending;
}

const fileOf = async (guid: string) => {
  const file = (await readJob()).files.find(({ fileGUID }) => fileGUID === guid);
  if (file === undefined) throw new Error('there is no such file');
  return file;
};
const downloadsOf = async (guid: string) =>
  ((await fileOf(guid)).downloads ?? []).map(({ kind, name }) => [kind, name]);

// promise j1.sending.later, j1.sending.again, j1.sending.status
test('an encoded file is sent after it was tested, and again to another address', async () => {
  const { guid } = await encodeFile();
  expect((await fileOf(guid)).sendings).toEqual([]);
  const first = await send(guid, { email: 'garage@rossi.test', message: `for ${vin}` });
  expect(first).toMatchObject({
    email: 'garage@rossi.test',
    organisationName: null,
    userDisplayName: 'Anna Conti',
    failure: null,
  });
  await expect
    .poll(async () => (await fileOf(guid)).sendings?.[0])
    .toMatchObject({ status: 'sent', way: 'outbox' });
  await send(guid, { email: 'second@rossi.test', isPrivate: false });
  const { sendings = [] } = await fileOf(guid);
  expect(sendings.map(({ email, organisationName }) => [email, organisationName])).toEqual([
    ['garage@rossi.test', null],
    ['second@rossi.test', 'Garage Rossi'],
  ]);
  // its sender knows it; the workshop sees only what is not private
  const sent = (await listOf(anna)).filter((one) => one.guid === first.notificationGUID);
  expect(sent).toMatchObject([{ isSent: true, slotGUID: workshop.slot }]);
  expect(sent[0]?.senderInteractedOn).not.toBeNull();
  const received = (await listOf(luca)).map((one) => one.guid);
  expect(received).toContain(sendings[1]?.notificationGUID);
  expect(received).not.toContain(first.notificationGUID);
  expect(JSON.stringify([sent, await listOf(luca)])).not.toContain(vin);
});

// promise j1.sending.rules
test('the rules of an encode that sends its result apply', async () => {
  const { guid } = await encodeFile();
  const ask = async (client: Client, file: string, info: unknown, slot = workshop.slot) => {
    return (await client.post(address(file, slot), { notificationInfo: info })).text;
  };
  const info = { email: 'garage@rossi.test' };
  expect(await ask(anna, guid, null)).toBe('BAD_REQUEST');
  expect(await ask(anna, guid, { email: null, isPrivate: true })).toBe('BAD_REQUEST');
  expect(await ask(anna, guid, { email: 'not an address' })).toBe('BAD_REQUEST');
  const decoded = (await readJob()).files.find(({ role }) => role === 'decoded');
  expect(await ask(anna, decoded?.fileGUID ?? '', info)).toBe('NOT_FOUND');
  expect(await ask(workshop.mia, guid, info)).toContain('NOT_FOUND');
  const { db } = workshop.portal.platform;
  await sql`update organisation set may_auto_send = false where customer_code = 'CC-1001'`.execute(
    db,
  );
  expect(await ask(anna, guid, info)).toBe('USER_NO_RIGHTS');
  await sql`update organisation set may_auto_send = true where customer_code = 'CC-1001'`.execute(
    db,
  );
  expect((await fileOf(guid)).sendings).toEqual([]);
});

test('a request that is sent twice with one key sends one email', async () => {
  const { guid } = await encodeFile();
  const headers = { [idempotencyHeader]: 'once' };
  const one = await send(guid, { email: 'garage@rossi.test' }, headers);
  const two = await send(guid, { email: 'garage@rossi.test' }, headers);
  expect(two.notificationGUID).toBe(one.notificationGUID);
  expect((await fileOf(guid)).sendings).toHaveLength(1);
});

// promise j1.sending.recipient
test('a file is shared with the workshop that the send dialog shows: the owner of the slave, also if it has changed since the decode', async () => {
  const { guid } = await encodeFile();
  const { db } = workshop.portal.platform;
  const setOwner = (code: string) =>
    sql`
      update slave_device set owner_guid = (select guid from organisation where customer_code = ${code})
      where serial_number = 'KV2-000007'`.execute(db);
  await setOwner('CC-3003');
  const { text } = await anna.get(`/api/kessv2/notification-details/${workshop.slot}`);
  const sent = await send(guid, { email: null, isPrivate: false });
  expect(text).toContain(`"slaveOrganizationName":"${sent.organisationName}"`);
  expect(sent.organisationName).not.toBe('Garage Rossi');
  expect((await listOf(workshop.mia)).map((one) => one.guid)).toContain(sent.notificationGUID);
  expect((await listOf(luca)).map((one) => one.guid)).not.toContain(sent.notificationGUID);
  await setOwner('CC-9001');
});

// promise j1.sending.days
test.each([
  [
    'by its encode',
    (info: { email: string | null }) => workshop.send({ ...info, isPrivate: info.email !== null }),
  ],
  [
    'later',
    async (info: { email: string | null }) =>
      send((await encodeFile()).guid, { ...info, isPrivate: info.email !== null }),
  ],
])(
  'the job of a file that is sent %s stays as long as it can be downloaded, even if the retention is shortened',
  async (_when, sendTo) => {
    const { db } = workshop.portal.platform;
    const save = async (retentionDays: number | null) =>
      expect((await anna.put('/api/storage-settings', { retentionDays })).status).toBe(200);
    for (const email of ['garage@rossi.test', null]) {
      await save(30);
      await sql`
        update slot set created_on = now() - interval '29 days', kept_until = null, retained_since = null
        where guid = ${workshop.slot}`.execute(db);
      await sql`update stored_file set created_on = now() - interval '29 days'`.execute(db);
      await sendTo({ email });
      // what a worker of the previous version deletes in nine days, which does not know kept_until
      const { rows: lost } = await sql`
        select guid from slot
        where guid = ${workshop.slot}
          and greatest(created_on, retained_since) < now() + interval '9 days' - interval '30 days'`.execute(
        db,
      );
      expect(lost).toEqual([]);
      await save(10);
      const { expiresOn, files } = await readJob();
      const days = (new Date(expiresOn ?? 0).getTime() - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(10);
      expect(files.filter(({ isThere }) => !isThere)).toEqual([]);
      const expired = await db.transaction().execute((trx) => listExpiredSlots(trx, 10, 100));
      expect(expired).toEqual([]);
    }
    await save(null);
  },
);

// promise j1.sending.downloads, j1.sending.counted
test('a job shows who downloaded a file: a user, a program, the recipient in the portal, and the link', async () => {
  const { guid, url } = await encodeFile();
  expect(await downloadsOf(guid)).toEqual([]);
  // the address in the result is the sender's own
  await anna.get(url);
  await expect.poll(() => downloadsOf(guid)).toEqual([['user', 'Anna Conti']]);
  // a part, a retry and a look at the headers are the same download, or none
  await anna.call('GET', url, { headers: { range: 'bytes=0-9' } });
  await anna.call('HEAD', url);
  await anna.get(url);
  const { client: program } = await workshop.portal.addClient({ name: 'Bench 2' });
  await program.get(`/api/files/${guid}`);
  await expect
    .poll(() => downloadsOf(guid))
    .toEqual([
      ['program', 'Bench 2'],
      ['user', 'Anna Conti'],
    ]);
  const { notificationGUID } = await send(guid, { email: 'garage@rossi.test', isPrivate: false });
  const received = (await listOf(luca)).find((one) => one.guid === notificationGUID);
  await luca.get(received?.targetURL ?? '');
  await expect
    .poll(async () => (await downloadsOf(guid))[0])
    .toEqual(['organisation', 'Garage Rossi']);
  const own = (await listOf(anna)).find((one) => one.guid === notificationGUID);
  expect(own?.receivedOn).not.toBeNull();
  const { db, secrets } = workshop.portal.platform;
  const { share_key_id: keyId } = await db
    .selectFrom('mail')
    .select('share_key_id')
    .where('guid', '=', notificationGUID)
    .executeTakeFirstOrThrow();
  const token = await getToken(secrets, notificationGUID, keyId);
  const page = await fetch(writeShareLink(workshop.portal.url, token), { method: 'POST' });
  expect(page.status).toBe(200);
  await page.bytes();
  await expect
    .poll(async () => (await downloadsOf(guid))[0])
    .toEqual(['link', 'garage@rossi.test']);
  expect((await fileOf(guid)).downloadCount).toBe(4);
});

// promise j1.sending.downloads
test('a download through an address that someone else got is recorded as that of the user who opens it', async () => {
  const { guid, url } = await encodeFile();
  await applyDirectory(workshop.portal.platform, {
    users: [{ email: 'paolo@demo.test', name: 'Paolo', customerCodes: ['CC-1001'] }],
  });
  const paolo = await workshop.portal.signIn('paolo@demo.test');
  await paolo.get(url);
  await expect.poll(() => downloadsOf(guid)).toEqual([['user', 'Paolo']]);
});

// promise j1.sending.downloads
test('only the notification through which the recipient can download a file is marked as received, even if the download cannot be recorded', async () => {
  const { guid } = await encodeFile();
  const share = () => send(guid, { email: null, isPrivate: false });
  const [withdrawn, current] = [await share(), await share()];
  const path = `/api/async-operation-notifications/${withdrawn.notificationGUID}/revoke`;
  expect((await anna.post(path)).status).toBe(204);
  const { db } = workshop.portal.platform;
  await sql`alter table download add constraint none check (false) not valid`.execute(db);
  await luca.get(`/api/files/${guid}`);
  const receivedOn = async (one: Sending) =>
    (await listOf(anna)).find(({ guid: which }) => which === one.notificationGUID)?.receivedOn;
  await expect.poll(() => receivedOn(current)).not.toBeNull();
  expect(await receivedOn(withdrawn)).toBeNull();
  await sql`alter table download drop constraint none`.execute(db);
  expect(await downloadsOf(guid)).toEqual([]);
});

// promise j1.sending.downloads
test('first downloads that a portal of the previous version records are listed once', async () => {
  const { guid } = await encodeFile();
  const { notificationGUID } = await send(guid, { email: 'garage@rossi.test' });
  const { db } = workshop.portal.platform;
  await sql`update stored_file set first_downloaded_on = now() where guid = ${guid}`.execute(db);
  await sql`update mail set first_download_on = now() where guid = ${notificationGUID}`.execute(db);
  expect(await downloadsOf(guid)).toEqual([
    ['link', 'garage@rossi.test'],
    ['user', null],
  ]);
});

// promise j1.sending.outdated
test('an older encoded file is outdated once a later one was encoded, not after an encode that failed', async () => {
  const older = await encodeFile();
  expect((await fileOf(older.guid)).isOutdated).toBe(false);
  const { db } = workshop.portal.platform;
  await sql`
    update slave_device set last_number = last_number + 1 where serial_number = 'KV2-000007'`.execute(
    db,
  );
  expect((await fileOf(older.guid)).isOutdated).toBe(false);
  const newer = await encodeFile();
  expect((await fileOf(older.guid)).isOutdated).toBe(true);
  for (const [file, isOutdated] of [
    [older, true],
    [newer, false],
  ] as const)
    expect((await anna.post(`/api/files/${file.guid}/ticket`)).json).toMatchObject({ isOutdated });
  expect((await fileOf(newer.guid)).isOutdated).toBe(false);
  // a worker of the previous version, which knows nothing of this, encodes during a rolling upgrade
  await sql`
    insert into stored_file (guid, organisation_guid, slot_guid, role, name, size, sha256, storage_key, number, expires_on)
    select gen_random_uuid(), organisation_guid, slot_guid, role, 'old.tfc', size, sha256, guid::text, number + 1, expires_on
    from stored_file where guid = ${newer.guid}`.execute(db);
  expect((await fileOf(newer.guid)).isOutdated).toBe(true);
});
