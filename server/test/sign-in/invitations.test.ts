/** An invited user sets a password with a link, once. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { createInvitationPath } from '../../src/sign-in/provider/invitations.ts';
import { untilBlocked } from '../fixtures/database/until-blocked.ts';
import { Browser, type Seen } from './browser.ts';
import {
  goToForm,
  beginSession,
  signInAtProvider,
  validate,
  startPortalWithAccounts,
} from './open-portal.ts';

const { platform, portal } = await startPortalWithAccounts();

const day = 86_400_000;
/** A link created some days ago. */
async function invite(email: string, daysAgo = 0): Promise<string> {
  const account = await findAccountByEmail(platform.db, email);
  if (account === null) throw new Error(`no ${email}`);
  const clock = { now: () => new Date(Date.now() - daysAgo * day) };
  return createInvitationPath({ ...platform, clock }, account);
}
const set = (path: string, password: string): Promise<Seen> =>
  new Browser(portal.url).submit(path, { password });

test('a link sets a password, with which its user signs in', async () => {
  const path = await invite('guest@shop.test');
  const page = await new Browser(portal.url).get(path, { 'accept-language': 'it' });
  expect(page.text).toContain('Imposta la password');
  expect(page.text).toContain('guest@shop.test');
  expect((await set(path, 'a new password')).text).toContain(
    'You can now sign in with your new password.',
  );
  const browser = new Browser(portal.url);
  const form = await goToForm(browser);
  const sent = await browser.submit(form, { email: 'guest@shop.test', password: 'a new password' });
  expect(sent.status).toBe(303);
  expect(portal.log.join('')).not.toContain(path.split('/').at(-1));
});

// promise d3.commands.invite
test('a link works once, and using it invalidates all earlier ones', async () => {
  const [first, second] = [await invite('mia@shop.test'), await invite('mia@shop.test', 1)];
  expect((await set(second, 'a new password')).status).toBe(200);
  for (const path of [first, second]) {
    expect((await new Browser(portal.url).get(path)).status).toBe(404);
    expect((await set(path, 'another password')).text).toContain('This link no longer works');
  }
});

test('a link expires after seven days', async () => {
  expect((await new Browser(portal.url).get(await invite('anna@shop.test', 6.99))).status).toBe(
    200,
  );
  expect((await new Browser(portal.url).get(await invite('anna@shop.test', 7))).status).toBe(404);
});

test('a link cannot be forged, or changed to last longer or for another user', async () => {
  const path = await invite('anna@shop.test');
  const [token = ''] = path.split('/').slice(-1);
  const bytes = Buffer.from(token, 'base64url');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const spelt = [...letters]
    .map((last) => token.slice(0, -1) + last)
    .filter((other) => other !== token && Buffer.from(other, 'base64url').equals(bytes));
  expect(spelt).toHaveLength(15);
  for (const other of [...spelt, `${token}=`, `${token}%0A`]) {
    expect((await new Browser(portal.url).get(`/idp/password/${other}`)).status).toBe(404);
  }
  for (const at of [0, 16, 19, 20, 51]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(
      (await set(`/idp/password/${changed.toString('base64url')}`, 'a new password')).status,
    ).toBe(404);
  }
  expect((await set('/idp/password/x', 'a new password')).status).toBe(404);
});

test('a password that is too short, too long or too common is refused, and the link stays valid', async () => {
  const path = await invite('anna@shop.test');
  const short = await set(path, '1234567');
  expect(short.status).toBe(400);
  expect(short.text).toContain('The password must have at least 8 characters.');
  expect((await set(path, 'x'.repeat(201))).status).toBe(400);
  for (const common of ['password1', 'shop2026']) {
    const refused = await set(path, common);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('This password is too easy to guess.');
  }
  expect((await new Browser(portal.url).get(path)).status).toBe(200);
});

describe('a user who is signed in when a new password is set', () => {
  const look = (browser: Browser, sessionID: string) =>
    browser.get(`/api/auth/session/${sessionID}`, { 'x-recodery-session': sessionID });

  /** Signs in with a password up to the token, which becomes a session. */
  async function getToken(browser: Browser, typed: string): Promise<string | null> {
    const form = await goToForm(browser);
    const sent = await browser.submit(form, { email: 'anna@shop.test', password: typed });
    const { address } = await browser.follow(sent, '/loggedin');
    return new URL(address).searchParams.get('__dbSSO_token__');
  }

  /** Signs in with a password; returns the browser and its session ID. */
  async function enter(typed: string) {
    const browser = new Browser(portal.url);
    const token = await getToken(browser, typed);
    const { sessionID } = JSON.parse((await validate(browser, token)).text);
    return { browser, sessionID: String(sessionID) };
  }

  test('must sign in again at the provider, and then continues the same session with a new ID', async () => {
    await set(await invite('anna@shop.test'), 'a first password');
    const [here, other] = [await enter('a first password'), await enter('a first password')];
    const switched = await here.browser.post(
      `/api/auth/session/${here.sessionID}/switch-customer-code/CC-2`,
      { 'x-recodery-session': here.sessionID },
    );
    expect(switched.status).toBe(200);

    await set(await invite('anna@shop.test'), 'a second password');
    for (const { browser, sessionID } of [here, other]) {
      const seen = await look(browser, sessionID);
      expect([seen.status, seen.text]).toEqual([422, 'SIGN_IN_AGAIN']);
    }

    // the provider's session has ended too: it shows its form, and accepts only the new password
    const form = await goToForm(here.browser);
    const fields = { email: 'anna@shop.test', password: 'a first password' };
    expect((await here.browser.submit(form, fields)).status).toBe(200);
    const sent = await here.browser.submit(form, { ...fields, password: 'a second password' });
    const { address } = await here.browser.follow(sent, '/loggedin');
    const token = new URL(address).searchParams.get('__dbSSO_token__');
    const answer = await here.browser.post(`/api/auth/validate-sso-token/${token}`, {
      'x-recodery-session': here.sessionID,
    });
    const session = JSON.parse(answer.text);
    expect(session.customerCode).toBe('CC-2');
    const again = await look(here.browser, session.sessionID);
    expect([again.status, JSON.parse(again.text).customerCode]).toEqual([200, 'CC-2']);
    // a copy of the old ID is invalid, and the other browser still has to sign in
    expect((await look(new Browser(portal.url), here.sessionID)).status).toBe(401);
    expect((await look(other.browser, other.sessionID)).status).toBe(422);
  });

  test('gets a separate session if they present another user’s', async () => {
    const theirs = (await beginSession(platform, 'anna@shop.test')).sessionID;
    await set(await invite('anna@shop.test'), 'a third password');
    const browser = new Browser(portal.url);
    const token = (await signInAtProvider(browser, 'demo@shop.test')).get('__dbSSO_token__');
    const answer = await browser.post(`/api/auth/validate-sso-token/${token}`, {
      'x-recodery-session': theirs,
    });
    expect(JSON.parse(answer.text)).toMatchObject({
      userDisplayName: 'Demo',
      customerCode: 'CC-3',
    });
    expect((await look(new Browser(portal.url), theirs)).status).toBe(422);
  });

  test('does not finish a sign-in that was in progress', async () => {
    await set(await invite('anna@shop.test'), 'a fourth password');
    const browser = new Browser(portal.url);
    const form = await goToForm(browser);
    const fields = { email: 'anna@shop.test', password: 'a fourth password' };
    const sent = await browser.submit(form, fields);
    expect(sent.status).toBe(303);
    await set(await invite('anna@shop.test'), 'a fifth password');
    const { address } = await browser.follow(sent, '/loggedin');
    expect(new URL(address).searchParams.get('__dbSSO_token__')).toBeNull();
  });

  test('cannot sign in with the previous password, even if it was already being checked', async () => {
    await set(await invite('anna@shop.test'), 'a sixth password');
    const browser = new Browser(portal.url);
    const form = await goToForm(browser);
    const fields = { email: 'anna@shop.test', password: 'a sixth password' };
    const { checking } = await platform.db.transaction().execute(async (trx) => {
      // the check has read the account, and cannot record its attempt yet
      await sql`lock table sign_in_attempt in exclusive mode`.execute(trx);
      const checking = browser.submit(form, fields);
      await untilBlocked(platform.db, 'insert into "sign_in_attempt"');
      expect((await set(await invite('anna@shop.test'), 'a seventh password')).status).toBe(200);
      return { checking };
    });
    const seen = await checking;
    expect([seen.status, seen.location]).toEqual([200, '']);
    const sent = await browser.submit(form, { ...fields, password: 'a seventh password' });
    expect(sent.status).toBe(303);
  });

  test.each(['a new session', 'the session that waits for this'])(
    'must sign in again even if the sign-in is just getting %s',
    async (which) => {
      await set(await invite('anna@shop.test'), 'a waiting password');
      const { browser, sessionID: waiting } = await enter('a waiting password');
      await set(await invite('anna@shop.test'), 'an eighth password');
      const headers = which === 'a new session' ? {} : { 'x-recodery-session': waiting };
      const token = await getToken(browser, 'an eighth password');
      const path = await invite('anna@shop.test');
      const { db } = platform;
      const { validating, setting } = await db.transaction().execute(async (trx) => {
        // the token is redeemed, and the session cannot find its organisation yet
        await sql`lock table membership in access exclusive mode`.execute(trx);
        const validating = browser.post(`/api/auth/validate-sso-token/${token}`, headers);
        await untilBlocked(db, '"membership"');
        const setting = set(path, 'a ninth password');
        await untilBlocked(db, 'update "account"', setting);
        return { validating, setting };
      });
      expect((await setting).status).toBe(200);
      const answer = await validating;
      expect(answer.status).toBe(200);
      const seen = await look(browser, JSON.parse(answer.text).sessionID);
      expect([seen.status, seen.text]).toEqual([422, 'SIGN_IN_AGAIN']);
    },
  );
});

test('if two browsers use a link concurrently, only one sets the password', async () => {
  const path = await invite('anna@shop.test');
  const seen = await Promise.all(
    ['the first of them', 'the second of them'].map((typed) => set(path, typed)),
  );
  expect(seen.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 404,
  ]);
});
