/** Whether strangers can keep users from signing in: by a full queue, and by attempts at a user's account. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { areaOf } from '../../src/http/requests/caller-network.ts';
import { aimAt, countAttempt, waitFor } from '../../src/sign-in/provider/attempts.ts';
import { createPasswordQueue } from '../../src/sign-in/provider/passwords/password-queue.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';
import { Browser, type Transport } from './browser.ts';
import {
  createPlatformWithAccounts,
  goToForm,
  type OpenPortal,
  openPortal,
  password,
  signInAtProvider,
} from './open-portal.ts';

let platform: TestPlatform;
let portal: OpenPortal;
beforeAll(async () => {
  platform = await createPlatformWithAccounts();
  portal = await openPortal(platform, await freePort(), {
    isDemo: false,
    passwordPlaces: { atOnce: 2, waitMs: 600_000, mostWaiting: 60 },
  });
});
afterEach(() => sql`truncate sign_in_attempt`.execute(platform.db));
afterAll(async () => {
  await portal?.app.close();
  await platform?.stop();
});

/** Requests from an internet address. */
const from =
  (remoteAddress: string): Transport =>
  async (url, init) => {
    const answer = await portal.app.inject({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: url.pathname + url.search,
      remoteAddress,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        host: url.host,
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(init.body instanceof URLSearchParams ? { payload: String(init.body) } : {}),
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
    );
    return new Response(answer.rawPayload.length === 0 ? null : answer.body, {
      status: answer.statusCode,
      headers,
    });
  };

/** A browser at the form, which accepts any number of attempts. */
async function openForm(address: string, browser = new Browser(portal.url, from(address))) {
  const form = await goToForm(browser);
  return (email: string, typed: string) => browser.submit(form, { email, password: typed });
}

const strangers = [
  ['one /24', (index: number) => `203.0.113.${index % 250}`],
  ['one /48', (index: number) => `2001:db8:1:${(index + 1).toString(16)}::1`],
] as const;

describe.each(strangers)('70 concurrent attempts from %s', (_, addressOf) => {
  test('leave room in the queue for everyone else', async () => {
    const forms = await Promise.all(
      Array.from({ length: 70 }, (_none, index) => openForm(addressOf(index))),
    );
    const shop = await openForm('198.51.100.7');
    const asked = await platform.db.transaction().execute(async (trx) => {
      // no attempt can be recorded, so none leaves the queue
      await sql`lock table sign_in_attempt in exclusive mode`.execute(trx);
      let open = forms.length;
      const isSettled = Promise.withResolvers<void>();
      const flood = forms.map(async (attempt) => {
        const seen = await attempt('mia@shop.test', 'guess');
        open -= 1;
        if (open <= 62) isSettled.resolve();
        return seen;
      });
      await isSettled.promise;
      return { flood, owner: shop('anna@shop.test', password) };
    });
    expect((await asked.owner).status).toBe(303);
    await Promise.all(asked.flood);
  });
});

describe.each(strangers)('200 attempts at an account from %s', (_, addressOf) => {
  test('do not lock out its owner in other places', async () => {
    let counted = 0;
    for (let index = 0; index < 220; index += 1) {
      const outcome = await countAttempt(platform.db, aimAt('anna@shop.test', addressOf(index)));
      if ('guid' in outcome) counted += 1;
    }
    expect(counted).toBe(40);
    const shop = await openForm('198.51.100.7');
    expect((await shop('anna@shop.test', password)).status).toBe(303);
  });
});

test('attempts at many accounts from one area are limited', async () => {
  for (let index = 0; index < 200; index += 1)
    await countAttempt(platform.db, aimAt(`nobody-${index}`, `203.0.113.${index}`));
  expect(await waitFor(platform.db, aimAt('somebody', '203.0.113.250'))).toBeGreaterThan(0);
  expect(await waitFor(platform.db, aimAt('somebody', '203.0.114.1'))).toBe(0);
});

/** Records 200 attempts from all over the internet, which lock the account. */
async function lockFromEverywhere(email: string): Promise<void> {
  for (let index = 0; index < 200; index += 1)
    await countAttempt(platform.db, aimAt(email, `10.${index}.0.1`));
}

describe('a browser that has signed in to the account before', () => {
  const home = '198.51.100.7';
  /** A browser after a sign-in, without its session at the provider. */
  async function openKnown(email = 'anna@shop.test'): Promise<Browser> {
    const browser = new Browser(portal.url, from(home));
    await signInAtProvider(browser, email);
    for (const [key, { name }] of browser.cookies)
      if (name.startsWith('recodery-idp-')) browser.cookies.delete(key);
    return browser;
  }

  test('signs in while the account is locked for all others', async () => {
    const known = await openForm(home, await openKnown());
    await lockFromEverywhere('anna@shop.test');
    const unknown = await openForm(home);
    expect((await unknown('anna@shop.test', password)).status).toBe(429);
    expect((await known('anna@shop.test', password)).status).toBe(303);
  });

  test('has no advantage for other accounts', async () => {
    const known = await openForm(home, await openKnown());
    await lockFromEverywhere('mia@shop.test');
    expect((await known('mia@shop.test', password)).status).toBe(429);
  });

  test('has separate limits', async () => {
    const known = await openForm(home, await openKnown());
    for (let count = 0; count < 8; count += 1)
      expect((await known('anna@shop.test', 'guess')).status).toBe(200);
    expect((await known('anna@shop.test', password)).status).toBe(429);
    // and others keep theirs
    expect((await (await openForm(home))('anna@shop.test', password)).status).toBe(303);
  });

  test('needs the cookie as the portal wrote it', async () => {
    const browser = await openKnown();
    const [key, cookie] =
      [...browser.cookies].find(([, { name }]) => name.startsWith('recodery-known-')) ?? [];
    if (key === undefined || cookie === undefined) throw new Error('there is no cookie');
    browser.cookies.set(key, { ...cookie, value: cookie.value.replace(/^./, 'x') });
    const forger = await openForm(home, browser);
    await lockFromEverywhere('anna@shop.test');
    expect((await forger('anna@shop.test', password)).status).toBe(429);
  });
});

test('a queue that strangers have filled is open to browsers that an account knows', async () => {
  const queue = createPasswordQueue({ atOnce: 2, waitMs: 600_000, mostWaiting: 60 });
  const inside = Array.from({ length: 62 }, (_, at) => queue.enter({ address: `10.0.${at}.1` }));
  expect(await queue.enter({ address: '10.1.0.1' })).toBeNull();
  const leave = await queue.enter({ accountGuid: 'anna' });
  expect(leave).not.toBeNull();
  leave?.();
  // everyone who waits gets a place
  for (const entered of inside) (await entered)?.();
});

test('one account cannot fill the queue of known browsers', async () => {
  const queue = createPasswordQueue({ atOnce: 2, waitMs: 600_000, mostWaiting: 60 });
  const inside = Array.from({ length: 32 }, () => queue.enter({ accountGuid: 'mallory' }));
  expect(await queue.enter({ accountGuid: 'mallory' })).toBeNull();
  const anna = queue.enter({ accountGuid: 'anna' });
  for (const entered of inside.slice(0, 8)) (await entered)?.();
  expect(await anna).not.toBeNull();
});

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the address %s belongs to the area %s', (address, area) => {
  expect(areaOf(address)).toBe(area);
});
