/** Operators list and retry the emails with files; what becomes of them is also in the notifications of their senders. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertPasswordMail } from '../../../src/email/account-emails.ts';
import { claimEmails } from '../../../src/email/emails.ts';
import { type MailServer, startMailServer } from '../../email/mail-server.ts';
import type { Client } from '../../fixtures/client.ts';
import { noticeOf, type Sending, startSending } from '../../notifications/sending-workshop.ts';

const path = '/api/admin/emails';

interface Email {
  readonly guid: string;
  readonly email: string;
  readonly status: string;
  readonly kind: string;
  readonly attempts: number;
}

const list = async (olga: Client, query = '') => {
  const { json } = await olga.get(`${path}?${query}`);
  return (json as { items: readonly Email[] }).items;
};

/** Waits until the email has this status. */
async function reached(olga: Client, guid: string, status: string): Promise<void> {
  const now = async () => ((await olga.get(`${path}/${guid}`)).json as Email).status;
  await expect.poll(now, { timeout: 20_000 }).toBe(status);
}

async function retry(olga: Client, guid: string) {
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const body = { headers, body: '{}' };
  const { status, text } = await olga.call('POST', `${path}/${guid}/retry`, body);
  return { status, json: JSON.parse(text) };
}

describe('with a mail server', () => {
  let answer: number | null = null;
  let server: MailServer;
  let sending: Sending;
  let olga: Client;
  beforeAll(async () => {
    server = await startMailServer({ refuse: () => answer });
    sending = await startSending({
      RECODERY_SMTP_URL: server.url,
      RECODERY_MAIL_FROM: 'portal@recodery.test',
    });
    olga = await sending.portal.signIn('olga@demo.test');
  });
  afterAll(async () => {
    await sending.portal.stop();
    await server.stop();
  });

  /** Sends a file to an address that the mail server refuses. */
  async function sendRefused(email: string): Promise<string> {
    answer = 550;
    const { guid } = await sending.send({ email });
    await reached(olga, guid, 'failed');
    answer = null;
    return guid;
  }

  test('a failed email with a file is sent again, and its sender sees that', async () => {
    const guid = await sendRefused('again@rossi.test');
    expect(await list(olga, 'status=failed&search=again')).toMatchObject([
      { guid, kind: 'file', email: 'again@rossi.test', customerCode: 'CC-1001' },
    ]);
    expect((await noticeOf(sending.anna, { guid })).mail?.status).toBe('failed');

    expect((await retry(olga, guid)).status).toBe(200);
    expect((await server.next()).to).toEqual(['again@rossi.test']);
    await reached(olga, guid, 'sent');
    expect((await noticeOf(sending.anna, { guid })).mail).toMatchObject({
      status: 'sent',
      failure: null,
    });
  });

  test('an email that its sender has withdrawn is listed as withdrawn, and never sent', async () => {
    const guid = await sendRefused('withdrawn@rossi.test');
    const revoke = `/api/async-operation-notifications/${guid}/revoke`;
    expect((await sending.anna.post(revoke)).status).toBe(204);
    expect(await list(olga, 'status=failed&search=withdrawn')).toEqual([]);
    expect(await list(olga, 'status=revoked&search=withdrawn')).toMatchObject([
      { guid, status: 'revoked' },
    ]);
    const { status, json } = await retry(olga, guid);
    expect([status, json.details]).toEqual([400, { fields: { email: 'EMAIL_CLOSED' } }]);

    // as if it was withdrawn while an operator sent it again
    const { db } = sending.portal.platform;
    await sending.portal.stopWorker();
    await sql`update mail set status = 'waiting', due_on = now() where guid = ${guid}`.execute(db);
    expect(await claimEmails(db, 10)).toEqual([]);
    await sql`update mail set status = 'failed' where guid = ${guid}`.execute(db);
    await sending.portal.startWorker();
  });

  test('an email that failed for a whole day is tried for another day', async () => {
    const guid = await sendRefused('day@rossi.test');
    const { db } = sending.portal.platform;
    await sql`update mail set created_on = now() - interval '25 hours' where guid = ${guid}`.execute(
      db,
    );
    answer = 451;
    await retry(olga, guid);
    const one = async () => (await list(olga, 'search=day@rossi'))[0];
    await expect.poll(one, { timeout: 20_000 }).toMatchObject({ attempts: 2, error: /451/ });
    expect((await one())?.status).toBe('waiting');
    answer = null;
  });
});

test('without a mail server, emails of both kinds are in the outbox, not sent', async () => {
  const sending = await startSending();
  const olga = await sending.portal.signIn('olga@demo.test');
  const { guid } = await sending.send({ email: 'stored@rossi.test' });
  await reached(olga, guid, 'outbox');
  const { db } = sending.portal.platform;
  const insertPassword = async (email: string): Promise<string> => {
    const expiresOn = new Date(Date.now() + 3_600_000);
    await insertPasswordMail(db, { email, culture: 'en-US', expiresOn });
    return (await list(olga, `search=${email}`))[0]?.guid ?? '';
  };
  const password = await insertPassword('anna@demo.test');
  await reached(olga, password, 'outbox');
  const found = await list(olga, 'status=outbox');
  expect(found.map((one) => one.guid)).toEqual([password, guid]);
  expect(await list(olga, 'status=sent')).toEqual([]);
  expect((await retry(olga, password)).json.details).toEqual({ fields: { email: 'EMAIL_CLOSED' } });

  const stranger = await insertPassword('stranger@rossi.test');
  await reached(olga, stranger, 'no-user');
  expect(await list(olga, 'status=failed')).toEqual([]);
  expect((await retry(olga, stranger)).json.details).toEqual({ fields: { email: 'EMAIL_CLOSED' } });
  await sending.portal.stop();
});
