/** How the embedded sign-in handles guessed passwords, floods, and remote use of well-known passwords. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { networkOf } from '../../src/http/requests/caller-network.ts';
import { aimAt, countAttempt } from '../../src/sign-in/provider/attempts.ts';
import { sweepSignIn } from '../../src/sign-in/open-sign-in.ts';
import { fill, textsByLocale } from '../../src/texts/texts.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';
import { Browser, type Seen } from './browser.ts';
import {
  createPlatformWithAccounts,
  goToForm,
  type OpenPortal,
  openPortal,
  password,
} from './open-portal.ts';

let platform: TestPlatform;
let portal: OpenPortal;
beforeAll(async () => {
  platform = await createPlatformWithAccounts();
  // no one is rejected because the machine is busy
  const passwordPlaces = { atOnce: 2, waitMs: 600_000, mostWaiting: 60 };
  portal = await openPortal(platform, await freePort(), { passwordPlaces });
});
afterEach(() => sql`truncate sign_in_attempt`.execute(platform.db));
afterAll(async () => {
  await portal?.app.close();
  await platform?.stop();
});

const english = textsByLocale.get('en-US');

/** A form that accepts any number of guesses. */
async function openForm(at = portal): Promise<(email: string, typed: string) => Promise<Seen>> {
  const browser = new Browser(at.url);
  const form = await goToForm(browser);
  return (email, typed) => browser.submit(form, { email, password: typed });
}

const statusesOf = (seen: readonly Seen[]) =>
  Object.fromEntries(
    [...Map.groupBy(seen, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

describe('guesses', () => {
  test.each([
    ['an account', 'mia@shop.test'],
    ['an unknown account', 'nobody@shop.test'],
  ])('at %s are counted before they are checked, also if they are concurrent', async (_, email) => {
    const guess = await openForm();
    const seen = await Promise.all(
      Array.from({ length: 24 }, (_none, index) => guess(email, `guess ${index}`)),
    );
    const { 200: tried = 0, 429: refused = 0 } = statusesOf(seen);
    expect(tried + refused).toBe(24);
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThanOrEqual(8);
    // several that reach the limit concurrently may all be rejected; one by one, eight are checked
    for (let count = tried; count < 8; count += 1) {
      expect((await guess(email, 'one more')).status).toBe(200);
    }
    // the correct password is not checked either
    expect((await guess(email, password)).status).toBe(429);
    expect((await guess('anna@shop.test', password)).status).toBe(303);
  });

  test('count in every portal, and after a restart', async () => {
    const twin = await openPortal(platform, await freePort());
    const [here, there] = [await openForm(), await openForm(twin)];
    for (const guess of [here, there, here, there, here, there, here, there]) {
      expect((await guess('mia@shop.test', 'guess')).status).toBe(200);
    }
    expect((await here('mia@shop.test', password)).status).toBe(429);
    expect((await there('mia@shop.test', password)).status).toBe(429);
    await twin.app.close();
    const restarted = await openPortal(platform, await freePort());
    const guess = await openForm(restarted);
    expect((await guess('mia@shop.test', password)).status).toBe(429);
    await restarted.app.close();
  });

  test('count for the account, however its address is spelled', async () => {
    const guess = await openForm();
    for (const spelling of ['mia@shop.test', 'MIA@shop.test', ' mia@SHOP.test ', 'Mia@shop.test']) {
      expect(statusesOf([await guess(spelling, 'x'), await guess(spelling, 'y')])).toEqual({
        200: 2,
      });
    }
    expect((await guess('mIa@shop.test', password)).status).toBe(429);
  });

  test('are in the audit trail as often as a password was checked, however many follow', async () => {
    const guess = await openForm();
    for (let count = 0; count < 12; count += 1) await guess('mia@shop.test', 'guess');
    const { rows } = await sql<{ outcome: string }>`
      delete from audit_waiting where entry::jsonb ->> 'action' = 'sign-in'
        and entry::jsonb #>> '{object,account}' = (
          select guid::text from account where email = 'mia@shop.test')
      returning entry::jsonb ->> 'outcome' as outcome`.execute(platform.db);
    expect(rows.slice(-8).map(({ outcome }) => outcome)).toEqual(Array(8).fill('wrong'));
    expect(rows.filter(({ outcome }) => outcome === 'wait')).toEqual([]);
  });

  test('from one address at many accounts are limited too', async () => {
    for (let count = 0; count < 39; count += 1) {
      await countAttempt(platform.db, aimAt(`nobody-${count}@shop.test`, '127.0.0.1'));
    }
    const guess = await openForm();
    expect((await guess('nobody@shop.test', 'guess')).status).toBe(200);
    expect((await guess('anna@shop.test', password)).status).toBe(429);
  });

  test('are forgotten after a quarter of an hour', async () => {
    const guess = await openForm();
    for (let count = 0; count < 8; count += 1) await guess('mia@shop.test', 'guess');
    const age = (seconds: number) =>
      sql`update sign_in_attempt set attempted_on = now() - make_interval(secs => ${seconds})`;
    await age(850).execute(platform.db);
    const seen = await guess('mia@shop.test', password);
    expect(seen.status).toBe(429);
    expect(Number(seen.headers.get('retry-after'))).toBeLessThanOrEqual(50);
    expect(seen.text).toContain(fill(english?.signInWait ?? '', 1));
    await age(900).execute(platform.db);
    expect((await guess('mia@shop.test', password)).status).toBe(303);
  });

  test('that are right are not counted, and delete the wrong ones', async () => {
    const guess = await openForm();
    for (let count = 0; count < 7; count += 1) await guess('mia@shop.test', 'guess');
    for (let count = 0; count < 3; count += 1) {
      expect((await (await openForm())('mia@shop.test', password)).status).toBe(303);
    }
    const kept = await platform.db.selectFrom('sign_in_attempt').selectAll().execute();
    expect(kept).toEqual([]);
  });

  test('do not reveal in the database the account or the address', async () => {
    const guess = await openForm();
    await guess('nobody@shop.test', 'guess');
    const [row] = await platform.db.selectFrom('sign_in_attempt').selectAll().execute();
    const text = JSON.stringify(row);
    expect(text).toContain('attempted_on');
    expect(text).not.toMatch(/nobody|127\.0\.0\.1/);
  });
});

describe('a flood of sign-ins', () => {
  test('waits in a short queue; beyond it, a page reports this and nothing is counted', async () => {
    const small = await openPortal(platform, await freePort(), {
      passwordPlaces: { atOnce: 1, waitMs: 600_000, mostWaiting: 1 },
    });
    const forms = await Promise.all(Array.from({ length: 5 }, () => openForm(small)));
    const turnedAway = Promise.withResolvers<void>();
    let left = 3;
    const guesses = await platform.db.transaction().execute(async (trx) => {
      // the first one stays in the queue until all others have arrived, because its attempt cannot be recorded yet
      await sql`lock table sign_in_attempt in exclusive mode`.execute(trx);
      const asked = forms.map(async (guess) => {
        const answer = await guess('anna@shop.test', password);
        if (answer.status === 429) left -= 1;
        if (left === 0) turnedAway.resolve();
        return answer;
      });
      await turnedAway.promise;
      return { asked };
    });
    const seen = await Promise.all(guesses.asked);
    expect(statusesOf(seen)).toEqual({ 303: 2, 429: 3 });
    for (const one of seen.filter(({ status }) => status === 429)) {
      expect(one.text).toContain(english?.signInBusy);
      expect(Number(one.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await platform.db.selectFrom('sign_in_attempt').selectAll().execute()).toEqual([]);
    await small.app.close();
  });

  test.each([
    ['/idp/session/end', 1200],
    ['/idp/AUTH?client_id=recodery', 1200],
    ['/sso/start', 600],
  ])('that are only started, at %s, leaves at most %i records', async (url, most) => {
    const remoteAddress = `203.0.113.${url.length}`;
    const ask = () => portal.app.inject({ url, remoteAddress });
    await sql`truncate request_count`.execute(platform.db);
    let answer = await ask();
    // nearly as many as can be sent, in a time that does not end while others are sent
    await sql`update request_count set count = ${most - 10}, ends_on = now() + interval '1 hour'`.execute(
      platform.db,
    );
    for (let count = 0; count < 10; count += 1) {
      expect(answer.statusCode).not.toBe(429);
      answer = await ask();
    }
    answer = await ask();
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).toContain(english?.signInBusy);
    const count = () =>
      platform.db
        .selectFrom('provider_record')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow();
    const before = await count();
    for (let more = 0; more < 20; more += 1) expect((await ask()).statusCode).toBe(429);
    expect(await count()).toEqual(before);
    // other users can continue
    expect((await portal.app.inject({ url, remoteAddress: '203.0.113.99' })).statusCode).not.toBe(
      429,
    );
  });
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('for the address %s the network %s is counted', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('expired data of unknown clients is deleted, and nothing else is', async () => {
  const { db } = platform;
  await goToForm(new Browser(portal.url));
  await countAttempt(db, aimAt('old', '127.0.0.1'));
  const token = {
    account_guid: (await db.selectFrom('account').select('guid').executeTakeFirstOrThrow()).guid,
  };
  await db
    .insertInto('sso_token')
    .values({
      ...token,
      token_hash: Buffer.from('old'),
      browser_hash: Buffer.from('x'),
      expires_on: new Date(),
    })
    .execute();
  const countRows = async () => {
    const { rows } = await sql<Readonly<Record<string, number>>>`select
      (select count(*) from provider_record) as records,
      (select count(*) from sso_token) as tokens,
      (select count(*) from sign_in_attempt) as attempts`.execute(db);
    return rows[0];
  };
  await sweepSignIn(db);
  const before = await countRows();
  expect(before).toMatchObject({ tokens: 1, attempts: 1 });
  expect(before?.['records']).toBeGreaterThan(0);
  await sql`update provider_record set expires_on = expires_on - interval '1 day'`.execute(db);
  await sql`update sso_token set expires_on = expires_on - interval '1 day'`.execute(db);
  await sql`update sign_in_attempt set attempted_on = attempted_on - interval '1 day'`.execute(db);
  await sweepSignIn(db);
  expect(await countRows()).toEqual({ records: 0, tokens: 0, attempts: 0 });
});

describe('a well-known password', () => {
  const ask = async (headers: Readonly<Record<string, string>>) => {
    const browser = new Browser(portal.url);
    const form = await goToForm(browser);
    const cookies = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`);
    return portal.app.inject({
      method: 'POST',
      url: new URL(form, portal.url).pathname,
      headers: {
        host: 'localhost:8080',
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        cookie: cookies.join('; '),
      },
      payload: String(new URLSearchParams({ email: 'demo@shop.test', password })),
    });
  };

  test.each<Readonly<Record<string, string>>>([
    { forwarded: 'host=localhost, host=recodery.example' },
    { forwarded: 'for=127.0.0.1;host=localhost, for="[2001:db8::1]:4711"' },
    { forwarded: 'For=203.0.113.9' },
    { forwarded: 'for=unknown' },
    { 'x-forwarded-host': 'localhost, recodery.example' },
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
    { 'cf-connecting-ip': '203.0.113.9' },
    { via: '1.1 proxy.example' },
    { via: '1.1 localhost, 2 proxy.example:8080 (squid)' },
  ])('is refused through a proxy that reports %j', async (headers) => {
    const far = await ask(headers);
    expect(far.statusCode).toBe(200);
    expect(far.body).toContain(english?.signInWrong);
    expect(far.body).not.toContain('Demo account');
  });

  test.each<Readonly<Record<string, string>>>([
    { 'x-forwarded-for': '127.0.0.1, ::1, [::1]:4711, ::ffff:127.0.0.1, 127.0.0.1:4711' },
    { forwarded: 'for="[::1]:4711";host="localhost:8080";proto=http', via: '1.1 localhost:3128' },
    { 'x-real-ip': '::1', 'x-forwarded-host': 'localhost:5173' },
  ])('is accepted through a proxy on this machine that reports %j', async (headers) => {
    expect((await ask(headers)).statusCode).toBe(303);
  });
});
