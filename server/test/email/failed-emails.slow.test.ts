/** Emails that cannot be sent at first: retried, sent once although a worker dies, and stored without a mail server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emailNews } from '../../src/notifications/notifications.ts';
import { claimEmails, failMail, markSent } from '../../src/email/emails.ts';
import { notify } from '../../src/postgres/announce.ts';
import { quickStart } from '../fixtures/recodery-process.ts';
import { environment, recipient, settled } from './email-portal.ts';
import { type MailServer, type ReceivedMail, readMail, startMailServer } from './mail-server.ts';
import { noticeOf, type Sending, startSending } from '../notifications/sending-workshop.ts';

/** Makes an email due now, and wakes the mailer. */
async function hurry({ portal }: Sending): Promise<void> {
  const { db } = portal.platform;
  await db
    .updateTable('mail')
    .set({ due_on: sql`now()` })
    .where('status', '=', 'waiting')
    .execute();
  await notify(db, { kind: 'mail-due', guid: null, organisation: null });
}

describe('an email that cannot be sent', () => {
  /** The server's reply to every recipient; null accepts them. */
  let refusal: number | null = null;
  let server: MailServer;
  let sending: Sending;
  const refuse = () => refusal;
  beforeAll(async () => {
    server = await startMailServer({ refuse });
    sending = await startSending(environment(server));
  });
  afterAll(async () => {
    await sending.portal.stop();
    await server.stop();
  });
  beforeEach(async () => {
    refusal = null;
    await sending.portal.platform.db.deleteFrom('mail').execute();
  });

  // promise d9.mail.retried
  test('waits until its server is available again', async () => {
    await server.stop();
    const operation = await sending.send({ email: recipient });
    const row = sending.portal.platform.db.selectFrom('mail').selectAll();
    await expect
      .poll(async () => (await row.executeTakeFirstOrThrow()).last_error)
      .toContain('ECONNREFUSED');
    expect((await noticeOf(sending.anna, operation)).mail?.status).toBe('waiting');
    server = await startMailServer({ refuse, port: server.port });
    await hurry(sending);
    const mail = await server.next();
    expect(mail.header('message-id')).toBe(`<${operation.guid}@portal.recodery.test>`);
    expect((await settled(sending, operation)).mail?.status).toBe('sent');
  });

  // promise d9.mail.retried
  test('is given up after a day, and its sender is notified again', async () => {
    refusal = 451;
    const received = server.emails.length;
    const operation = await sending.send({ email: recipient });
    const { anna, portal } = sending;
    const path = `/api/async-operation-notifications/${operation.guid}`;
    await anna.post(`${path}/mark-as-interacted/sender`);
    const mails = portal.platform.db.updateTable('mail');
    await mails.set({ created_on: sql`now() - interval '24 hours'` }).execute();
    await hurry(sending);
    expect(await settled(sending, operation)).toMatchObject({
      senderNotifiedOn: null,
      senderInteractedOn: null,
      isSuccessful: true,
      mail: { status: 'failed', failure: 'undeliverable', sentOn: null },
      message: `File encoded, but the email to ${recipient} could not be delivered within one day`,
    });
    expect(server.emails).toHaveLength(received);
    const row = portal.platform.db.selectFrom('mail').select('last_error');
    expect((await row.executeTakeFirstOrThrow()).last_error).toMatch(/451 not .*here!{20}/);
  });

  test('is not retried if its address is permanently refused', async () => {
    refusal = 550;
    const operation = await sending.send({ email: 'nobody@rossi.test' });
    expect(await settled(sending, operation)).toMatchObject({
      mail: { status: 'failed', failure: 'refused', sentOn: null },
    });
  });

  test('is given up after a day like any other if its link cannot be created', async () => {
    refusal = 451;
    const operation = await sending.send({ email: recipient });
    const mails = sending.portal.platform.db.updateTable('mail');
    const created_on = sql<Date>`now() - interval '24 hours'`;
    await mails.set({ share_key_id: 77, created_on }).execute();
    await hurry(sending);
    expect((await settled(sending, operation)).mail?.failure).toBe('undeliverable');
  });

  // promise d9.mail.hundred
  test('is not sent, and its sender is notified, after a hundred on the same day', async () => {
    const received = server.emails.length;
    const { db } = sending.portal.platform;
    const sent = await sending.send({ email: recipient });
    await server.next();
    const ninetyEight = sql`
      with rows as (select gen_random_uuid() as guid, n from generate_series(1, 98) as n),
      told as (
        insert into notification (guid, sender_organisation_guid, sender_account_guid, sender_name,
          receiver_organisation_guid, receiver_name, operation_type, family, slot_guid, workflow,
          completed_on, is_successful, file_name)
        select r.guid, sender_organisation_guid, sender_account_guid, sender_name,
          receiver_organisation_guid, receiver_name, operation_type, family, slot_guid, workflow,
          completed_on, is_successful, file_name
        from notification, rows r where notification.guid = ${sent.guid})
      insert into mail (guid, organisation_guid, email, culture, status, created_on, share_key_id, token_hash, expires_on)
      select r.guid, organisation_guid, email, culture, 'sent', now() - interval '23 hours', share_key_id,
        sha256(r.guid::text::bytea), expires_on
      from mail, rows r where mail.guid = ${sent.guid}`;
    await ninetyEight.execute(db);
    const two = await Promise.all([1, 2].map(() => sending.send({ email: recipient })));
    const states = await Promise.all(two.map((operation) => settled(sending, operation)));
    expect(states.map(({ mail }) => mail?.status ?? '').toSorted()).toEqual(['failed', 'sent']);
    const refused = await sending.send({ email: recipient });
    expect(await noticeOf(sending.anna, refused)).toMatchObject({
      isSuccessful: true,
      mail: { status: 'failed', failure: 'limit' },
      message: `File encoded, but not sent to ${recipient}: the limit of 100 emails per day has been reached`,
    });
    expect(server.emails).toHaveLength(received + 2);
  });

  test('is never sent if its sender withdraws it first', async () => {
    refusal = 451;
    const operation = await sending.send({ email: recipient });
    const path = `/api/async-operation-notifications/${operation.guid}/revoke`;
    expect((await sending.anna.post(path)).status).toBe(204);
    expect((await noticeOf(sending.anna, operation)).mail?.status).toBe('revoked');
    const { db } = sending.portal.platform;
    await db.updateTable('mail').set({ due_on: sql`now()` }).execute();
    expect(await claimEmails(db, 10)).toEqual([]);
  });
});

describe('a worker that is killed', () => {
  /** Starts a worker as a separate process, which is killed when the first email has arrived. */
  function startProcess({ portal }: Sending, smtp: string): ChildProcess {
    const { config, databaseUrl } = portal.platform;
    return spawn(process.execPath, [join(import.meta.dirname, '../operations/worker-process.ts')], {
      stdio: 'ignore',
      detached: true,
      env: {
        ...quickStart,
        ...environment({ url: smtp }),
        RECODERY_ROLES: 'worker',
        RECODERY_ENGINES: '1',
        RECODERY_DEMO: 'off',
        RECODERY_DATABASE_URL: databaseUrl,
        RECODERY_STORAGE_URL: config.storageUrl,
        RECODERY_DATA_DIR: config.dataDir,
      },
    });
  }

  // promise d9.mail.same-id
  test('sends the email again with the same Message-ID if it dies between the server’s reply and our commit', async () => {
    const nobody = await startMailServer();
    // this process cannot reach a mail server: only the one that is killed can
    const sending = await startSending(environment(nobody));
    await nobody.stop();
    const operation = await sending.send({ email: recipient });
    let worker: ChildProcess | null = null;
    const dead = Promise.withResolvers<void>();
    const server = await startMailServer({
      onReceived: async () => {
        if (worker === null || worker.exitCode !== null || worker.signalCode !== null) return;
        const gone = once(worker, 'exit');
        worker.kill('SIGKILL');
        await gone;
        dead.resolve();
      },
    });
    await expect
      .poll(async () => {
        const row = sending.portal.platform.db.selectFrom('mail').select('last_error');
        return (await row.executeTakeFirstOrThrow()).last_error;
      })
      .not.toBeNull();
    // from here on, this process sends nothing
    await sending.portal.stopWorker();
    worker = startProcess(sending, server.url);
    await hurry(sending);
    await dead.promise;
    const { mail } = await noticeOf(sending.anna, operation);
    expect(mail?.status).toBe('waiting');
    const second = startProcess(sending, server.url);
    await hurry(sending);
    expect((await settled(sending, operation)).mail?.status).toBe('sent');
    const ids = server.emails.map((one) => one.header('message-id'));
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(ids[0]).toBe(`<${operation.guid}@portal.recodery.test>`);
    const gone = once(second, 'exit');
    second.kill('SIGKILL');
    await gone;
    await sending.portal.stop();
    await server.stop();
  });
});

test('a mailer whose claim has expired finds that another one has claimed the email', async () => {
  const server = await startMailServer({ refuse: () => 451 });
  const sending = await startSending(environment(server));
  await sending.send({ email: recipient });
  await sending.portal.stopWorker();
  const { db } = sending.portal.platform;
  await hurry(sending);
  const [late] = await claimEmails(db, 1);
  expect(await claimEmails(db, 1)).toEqual([]);
  await hurry(sending);
  const [present] = await claimEmails(db, 1);
  if (late === undefined || present === undefined) throw new Error('nothing was claimed');
  expect(present.attempt).toBe(late.attempt + 1);
  const status = async () =>
    (await db.selectFrom('mail').select('status').executeTakeFirstOrThrow()).status;
  await markSent(db, late, 'mail-server', emailNews);
  await failMail(db, late, 'refused', 'too late', emailNews);
  expect(await status()).toBe('waiting');
  await markSent(db, present, 'mail-server', emailNews);
  expect(await status()).toBe('sent');
  await sending.portal.stop();
  await server.stop();
});

// promise d3.settings.outbox, d9.mail.told
test('without a mail server, every email is stored in the outbox as a file', async () => {
  const sending = await startSending();
  const operation = await sending.send({ email: recipient, message: 'Grazie, è pronto' });
  await settled(sending, operation);
  const folder = join(sending.portal.platform.config.dataDir, 'outbox');
  expect(await readdir(folder)).toEqual([`${operation.guid}.eml`]);
  const source = await readFile(join(folder, `${operation.guid}.eml`), 'utf8');
  const mail: ReceivedMail = readMail(source, '', []);
  expect(mail.header('to')).toBe(recipient);
  expect(mail.header('message-id')).toBe(`<${operation.guid}@localhost>`);
  expect(mail.part('text/plain')).toContain('Grazie, è pronto');
  const { mail: state, message } = await noticeOf(sending.anna, operation);
  expect(state).toMatchObject({ status: 'sent', way: 'outbox' });
  expect(message).toBe(
    `File encoded, but the email to ${recipient} remains in the portal’s outbox: no mail server is configured`,
  );
  // also before it is decoded
  expect(source.match(/http:\/\/localhost:8080\/r\/[\w%-]{32,}/g)).toHaveLength(4);
  await sending.portal.stop();
});
