/** Passkeys: added on the account, and accepted by the sign-in page instead of a password. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepSignIn } from '../../../src/sign-in/open-sign-in.ts';
import { canHavePasskeys } from '../../../src/sign-in/factors/passkeys.ts';
import { textsByLocale } from '../../../src/texts/texts.ts';
import { createPasskey, type Deviation } from '../../fixtures/sign-in/authenticator.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import type { Browser } from '../browser.ts';
import {
  ask,
  beginSignIn,
  givePassword,
  isSignedIn,
  openBrowser,
  password,
  submitPassword,
} from './factor-steps.ts';

const texts = textsByLocale.get('en-US');
let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
});
afterAll(() => portal.stop());

const passkeys = '/api/account/factors/passkeys';
const originOf = () => portal.platform.config.publicUrl;

/** The options of a new passkey, and the passkey itself. */
async function draft(client: Client, deviation: Deviation = {}) {
  const { json } = await ask(client, 'POST', `${passkeys}/draft`);
  return createPasskey(JSON.parse(json.options), originOf(), deviation);
}

const add = (client: Client, credential: string) =>
  ask(client, 'POST', passkeys, { credential, name: 'Laptop' });

async function addPasskey(client: Client) {
  const passkey = await draft(client);
  const { status, json } = await add(client, passkey.credential);
  expect(status).toBe(200);
  return { passkey, recoveryCodes: json.recoveryCodes as readonly string[] | null };
}

async function optionsOf(browser: Browser, form: string): Promise<{ challenge: string }> {
  const { status, text } = await browser.post(`${form}/passkey-options`);
  expect(status).toBe(200);
  return JSON.parse(text);
}

const send = (browser: Browser, form: string, credential: string) =>
  browser.submit(`${form}/passkey`, { credential });

// promise 6.passkeys.sign-in, 6.passkeys.once
test('a passkey signs in without a password, and each challenge works once', async () => {
  const luca = await portal.signIn('luca@demo.test');
  const { passkey, recoveryCodes } = await addPasskey(luca);
  expect(recoveryCodes).toHaveLength(10);
  const browser = openBrowser(portal);
  const form = await beginSignIn(browser);
  expect((await browser.get(form)).text).toContain(texts?.passkeyButton);
  const signed = passkey.sign(await optionsOf(browser, form));
  const seen = await send(browser, form, signed);
  const second = openBrowser(portal);
  const replayed = await send(second, await beginSignIn(second), signed);
  expect(replayed.text).toContain(texts?.passkeyFailed);
  expect(await isSignedIn(browser, seen)).toBe(true);
});

// promise 6.passkeys.password
test('a password does not suffice for an account with a passkey; a recovery code completes it', async () => {
  const email = 'mia@demo.test';
  await givePassword(portal, email);
  const { recoveryCodes } = await addPasskey(await portal.signIn(email));
  const browser = openBrowser(portal);
  const { form, seen } = await submitPassword(browser, email);
  expect(seen.location).toMatch(/\/factor$/);
  const page = await browser.get(seen.location);
  expect(page.text).toContain(texts?.factorCodeText);
  expect(page.text).toContain(texts?.passkeyButton);
  const done = await browser.submit(`${form}/factor`, { code: recoveryCodes?.[0] ?? '' });
  expect(await isSignedIn(browser, done)).toBe(true);
});

// promise 6.passkeys.refused
test('refuses another origin, no user verification, a copy, and a challenge of another sign-in', async () => {
  const { passkey } = await addPasskey(await portal.signIn('paolo@demo.test'));
  const browser = openBrowser(portal);
  const form = await beginSignIn(browser);
  const attempt = async (how: Deviation) =>
    send(browser, form, passkey.sign(await optionsOf(browser, form), how));
  const refused = async (seen: Awaited<ReturnType<typeof attempt>>) => {
    expect(seen.status).toBe(200);
    expect(seen.text).toContain(texts?.passkeyFailed);
  };
  await refused(await attempt({ origin: 'https://evil.test' }));
  await refused(await attempt({ isVerified: false }));
  const other = openBrowser(portal);
  const foreign = await optionsOf(other, await beginSignIn(other));
  await refused(await send(browser, form, passkey.sign(foreign)));
  await refused(await send(browser, form, '{"id":"unknown"}'));
  await refused(await send(browser, form, 'no JSON'));
  const right = await attempt({});
  expect(await isSignedIn(browser, right)).toBe(true);
  // a copy counts from where it was made
  passkey.counter = 0;
  const third = openBrowser(portal);
  const next = await beginSignIn(third);
  await refused(await send(third, next, passkey.sign(await optionsOf(third, next))));
});

// promise 6.passkeys.expired
test('a challenge expires after five minutes, and the sweep deletes it', async () => {
  const { passkey } = await addPasskey(await portal.signIn('otto@demo.test'));
  const browser = openBrowser(portal);
  const form = await beginSignIn(browser);
  const options = await optionsOf(browser, form);
  const { db } = portal.platform;
  const row = db.selectFrom('passkey_challenge').where('challenge', '=', options.challenge);
  const { expires_on: expires } = await row.select('expires_on').executeTakeFirstOrThrow();
  expect(expires.getTime() - Date.now()).toBeLessThanOrEqual(300_000);
  await db
    .updateTable('passkey_challenge')
    .set({ expires_on: new Date(0) })
    .execute();
  const late = await send(browser, form, passkey.sign(options));
  expect(late.text).toContain(texts?.passkeyFailed);
  await sweepSignIn(db);
  expect(await row.select('challenge').execute()).toEqual([]);
});

// promise 6.passkeys.add
test('a new passkey must answer the challenge of its own session, from this origin, with verification', async () => {
  const email = 'anna@demo.test';
  const [anna, other] = [await portal.signIn(email), await portal.signIn(email)];
  const refused = { status: 400, json: { details: { fields: { credential: 'PASSKEY_REFUSED' } } } };
  const passkey = await draft(anna);
  expect(await add(other, passkey.credential)).toMatchObject(refused);
  for (const deviation of [{ origin: 'https://evil.test' }, { isVerified: false }])
    expect(await add(anna, (await draft(anna, deviation)).credential)).toMatchObject(refused);
  expect(await add(anna, passkey.credential)).toMatchObject({ status: 200 });
  // its challenge is used up
  expect(await add(anna, passkey.credential)).toMatchObject(refused);
});

// promise 6.passkeys.removed
test('a removed passkey and a suspended user are refused', async () => {
  const email = 'otto@demo.test';
  await givePassword(portal, email);
  const otto = await portal.signIn(email);
  const { passkey } = await addPasskey(otto);
  const { json } = await ask(otto, 'GET', '/api/account/factors');
  const { db } = portal.platform;
  const attempt = async () => {
    const browser = openBrowser(portal);
    const form = await beginSignIn(browser);
    const seen = await send(browser, form, passkey.sign(await optionsOf(browser, form)));
    return isSignedIn(browser, seen);
  };
  const suspend = (isSuspended: boolean) =>
    db
      .updateTable('account')
      .where('email', '=', email)
      .set({ is_suspended: isSuspended })
      .execute();
  expect(await attempt()).toBe(true);
  await suspend(true);
  expect(await attempt()).toBe(false);
  await suspend(false);
  for (const { guid } of json.factors)
    expect((await ask(otto, 'DELETE', `/api/account/factors/${guid}`)).status).toBe(204);
  expect(await attempt()).toBe(false);
  const browser = openBrowser(portal);
  const { seen } = await submitPassword(browser, email, password);
  expect(await isSignedIn(browser, seen)).toBe(true);
});

// promise 6.passkeys.where
test('passkeys are offered with https and on this machine only', () => {
  expect(canHavePasskeys('https://portal.example.org')).toBe(true);
  expect(canHavePasskeys('http://localhost:8080')).toBe(true);
  for (const url of [
    'http://portal.example.org',
    'https://192.0.2.7',
    'http://127.0.0.1:8080',
    'https://[2001:db8::1]',
  ])
    expect(canHavePasskeys(url)).toBe(false);
});
