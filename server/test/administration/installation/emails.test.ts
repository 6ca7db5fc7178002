/** The emails of an installation over HTTP: the list of both outboxes, another attempt, and the test email. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { listAudit } from '../../../src/audit/read-audit.ts';
import { newGuid } from '../../../src/config/guids.ts';
import { retryEmail } from '../../../src/email/list-emails.ts';
import { emailNews } from '../../../src/notifications/notifications.ts';
import { type MailServer, startMailServer } from '../../email/mail-server.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/emails';

interface Email {
  readonly guid: string;
  readonly email: string;
  readonly status: string;
  readonly nextOn: string | null;
}

let server: MailServer;
let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  const refuse = (recipient: string) => (recipient.startsWith('refused') ? 550 : null);
  server = await startMailServer({ refuse });
  portal = await startTestPortal(
    { RECODERY_SMTP_URL: server.url, RECODERY_MAIL_FROM: 'portal@recodery.test' },
    false,
  );
  olga = await portal.signIn('olga@demo.test');
});
afterAll(async () => {
  await portal.stop();
  await server.stop();
});

async function post(address: string) {
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const { status, text } = await olga.call('POST', address, { headers, body: '{}' });
  return { status, json: JSON.parse(text) };
}

const list = async (query: string) => {
  const { json } = await olga.get(`${path}?${query}`);
  return json as { items: readonly Email[]; next: string | null; total: number | null };
};

/** An email about an account, as it is in the database; `due` and `expires` are seconds from now. */
async function insertEmail(
  email: string,
  {
    status = 'waiting',
    due = 300,
    expires = 3600,
    error = null as string | null,
    code = null as string | null,
  } = {},
): Promise<string> {
  const guid = newGuid();
  await sql`
    insert into account_mail (guid, kind, email, culture, status, attempt, due_on, expires_on, last_error, sent_on, organisation_guid, account_guid)
    values (${guid}, ${code === null ? 'password' : 'invitation'}, ${email}, 'en-US', ${status}, 1, now() + make_interval(secs => ${due}),
      now() + make_interval(secs => ${expires}), ${error},
      case when ${status} = 'sent' then now() end,
      (select guid from organisation where customer_code = ${code}),
      (select guid from account where ${code}::text is not null and email = 'anna@demo.test'))`.execute(
    portal.platform.db,
  );
  return guid;
}

describe('the list of emails', () => {
  // promise d3.care.emails
  test('is read page by page, newest first, and narrowed by status, organisation and words', async () => {
    for (const [at, status] of ['sent', 'failed', 'waiting'].entries())
      await insertEmail(`list-${at}@shop.test`, {
        status,
        error: status === 'failed' ? '550 gone' : null,
      });
    await insertEmail('list-nord@shop.test', { code: 'CC-2002' });

    const addresses = ({ items }: { readonly items: readonly Email[] }) =>
      items.map(({ email }) => email);
    const first = await list('search=list&count=2');
    expect(addresses(first)).toEqual(['list-nord@shop.test', 'list-2@shop.test']);
    expect(first.total).toBeNull();
    const second = await list(`search=list&count=2&after=${first.next}`);
    expect(addresses(second)).toEqual(['list-1@shop.test', 'list-0@shop.test']);
    expect(second.next).toBeNull();
    const oldest = await list('search=list&sort=createdOn&count=3');
    expect(addresses(oldest)).toEqual(['list-0@shop.test', 'list-1@shop.test', 'list-2@shop.test']);

    expect(addresses(await list('search=list&status=failed'))).toEqual(['list-1@shop.test']);
    expect(addresses(await list('search=gone%20LIST'))).toEqual(['list-1@shop.test']);
    expect(addresses(await list('search=list&customerCode=CC-2002'))).toEqual([
      'list-nord@shop.test',
    ]);
    expect(addresses(await list('customerCode=CC-0000'))).toEqual([]);
    for (const wrong of ['status=lost', 'sort=email', 'after=1'])
      expect((await olga.get(`${path}?${wrong}`)).status).toBe(400);
  });
});

describe('another attempt', () => {
  const retry = (guid: string) => post(`${path}/${guid}/retry`);

  // promise d3.care.emails-retry
  test('makes a failed email and a waiting one due now, and is recorded with the old and new status', async () => {
    const failed = await insertEmail('failed@shop.test', { status: 'failed', due: -60 });
    const waiting = await insertEmail('waiting@shop.test');
    for (const guid of [failed, waiting]) {
      const { status, json } = await retry(guid);
      expect(status).toBe(200);
      expect(json.item).toMatchObject({ guid, status: 'waiting' });
      expect(Date.parse(json.item.nextOn)).toBeLessThanOrEqual(Date.now() + 5000);
    }
    const { db } = portal.platform;
    while ((await appendWaiting(db)) > 0);
    const recorded = [];
    for await (const { entry } of listAudit(db, { action: 'adminEmails.act' }))
      recorded.push(entry.object);
    expect(recorded[0]).toMatchObject({
      guid: failed,
      changes: { status: ['failed', 'waiting'] },
    });
  });

  test('leaves an email alone that the mailer may be sending', async () => {
    const guid = await insertEmail('on-its-way@shop.test', { due: 50 });
    const before = (await list('search=on-its-way')).items[0];
    expect((await retry(guid)).json.item.nextOn).toBe(before?.nextOn);
  });

  test('leaves an email alone that the mailer claims at the same moment', async () => {
    const guid = await insertEmail('claimed@shop.test');
    const { db } = portal.platform;
    const asked = await db.transaction().execute(async (trx) => {
      await sql`select 1 from account_mail where guid = ${guid} for update`.execute(trx);
      const { pid } = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx))
        .rows[0] ?? { pid: 0 };
      const retried = retry(guid);
      await expect
        .poll(
          async () =>
            (
              await sql`select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(
                db,
              )
            ).rows.length,
          { timeout: 20_000 },
        )
        .toBe(1);
      // the claim begins after the request
      await sql`update account_mail set attempt = 2, due_on = clock_timestamp() + interval '60 seconds' where guid = ${guid}`.execute(
        trx,
      );
      return { retried };
    });
    await asked.retried;
    const { rows } = await sql<{ isClaimed: boolean }>`
      select due_on > now() + interval '20 seconds' as "isClaimed" from account_mail where guid = ${guid}`.execute(
      db,
    );
    expect(rows).toEqual([{ isClaimed: true }]);
  });

  test('is refused for an email whose link has expired, that was sent, or that does not exist', async () => {
    const expired = await insertEmail('late@shop.test', { status: 'failed', expires: -60 });
    const sent = await insertEmail('sent@shop.test', { status: 'sent' });
    expect((await retry(expired)).json.details).toEqual({ fields: { email: 'LINK_EXPIRED' } });
    expect((await retry(sent)).json.details).toEqual({ fields: { email: 'EMAIL_CLOSED' } });
    expect((await retry(newGuid())).status).toBe(404);
  });
});

test('an email about an account does not expire if users sign in at an external provider', async () => {
  const guid = await insertEmail('external@shop.test', { status: 'failed', expires: -60 });
  const deps = { news: emailNews, isExternal: true };
  expect(await retryEmail(portal.platform.db, guid, deps)).toMatchObject({ status: 'waiting' });
});

describe('the test email', () => {
  // promise d3.care.emails-test
  test('arrives at the address of the operator, and shows the response of the mail server', async () => {
    const { status, json } = await post(`${path}/test`);
    expect(status).toBe(200);
    expect(json.finding).toMatchObject({ state: 'ok' });
    expect(json.finding.text).toMatch(
      /^The mail server has accepted the email to olga@demo\.test: 250 /,
    );
    const received = await server.next();
    expect(received.to).toEqual(['olga@demo.test']);
    expect(received.header('subject')).toBe('Test email from Recodery');
    expect(received.source).toContain(portal.platform.config.publicUrl);
  });

  test('shows why the mail server does not accept it', async () => {
    await sql`update account set email = 'refused@demo.test' where email = 'olga@demo.test'`.execute(
      portal.platform.db,
    );
    const { json } = await post(`${path}/test`);
    expect(json.finding).toMatchObject({ state: 'wrong' });
    expect(json.finding.text).toMatch(/refused@demo\.test was not sent: .*550/);
  });

  test('has no other task next to it', async () => {
    expect((await post(`${path}/toString`)).status).toBe(404);
  });
});
