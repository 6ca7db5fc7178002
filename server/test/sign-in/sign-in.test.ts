/** The complete sign-in and sign-out, with the real embedded provider over HTTP. */
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { Browser } from './browser.ts';
import {
  goToForm,
  openPortal,
  password,
  signInAtProvider,
  startPortalWithAccounts,
  validate,
} from './open-portal.ts';

const { platform, portal } = await startPortalWithAccounts();
/** A second portal on the same database, with the same public address. */
const twin = await openPortal(platform, await freePort(), { publicUrl: portal.url });
afterAll(() => twin.app.close());

const openBrowser = (): Browser => new Browser(portal.url);

describe('the sign-in', () => {
  // promise 2.routes.loggedin-token, 3.session.fields, d4.sign-in.pkce
  test('leads from the start through the form to a session, and remembers the requested page', async () => {
    const browser = openBrowser();
    const query = await signInAtProvider(browser, 'anna@shop.test', '/kessv2?groupCode=G-1');
    expect(query.get('from')).toBe('/kessv2?groupCode=G-1');
    const answer = await validate(browser, query.get('__dbSSO_token__'));
    expect(answer.status).toBe(200);
    const session = JSON.parse(answer.text);
    expect(answer.headers.get('x-recodery-session')).toBe(session.sessionID);
    expect(session).toEqual({
      sessionID: expect.stringMatching(/^[\w-]{70}$/),
      customerCode: 'CC-1',
      userDisplayName: 'Anna',
      userOrganizationName: 'First',
      userOrganizationLogoURL: expect.stringMatching(/^\/api\/organisations\/.+\/logo\/\w{16}$/),
      otherCustomerCodes: ['CC-2'],
      customerCodeNames: { 'CC-1': 'First', 'CC-2': 'Second' },
      groupCodesInfo: [
        {
          groupCode: 'G-1',
          kessv2MasterDevicesSerialNumbers: ['M-1', 'M-2'],
          ktagMasterDevicesSerialNumbers: [],
          kess3MasterDevicesSerialNumbers: [],
          bflashMasterDevicesSerialNumbers: [],
          autotunerMasterDevicesSerialNumbers: [],
          flexMasterDevicesSerialNumbers: [],
          autoflasherMasterDevicesSerialNumbers: [],
        },
        {
          groupCode: 'G-2',
          kessv2MasterDevicesSerialNumbers: [],
          ktagMasterDevicesSerialNumbers: [],
          kess3MasterDevicesSerialNumbers: ['M-3'],
          bflashMasterDevicesSerialNumbers: [],
          autotunerMasterDevicesSerialNumbers: [],
          flexMasterDevicesSerialNumbers: [],
          autoflasherMasterDevicesSerialNumbers: [],
        },
      ],
      culture: 'en-US',
      hasPortalAccess: true,
      isOperator: false,
      isManager: false,
      canReceive: false,
      entries: {
        kessv2: null,
        ktag: 'FeatureNotAvailable',
        kess3: 'FeatureNotAvailable',
        'kess3-utility': 'USER_NO_RIGHTS',
        bflash: 'FeatureNotAvailable',
        autotuner: 'FeatureNotAvailable',
        flex: 'FeatureNotAvailable',
        autoflasher: 'FeatureNotAvailable',
      },
    });
  });

  test('needs no state that is stored in only one portal', async () => {
    let count = 0;
    const ports = [portal.port, twin.port];
    const browser = new Browser(portal.url, (url, init) => {
      if (url.origin !== portal.url) return fetch(url, init);
      // Requests alternate between the two portals, all with the public host name.
      const target = new URL(url);
      target.hostname = '127.0.0.1';
      target.port = String(ports[count++ % 2]);
      const headers = new Headers(init.headers);
      headers.set('host', url.host);
      return fetch(target, { ...init, headers });
    });
    const query = await signInAtProvider(browser, 'anna@shop.test');
    const answer = await validate(browser, query.get('__dbSSO_token__'));
    expect(answer.status).toBe(200);
    expect(count).toBeGreaterThan(5);
  });

  test('is separate for each browser tab', async () => {
    const browser = openBrowser();
    const [first, second] = [await goToForm(browser, '/ktag'), await goToForm(browser, '/kess3')];
    const fields = { email: 'anna@shop.test', password };
    for (const [form, place] of [
      [second, '/kess3'],
      [first, '/ktag'],
    ] as const) {
      const { address } = await browser.follow(await browser.submit(form, fields), '/loggedin');
      const query = new URL(address, portal.url).searchParams;
      expect(query.get('from')).toBe(place);
      expect((await validate(browser, query.get('__dbSSO_token__'))).status).toBe(200);
    }
  });

  // promise d4.sign-in.own-paths
  test.each(['//evil.test', 'https://evil.test/', '/\\evil.test', '/\n/evil.test', 'kessv2', ''])(
    'does not redirect to another site: %j',
    async (place) => {
      const query = await signInAtProvider(openBrowser(), 'anna@shop.test', place);
      expect(query.get('from')).toBe('/');
    },
  );

  // promise d3.settings.public-host
  test('asks users who are signed in at the provider again only where they must prove who they are', async () => {
    const browser = openBrowser();
    await signInAtProvider(browser, 'anna@shop.test');
    const start = await browser.get('/sso/start?returnTo=%2F');
    const silent = await browser.follow(start, '/loggedin');
    expect(new URL(silent.address).pathname).toBe('/loggedin');
    const again = await browser.get('/sso/start?returnTo=%2Fadmin%2Fkeys&again=1');
    const { address: form } = await browser.follow(again, '/loggedin');
    const sent = await browser.submit(form, { email: 'anna@shop.test', password });
    const { searchParams } = new URL((await browser.follow(sent, '/loggedin')).address);
    expect(searchParams.get('from')).toBe('/admin/keys');
  });

  test('redirects a browser to the public host first, once', async () => {
    const browser = new Browser(portal.url.replace('localhost', '127.0.0.1'));
    const moved = await browser.get('/sso/start?returnTo=/ktag');
    expect(moved.location).toBe(`${portal.url}/sso/start?returnTo=%2Fktag&moved=1`);
    const again = await browser.get('/sso/start?returnTo=/ktag&moved=1');
    expect(again.location).toContain(`${portal.url}/idp/auth?`);
  });

  test('deletes old sign-ins, and limits the number of concurrent ones', async () => {
    const names = Array.from({ length: 100 }, (_, count) => `recodery-sign-in-${count}=x`);
    const start = await openBrowser().get('/sso/start', { cookie: names.join('; ') });
    const lines = start.headers.getSetCookie();
    expect(lines.filter((line) => line.includes('Expires=Thu, 01 Jan 1970'))).toHaveLength(20);
  });

  // promise d4.sign-in.cookie
  test('sets cookies that scripts and other sites cannot use', async () => {
    const start = await openBrowser().get('/sso/start');
    const lines = start.headers.getSetCookie();
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});

describe('the one-time token', () => {
  // promise 7.around.validate, d4.sign-in.token-once
  test('works once', async () => {
    const browser = openBrowser();
    const token = (await signInAtProvider(browser, 'anna@shop.test')).get('__dbSSO_token__');
    expect((await validate(browser, token)).status).toBe(200);
    const again = await validate(browser, token);
    expect(again.status).toBe(401);
    expect(again.text).toBe('API_ERROR_UNAUTHORIZED');
  });

  // promise d4.sign-in.token-browser
  test('works in the browser that started, and an attempt by another does not spoil it', async () => {
    const browser = openBrowser();
    const token = (await signInAtProvider(browser, 'anna@shop.test')).get('__dbSSO_token__');
    const other = openBrowser();
    expect((await validate(other, token)).status).toBe(401);
    await goToForm(other);
    expect((await validate(other, token)).status).toBe(401);
    expect((await validate(browser, token)).status).toBe(200);
  });

  // promise d4.sign-in.token-60s
  test('expires after 60 seconds', async () => {
    const browser = openBrowser();
    const token = (await signInAtProvider(browser, 'anna@shop.test')).get('__dbSSO_token__');
    await platform.db
      .updateTable('sso_token')
      .set({ expires_on: sql<Date>`expires_on - interval '60 seconds'` })
      .execute();
    expect((await validate(browser, token)).status).toBe(401);
  });

  // promise d4.sign-in.token-hashed
  test('is in the database only as a hash, and in no log', async () => {
    const browser = openBrowser();
    const token = (await signInAtProvider(browser, 'anna@shop.test')).get('__dbSSO_token__') ?? '';
    const answer = await validate(browser, token);
    const rows = await platform.db.selectFrom('sso_token').select('token_hash').execute();
    expect(rows.every(({ token_hash }) => token_hash.length === 32)).toBe(true);
    expect(rows.some(({ token_hash }) => token_hash.toString('base64url') === token)).toBe(false);
    const log = portal.log.join('');
    expect(log).toContain('/api/auth/validate-sso-token/-');
    expect(log).not.toContain(token);
    expect(log).not.toContain(JSON.parse(answer.text).sessionID);
  });
});

describe('the callback', () => {
  test('refuses a return that this browser did not start', async () => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const sent = await browser.submit(form, { email: 'anna@shop.test', password });
    const { address } = await browser.follow(sent, '/sso/callback');
    const seen = await openBrowser().get(address);
    expect(seen.location).toBe('/loggedin?error=SIGN_IN_EXPIRED');
  });

  test('refuses a sign-in cookie that is not as we wrote it', async () => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const sent = await browser.submit(form, { email: 'anna@shop.test', password });
    const { address } = await browser.follow(sent, '/sso/callback');
    for (const [key, cookie] of browser.cookies) {
      if (!cookie.name.startsWith('recodery-sign-in-')) continue;
      const [body = '', signature = ''] = cookie.value.split('.');
      const memory = JSON.parse(Buffer.from(body, 'base64url').toString());
      const changed = { ...memory, returnTo: 'https://evil.test' };
      const value = `${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
      browser.cookies.set(key, { ...cookie, value });
    }
    expect((await browser.get(address)).location).toBe('/loggedin?error=SIGN_IN_EXPIRED');
  });

  test('refuses the cookie of another sign-in in the same browser', async () => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const sent = await browser.submit(form, { email: 'anna@shop.test', password });
    const { address } = await browser.follow(sent, '/sso/callback');
    const state = new URL(address).searchParams.get('state') ?? '';
    await browser.get('/sso/start');
    const [first, second] = [...browser.cookies.values()].filter(({ name }) =>
      name.startsWith('recodery-sign-in-'),
    );
    const other = [first, second].find((cookie) => !cookie?.name.endsWith(state.slice(0, 12)));
    const name = `recodery-sign-in-${state.slice(0, 12)}`;
    browser.cookies.set(`${name} /`, { name, path: '/', value: other?.value ?? '' });
    expect(other).toBeDefined();
    expect((await browser.get(address)).location).toBe('/loggedin?error=SIGN_IN_EXPIRED');
  });

  test('refuses a code that was used before', async () => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const kept = new Map(browser.cookies);
    const sent = await browser.submit(form, { email: 'anna@shop.test', password });
    const { address } = await browser.follow(sent, '/sso/callback');
    expect((await browser.get(address)).location).toContain('__dbSSO_token__=');
    for (const [key, cookie] of kept) browser.cookies.set(key, cookie);
    expect((await browser.get(address)).location).toBe('/loggedin?error=SIGN_IN_EXPIRED');
  });

  // promise d4.sign-in.refused
  test('reports a refusal by the provider', async () => {
    const browser = openBrowser();
    const start = await browser.get('/sso/start');
    const state = new URL(start.location).searchParams.get('state');
    const seen = await browser.get(`/sso/callback?error=access_denied&state=${state}`);
    expect(seen.location).toBe('/loggedin?error=SIGN_IN_REFUSED');
  });

  test('creates no session for an account without a customer code', async () => {
    const browser = openBrowser();
    const query = await signInAtProvider(browser, 'lone@shop.test');
    expect(query.get('error')).toBe('SIGN_IN_NO_ORGANISATION');
  });
});

describe('signing out', () => {
  // promise 7.around.logout, d4.session.logout
  test('ends the session here and at the provider', async () => {
    const browser = openBrowser();
    const query = await signInAtProvider(browser, 'anna@shop.test');
    const { sessionID } = JSON.parse((await validate(browser, query.get('__dbSSO_token__'))).text);
    const header = { 'x-recodery-session': sessionID };
    // The provider still has its session: no form is shown.
    const silent = await browser.follow(await browser.get('/sso/start'), '/loggedin');
    expect(silent.address).toContain('__dbSSO_token__=');

    const out = await browser.post(`/api/auth/session/${sessionID}/logout`, header);
    expect(out.status).toBe(200);
    expect((await browser.get(`/api/auth/session/${sessionID}`, header)).status).toBe(401);
    const end = await browser.get(JSON.parse(out.text).signOutURL);
    expect(end.location).toBe(`${portal.url}/`);
    const asked = await browser.follow(await browser.get('/sso/start'));
    expect(asked.seen.text).toContain('<h1>Sign in</h1>');
  });

  test('asks for confirmation if nothing proves that the user wants it', async () => {
    const browser = openBrowser();
    await signInAtProvider(browser, 'anna@shop.test');
    const page = await browser.get('/idp/session/end');
    expect(page.text).toContain('Do you want to sign out?');
    const secret = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const done = await browser.submit('/idp/session/end/confirm', { xsrf: secret, logout: 'yes' });
    expect(done.status).toBe(303);
    const asked = await browser.follow(await browser.get('/sso/start'));
    expect(asked.seen.text).toContain('<h1>Sign in</h1>');
  });
});

// promise 3.session.logo
test('the logo of an organisation is public, sandboxed and cacheable', async () => {
  const browser = openBrowser();
  const query = await signInAtProvider(browser, 'anna@shop.test');
  const session = JSON.parse((await validate(browser, query.get('__dbSSO_token__'))).text);
  const logo = await openBrowser().get(session.userOrganizationLogoURL);
  expect(logo.status).toBe(200);
  expect(logo.headers.get('content-type')).toBe('image/svg+xml');
  expect(logo.headers.get('content-security-policy')).toMatch(/sandbox; frame-ancestors 'none'/);
  expect(logo.headers.get('cache-control')).toContain('immutable');
  const none = await openBrowser().get(
    '/api/organisations/01900000-0000-7000-8000-000000000001/logo/x',
  );
  expect(none.status).toBe(404);
});

test('the provider refuses a request that is not from our client, on its own page', async () => {
  const seen = await openBrowser().get('/idp/auth?client_id=other&response_type=code');
  expect(seen.status).toBe(400);
  expect(seen.text).toContain('<code>invalid_client</code>');
});
