/** Operators need a second factor, remove those of others, and users are told by email about changes to theirs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { textsByLocale } from '../../src/texts/texts.ts';
import { type MailServer, startMailServer } from '../email/mail-server.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import type { Client } from '../fixtures/client.ts';
import { resetFactors } from '../../src/sign-in/factors/factors.ts';
import {
  addApp,
  ask,
  createMovedClock,
  givePassword,
  isSignedIn,
  openBrowser,
  openSession,
  submitPassword,
} from '../sign-in/factor-steps.ts';

const clock = createMovedClock();
let mail: MailServer;
let portal: RunningPortal;
beforeAll(async () => {
  mail = await startMailServer();
  const settings = {
    RECODERY_SMTP_URL: mail.url,
    RECODERY_MAIL_FROM: 'Recodery <portal@recodery.test>',
    RECODERY_OPERATOR_FACTOR: 'on',
  };
  portal = await startTestPortal(settings, true, undefined, clock);
});
afterAll(async () => {
  await portal.stop();
  await mail.stop();
});

const texts = textsByLocale.get('en-US');
const olga = 'olga@demo.test';

async function expectMail(email: string, subject: string | undefined): Promise<void> {
  const received = await mail.next();
  expect(received.to).toEqual([email]);
  expect(received.part('text/plain')).toContain('/account');
  expect(received.header('Subject')).toBe(subject);
}

// promise 6.factors.operators, 6.factors.mail
test('an operator without a second factor is led to the account, and administers after adding one', async () => {
  await givePassword(portal, olga);
  const operator = await portal.signIn(olga);
  const users = () => ask(operator, 'GET', '/api/admin/users');
  expect(await users()).toMatchObject({
    status: 403,
    json: { errorCode: 'SECOND_FACTOR_REQUIRED' },
  });
  // others keep their answer
  const anna = await portal.signIn('anna@demo.test');
  expect(await ask(anna, 'GET', '/api/admin/users')).toMatchObject({
    status: 403,
    json: { errorCode: 'USER_NO_RIGHTS' },
  });
  expect((await ask(operator, 'GET', '/api/account/factors')).json.isMissing).toBe(true);
  const browser = openBrowser(portal);
  const { seen } = await submitPassword(browser, olga);
  const { address } = await browser.follow(seen, '/loggedin');
  expect(new URL(address).searchParams.get('from')).toBe('/account');

  await addApp(operator, clock);
  await expectMail(olga, texts?.factorAddedSubject);
  expect((await ask(operator, 'GET', '/api/account/factors')).json.isMissing).toBe(false);
  expect((await users()).status).toBe(200);
});

// promise 6.factors.thief
test('a session that was opened with the password alone never administers, and ends with the first factor', async () => {
  const email = 'olga@demo.test';
  const guid = await givePassword(portal, email);
  const { db } = portal.platform;
  await db.transaction().execute((trx) => resetFactors(trx, guid, async () => undefined));
  const enter = async () => {
    const browser = openBrowser(portal);
    return { browser, ...(await submitPassword(browser, email)) };
  };
  const [first, second] = [await enter(), await enter()];
  const thief = await openSession(portal, first.browser, first.seen);
  const operator = await openSession(portal, second.browser, second.seen);
  const users = (client: Client) => ask(client, 'GET', '/api/admin/users');
  expect((await users(thief)).status).toBe(403);
  const { code } = await addApp(operator, clock);
  await expectMail(email, texts?.factorAddedSubject);
  expect((await users(operator)).status).toBe(200);
  expect((await users(thief)).status).toBe(401);
  // nor does the provider remember the thief
  const silent = await first.browser.follow(await first.browser.get('/sso/start'), '/loggedin');
  expect(silent.address).toMatch(/\/interaction\//);

  // a session that began at the same time, and so was not ended
  const unmarked = await portal.signIn(email, { authenticatedOn: new Date() });
  expect(await users(unmarked)).toMatchObject({
    status: 403,
    json: { errorCode: 'SECOND_FACTOR_REQUIRED' },
  });
  expect(await ask(unmarked, 'POST', '/api/account/factors/apps/draft')).toMatchObject({
    status: 403,
    json: { errorCode: 'CONFIRM_ACCOUNT' },
  });

  clock.advance(30);
  const third = await enter();
  const seen = await third.browser.submit(`${third.form}/factor`, { code: code() });
  expect((await users(await openSession(portal, third.browser, seen))).status).toBe(200);
});

// promise 6.factors.demo
test('demo accounts are exempt, because they sign in on this machine only', async () => {
  const { db } = portal.platform;
  const demo = (isDemo: boolean) =>
    db.updateTable('account').set({ is_demo: isDemo }).where('email', '=', olga).execute();
  await demo(true);
  const operator = await portal.signIn(olga, {});
  expect((await ask(operator, 'GET', '/api/admin/users')).status).toBe(200);
  expect((await ask(operator, 'GET', '/api/account/factors')).json.isMissing).toBe(false);
  await demo(false);
  expect((await ask(operator, 'GET', '/api/admin/users')).status).toBe(403);
});

// promise 6.factors.reset, 6.factors.mail
test('an operator removes the factors of a user, whose sessions end and who is told', async () => {
  const email = 'luca@demo.test';
  const guid = await givePassword(portal, email);
  const [operator, luca] = [await portal.signIn(olga), await portal.signIn(email)];
  const { recoveryCodes } = await addApp(luca, clock);
  await expectMail(email, texts?.factorAddedSubject);
  const browser = openBrowser(portal);
  const { form } = await submitPassword(browser, email);
  const seen = await browser.submit(`${form}/factor`, { code: recoveryCodes?.[0] ?? '' });
  expect(await isSignedIn(browser, seen)).toBe(true);
  await expectMail(email, texts?.recoveryUsedSubject);

  const path = `/api/admin/users/${guid}/removeFactors`;
  expect((await ask(luca, 'POST', path)).status).toBe(403);
  expect((await ask(operator, 'POST', path)).status).toBe(200);
  await expectMail(email, texts?.factorRemovedSubject);
  expect((await luca.get('/api/account')).status).toBe(401);
  const again = openBrowser(portal);
  const next = await submitPassword(again, email);
  expect(await isSignedIn(again, next.seen)).toBe(true);
  const { db } = portal.platform;
  const left = db.selectFrom('recovery_code').where('account_guid', '=', guid);
  expect(await left.select('code_hash').execute()).toEqual([]);
});

// promise 6.factors.setting
test('operators need a factor, except on loopback and with an external provider', () => {
  const needs = (settings: Readonly<Record<string, string>>) =>
    readConfig({ RECODERY_DATA_DIR: portal.platform.config.dataDir, ...settings })
      .needsOperatorFactor;
  const shop = { RECODERY_PUBLIC_URL: 'https://portal.example.org' };
  expect(needs(shop)).toBe(true);
  expect(needs({})).toBe(false);
  // what is on this machine only are the demo accounts, which are exempt
  expect(needs({ ...shop, RECODERY_DEMO: 'on' })).toBe(true);
  expect(needs({ ...shop, RECODERY_OPERATOR_FACTOR: 'off' })).toBe(false);
  expect(needs({ RECODERY_OPERATOR_FACTOR: 'on' })).toBe(true);
  const external = {
    RECODERY_OIDC_ISSUER: 'https://sso.example.org',
    RECODERY_OIDC_CLIENT_ID: 'recodery',
  };
  expect(needs({ ...shop, ...external })).toBe(false);
  expect(() => needs({ ...shop, ...external, RECODERY_OPERATOR_FACTOR: 'on' })).toThrow(
    /RECODERY_OPERATOR_FACTOR/,
  );
});
