/** Users who have forgotten their password get a link by email, and strangers learn nothing about accounts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPasswordMail } from '../../src/email/account-emails.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { textsByLocale } from '../../src/texts/texts.ts';
import { type MailServer, startMailServer } from '../email/mail-server.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { Browser } from './browser.ts';

const path = '/idp/forgotten';

let mail: MailServer;
let portal: RunningPortal;
const withMail = () => ({
  RECODERY_SMTP_URL: mail.url,
  RECODERY_MAIL_FROM: 'Recodery <portal@recodery.test>',
});
beforeAll(async () => {
  mail = await startMailServer();
  portal = await startTestPortal(withMail());
});
afterAll(async () => {
  await portal.stop();
  await mail.stop();
});

const ask = (email: string) => new Browser(portal.url).submit(path, { email });

/** The path of the link in the next email. */
async function nextLink(email: string): Promise<string> {
  const received = await mail.next();
  expect(received.to).toEqual([email]);
  const link = /\/idp\/password\/[\w-]+/.exec(received.part('text/plain'))?.[0];
  if (link === undefined) throw new Error('the email has no link');
  return link;
}

const setPassword = async (link: string, password = 'a wing without wheels') =>
  (await new Browser(portal.url).submit(link, { password })).status;

/** The page that asks for email and password. */
async function signInPage({ url, platform }: RunningPortal) {
  // the redirects name the public address
  const browser = new Browser(platform.config.publicUrl, (address, init) =>
    fetch(new URL(address.pathname + address.search, url), init),
  );
  return (await browser.follow(await browser.get('/sso/start'))).seen;
}

// promise 6.forgotten.link, 6.forgotten.sessions
test('a link from the email sets a new password once, and ends all sessions', async () => {
  const anna = await portal.signIn('anna@demo.test');
  await ask(' ANNA@demo.test ');
  const link = await nextLink('anna@demo.test');
  expect(await setPassword(link)).toBe(200);
  expect(await setPassword(link)).toBe(404);
  expect((await anna.get(`/api/auth/session/${anna.sessionId}`)).status).toBe(401);
  const { db } = portal.platform;
  const account = await db
    .selectFrom('account')
    .where('email', '=', 'anna@demo.test')
    .select('email_verified_on')
    .executeTakeFirstOrThrow();
  expect(account.email_verified_on).not.toBeNull();
});

// promise 6.forgotten.unknown
test('the response is the same for an unknown address, and only the worker looks for the account', async () => {
  const texts = textsByLocale.get('en-US');
  const bodies = [];
  for (const email of ['luca@demo.test', 'stranger@nowhere.test', 'x', '', 'a\u0000@b.c']) {
    const page = await ask(email);
    expect(page.status).toBe(200);
    bodies.push(page.text);
  }
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain(texts?.forgotDoneTitle);
  await nextLink('luca@demo.test');
  // both addresses have a row from the request: it costs the same
  const rows = await portal.platform.db
    .selectFrom('account_mail')
    .where('email', 'in', ['luca@demo.test', 'stranger@nowhere.test'])
    .select('email')
    .execute();
  expect(rows.map(({ email }) => email).toSorted()).toEqual([
    'luca@demo.test',
    'stranger@nowhere.test',
  ]);
});

// promise 6.forgotten.limit
test('an address gets three links in an hour', async () => {
  for (let time = 0; time < 5; time += 1) await ask('paolo@demo.test');
  const rows = await portal.platform.db
    .selectFrom('account_mail')
    .where('email', '=', 'paolo@demo.test')
    .select('guid')
    .execute();
  expect(rows).toHaveLength(3);
  for (let time = 0; time < 3; time += 1) await nextLink('paolo@demo.test');
});

// promise 6.forgotten.limit
test('the same holds for requests at the same time', async () => {
  const email = 'flood@nowhere.test';
  await Promise.all(Array.from({ length: 6 }, () => ask(email)));
  const rows = await portal.platform.db
    .selectFrom('account_mail')
    .where('email', '=', email)
    .select('guid')
    .execute();
  expect(rows).toHaveLength(3);
});

// promise 6.forgotten.expired
test('a link that has expired before it could be sent is not sent', async () => {
  const { db } = portal.platform;
  const email = 'olga@demo.test';
  await insertPasswordMail(db, { email, culture: 'en-US', expiresOn: new Date(0) });
  await expect
    .poll(
      () =>
        db
          .selectFrom('account_mail')
          .where('email', '=', email)
          .select(['status', 'last_error as error'])
          .execute(),
      { timeout: 60_000 },
    )
    .toEqual([{ status: 'failed', error: 'expired' }]);
  expect(mail.emails.flatMap(({ to }) => to)).not.toContain(email);
});

// promise 6.forgotten.suspended
test('a suspended user gets no link', async () => {
  const email = 'gone@demo.test';
  const customerCodes = ['CC-1001'];
  const user = { email, name: 'Gone', customerCodes, suspended: customerCodes };
  await applyDirectory(portal.platform, { users: [user] });
  await ask(email);
  await expect
    .poll(
      async () =>
        (
          await portal.platform.db
            .selectFrom('account_mail')
            .where('email', '=', email)
            .select('status')
            .execute()
        ).map(({ status }) => status),
      { timeout: 60_000 },
    )
    .toEqual(['failed']);
  expect(mail.emails.flatMap(({ to }) => to)).not.toContain(email);
});

// promise 6.forgotten.limit
test('a network can ask only some times in ten minutes, and gets a page that explains it', async () => {
  const plain = await startTestPortal(withMail(), false);
  try {
    const statuses = [];
    for (let time = 0; time < 21; time += 1) {
      const seen = await new Browser(plain.url).submit(path, { email: `no${time}@nowhere.test` });
      statuses.push(seen.status);
      if (time === 20) expect(seen.text).toContain('<html');
    }
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
    expect(statuses[20]).toBe(429);
  } finally {
    await plain.stop();
  }
});

test('the sign-in page leads there, and the page is missing without a mail server', async () => {
  const start = await signInPage(portal);
  expect(start.text).toContain(`href="${path}"`);
  const plain = await startTestPortal({}, false);
  try {
    expect((await signInPage(plain)).text).not.toContain(path);
    expect((await new Browser(plain.url).get(path)).status).toBe(404);
  } finally {
    await plain.stop();
  }
});
