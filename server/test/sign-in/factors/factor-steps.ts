/** What tests of second factors do in a portal: the sign-in pages up to a session, and the calls of the account. */
import { findAccountByEmail, setPasswordHash } from '../../../src/organisations/accounts.ts';
import { hashPassword } from '../../../src/sign-in/provider/passwords/passwords.ts';
import { appCode } from '../../fixtures/sign-in/app-code.ts';
import { Client } from '../../fixtures/client.ts';
import type { RunningPortal } from '../../fixtures/running-portal.ts';
import { Browser, type Seen } from '../browser.ts';

export const password = 'four wheels and a wing';

/** A clock that tests move. */
export function createMovedClock() {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    /** Codes of an app work once: lets the next one begin. */
    advance(seconds: number): void {
      ahead += seconds * 1000;
    },
  };
}

/** Gives a demo account a password of its own. */
export async function givePassword(portal: RunningPortal, email: string): Promise<string> {
  const { db } = portal.platform;
  const account = await findAccountByEmail(db, email);
  if (account === null) throw new Error(`there is no ${email}`);
  await setPasswordHash(db, account, await hashPassword(password));
  return account.guid;
}

/**
 * A browser whose requests reach the portal, although its redirects name the public address. `from`: the address that
 * each request comes from, in portals that trust a proxy on this machine.
 */
export function openBrowser(
  { url, platform }: RunningPortal,
  from: () => string = () => '127.0.0.1',
): Browser {
  return new Browser(platform.config.publicUrl, (address, init) => {
    const headers = new Headers(init.headers);
    headers.set('x-forwarded-for', from());
    return fetch(new URL(address.pathname + address.search, url), { ...init, headers });
  });
}

/** Begins a sign-in; returns the address of its form. */
export async function beginSignIn(browser: Browser): Promise<string> {
  const { address } = await browser.follow(await browser.get('/sso/start'));
  return address;
}

/** Submits the password; returns the response. */
export async function submitPassword(browser: Browser, email: string, typed = password) {
  const form = await beginSignIn(browser);
  return { form, seen: await browser.submit(form, { email, password: typed }) };
}

/** Whether a response leads to a signed-in browser. */
export async function isSignedIn(browser: Browser, seen: Seen): Promise<boolean> {
  if (seen.location === '') return false;
  const { address } = await browser.follow(seen, '/loggedin');
  return new URL(address, 'http://x').searchParams.get('__dbSSO_token__') !== null;
}

/** Completes a sign-in: the calls of its session. */
export async function openSession(
  portal: RunningPortal,
  browser: Browser,
  seen: Seen,
): Promise<Client> {
  const { address } = await browser.follow(seen, '/loggedin');
  const token = new URL(address, 'http://x').searchParams.get('__dbSSO_token__');
  const { text } = await browser.post(`/api/auth/validate-sso-token/${token}`);
  return new Client(portal.url, JSON.parse(text).sessionID);
}

/** A call that may be refused: its status and JSON, with the fields that were not accepted. */
export async function ask(client: Client, verb: string, path: string, body?: object) {
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const init = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const { status, text } = await client.call(verb, path, init);
  return { status, json: text === '' ? null : JSON.parse(text) };
}

/** An app that shows the codes of an address, and how to add it. */
export async function addApp(
  client: Client,
  clock: { now(): Date },
  name = 'Phone',
): Promise<{ code(): string; recoveryCodes: readonly string[] | null }> {
  const { json } = await ask(client, 'POST', '/api/account/factors/apps/draft');
  const code = () => appCode(json.secret, clock.now());
  const body = { draft: json.draft, code: code(), name };
  const added = await ask(client, 'POST', '/api/account/factors/apps', body);
  if (added.status !== 200) throw new Error(`the app was not added: ${added.status}`);
  return { code, recoveryCodes: added.json.recoveryCodes };
}
