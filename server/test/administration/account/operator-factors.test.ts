/** Operators need a second factor, remove those of others, and users are told by email about changes to theirs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { textsByLocale } from '../../../src/texts/texts.ts';
import { type MailServer, startMailServer } from '../../email/mail-server.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import type { Client } from '../../fixtures/client.ts';
import { resetFactors } from '../../../src/sign-in/factors/factors.ts';
import {
  addApp,
  ask,
  createMovedClock,
  givePassword,
  isSignedIn,
  openBrowser,
  openSession,
  password,
  submitPassword,
} from '../../sign-in/factors/factor-steps.ts';

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

// promise 6.factors.takeover
test('links and the removal of factors need a recent password, and another account', async () => {
  const { db } = portal.platform;
  const guidOf = async (email: string) =>
    (
      await db
        .selectFrom('account')
        .where('email', '=', email)
        .select('guid')
        .executeTakeFirstOrThrow()
    ).guid;
  const authenticatedOn = new Date(Date.now() - 3_600_000);
  const operator = await portal.signIn(olga, { authenticatedOn, isWithFactor: true });
  const act = (guid: string, action: string) =>
    ask(operator, 'POST', `/api/admin/users/${guid}/${action}`);
  const [other, own] = [await guidOf('luca@demo.test'), await guidOf(olga)];
  for (const action of ['invite', 'removeFactors'])
    expect(await act(other, action)).toMatchObject({
      status: 403,
      json: { errorCode: 'CONFIRM_ACCOUNT' },
    });
  expect((await act(other, 'restore')).status).toBe(200);
  expect((await ask(operator, 'POST', '/api/account/confirm', { password })).status).toBe(204);
  for (const action of ['invite', 'removeFactors']) {
    expect((await act(other, action)).status).toBe(200);
    const refused = await act(own, action);
    expect(refused.status).toBe(400);
    expect(refused.json.details.fields).toEqual({ email: 'OWN_ACCOUNT' });
  }
});

// promise 6.factors.guessed
test('guessing codes becomes slower and slower, the user gets one email, and a recovery code still works', async () => {
  const email = 'mia@demo.test';
  const guid = await givePassword(portal, email);
  const { db } = portal.platform;
  const { code, recoveryCodes } = await addApp(await portal.signIn(email), clock);
  await expectMail(email, texts?.factorAddedSubject);
  const browser = openBrowser(portal);
  const { form } = await submitPassword(browser, email);
  const enter = async (typed: string) => browser.submit(`${form}/factor`, { code: typed });
  // the 15 minutes of the other limit pass
  const rest = () => db.deleteFrom('sign_in_attempt').execute();
  for (let time = 1; time <= 20; time += 1) {
    if (time % 8 === 0) await rest();
    expect((await enter('000000')).status).toBe(200);
  }
  await expectMail(email, texts?.factorGuessedSubject);
  await rest();
  clock.advance(30);
  const waits = await enter(code());
  expect(waits.status).toBe(429);
  expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(3000);

  await db
    .updateTable('factor_failure')
    .set({ last_failed_on: new Date(Date.now() - 3_660_000) })
    .where('account_guid', '=', guid)
    .execute();
  // one attempt in this hour, of which the user is not told again
  expect((await enter('000000')).status).toBe(200);
  expect((await enter(code())).status).toBe(429);
  const other = openBrowser(portal);
  const begun = await submitPassword(other, email);
  const seen = await other.submit(`${begun.form}/factor`, { code: recoveryCodes?.[0] ?? '' });
  expect(await isSignedIn(other, seen)).toBe(true);
  await expectMail(email, texts?.recoveryUsedSubject);

  // the browser is known now; the provider must ask again
  for (const key of [...other.cookies.keys()])
    if (key.includes('idp-session')) other.cookies.delete(key);
  const own = await submitPassword(other, email);
  expect(await isSignedIn(other, await other.submit(`${own.form}/factor`, { code: code() }))).toBe(
    true,
  );
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
