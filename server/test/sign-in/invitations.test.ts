/** An invited user sets a password by a link, once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountByEmail } from '../../src/sign-in/accounts.ts';
import { createInvitationPath } from '../../src/sign-in/invitations.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';
import { Browser, type Seen } from './browser.ts';
import {
  createPlatformWithAccounts,
  findFreePort,
  goToForm,
  type OpenPortal,
  openPortal,
  beginSession,
} from './open-portal.ts';

let platform: TestPlatform;
let portal: OpenPortal;
beforeAll(async () => {
  platform = await createPlatformWithAccounts();
  portal = await openPortal(platform, await findFreePort());
});
afterAll(async () => {
  await portal?.app.close();
  await platform?.stop();
});

const day = 86_400_000;
/** A link made some days ago. */
async function invite(email: string, daysAgo = 0): Promise<string> {
  const account = await findAccountByEmail(platform.db, email);
  if (account === null) throw new Error(`no ${email}`);
  const clock = { now: () => new Date(Date.now() - daysAgo * day) };
  return createInvitationPath({ ...platform, clock }, account);
}
const set = (path: string, password: string): Promise<Seen> =>
  new Browser(portal.url).submit(path, { password });

test('a link sets a password, with which its owner signs in', async () => {
  const path = await invite('guest@shop.test');
  const page = await new Browser(portal.url).get(path, { 'accept-language': 'it' });
  expect(page.text).toContain('Imposta la password');
  expect(page.text).toContain('guest@shop.test');
  expect((await set(path, 'a new password')).text).toContain('You can sign in with it now.');
  const browser = new Browser(portal.url);
  const form = await goToForm(browser);
  const sent = await browser.submit(form, { email: 'guest@shop.test', password: 'a new password' });
  expect(sent.status).toBe(303);
  expect(portal.log.join('')).not.toContain(path.split('/').at(-1));
});

test('a link works once, and so do all that were made before it was used', async () => {
  const [first, second] = [await invite('mia@shop.test'), await invite('mia@shop.test', 1)];
  expect((await set(second, 'a new password')).status).toBe(200);
  for (const path of [first, second]) {
    expect((await new Browser(portal.url).get(path)).status).toBe(404);
    expect((await set(path, 'another password')).text).toContain('This link no longer works');
  }
});

test('a link dies after seven days', async () => {
  expect((await new Browser(portal.url).get(await invite('anna@shop.test', 6.99))).status).toBe(
    200,
  );
  expect((await new Browser(portal.url).get(await invite('anna@shop.test', 7))).status).toBe(404);
});

test('a link cannot be made up, or changed to last longer or for another', async () => {
  const path = await invite('anna@shop.test');
  const [token = ''] = path.split('/').slice(-1);
  const bytes = Buffer.from(token, 'base64url');
  for (const at of [0, 16, 19, 20, 51]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(
      (await set(`/idp/password/${changed.toString('base64url')}`, 'a new password')).status,
    ).toBe(404);
  }
  expect((await set('/idp/password/x', 'a new password')).status).toBe(404);
});

test('a password that is too short or too long is not taken, and the link stays', async () => {
  const path = await invite('anna@shop.test');
  const short = await set(path, '1234567');
  expect(short.status).toBe(400);
  expect(short.text).toContain('The password needs at least 8 characters.');
  expect((await set(path, 'x'.repeat(201))).status).toBe(400);
  expect((await new Browser(portal.url).get(path)).status).toBe(200);
});

test('a new password ends the sessions of its account', async () => {
  const { sessionID } = await beginSession(platform, 'anna@shop.test');
  await set(await invite('anna@shop.test'), 'a new password');
  const seen = await new Browser(portal.url).get(`/api/auth/session/${sessionID}`, {
    'x-recodery-session': sessionID,
  });
  expect(seen.status).toBe(401);
});
