/** `recodery email` next to a running portal: its output and its exit codes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { callCommand } from '../fixtures/command.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

let server: MailServer;
let portal: RunningPortal;
beforeAll(async () => {
  server = await startMailServer({ refuse: (to) => (to.startsWith('refused') ? 550 : null) });
  portal = await startTestPortal({}, false);
});
afterAll(async () => {
  await portal.stop();
  await server.stop();
});

const recodery = (...words: readonly string[]) =>
  callCommand(portal.platform, words, {
    settings: { RECODERY_SMTP_URL: server.url, RECODERY_MAIL_FROM: 'portal@recodery.test' },
  });

// promise d3.commands.email
test('sends a test email and prints the response of the mail server, or why it was refused', async () => {
  const sent = await recodery('email', 'test', '--to', 'mario@example.org');
  expect([sent.code, sent.complaint]).toEqual([0, '']);
  expect(sent.out).toMatch(/^The mail server has accepted the email to mario@example\.org: 250 /);
  expect((await server.next()).to).toEqual(['mario@example.org']);
  const refused = await recodery('email', 'test', '--to', 'refused@example.org');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.complaint).toMatch(/was not sent: .*550/);
  expect((await recodery('email', 'test', '--to', 'not-an-address')).code).toBe(2);
});

test('lists emails, and retries one that has failed', async () => {
  const guid = newGuid();
  const { db } = portal.platform;
  await sql`
    insert into account_mail (guid, kind, email, culture, status, due_on, expires_on, last_error)
    values (${guid}, 'password', 'late@shop.test', 'en-US', 'failed', now(), now() + interval '1 hour', '451 later')`.execute(
    db,
  );
  const listed = await recodery('email', 'list', '--status', 'failed');
  expect(listed.out).toMatch(
    new RegExp(`^${guid}\t.*\tfailed\tpassword\tlate@shop\\.test\t.*451 later\n$`),
  );
  expect(JSON.parse((await recodery('email', 'list', '--json')).out)).toMatchObject([{ guid }]);

  const retried = await recodery('email', 'retry', guid);
  expect(retried.code).toBe(0);
  expect(retried.out + retried.complaint).toMatch(/waiting, next attempt \d{4}-\d\d-\d\dT/);
  expect((await recodery('email', 'list', '--status', 'waiting')).out).toContain(guid);
  const unknown = await recodery('email', 'retry', newGuid());
  expect(unknown.code).toBe(1);
  expect(unknown.complaint).toContain('No email has the GUID ');
});
