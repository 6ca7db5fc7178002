/** What protects a sign-in besides the password: single use, cookies with a prefix, and a log without secrets. */
import { describe, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { listFailures } from '../../src/sign-in/failures.ts';
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

const openBrowser = (): Browser => new Browser(portal.url);

test('a code is accepted once, even if it is used concurrently', async () => {
  const browser = openBrowser();
  const form = await goToForm(browser);
  const sent = await browser.submit(form, { email: 'anna@shop.test', password });
  const { address } = await browser.follow(sent, '/sso/callback');
  const seen = await Promise.all(Array.from({ length: 10 }, () => browser.get(address)));
  const entered = seen.filter(({ location }) => location.includes('__dbSSO_token__='));
  expect(entered).toHaveLength(1);
  // the others are sent to the page that explains it
  expect(new Set(seen.map(({ location }) => location)).size).toBe(2);
});

test('the log names the account of each sign-in by its GUID, and nothing else about it', async () => {
  const account = await findAccountByEmail(platform.db, 'anna@shop.test');
  const begin = portal.log.length;
  const browser = openBrowser();
  const form = await goToForm(browser);
  await browser.submit(form, { email: 'anna@shop.test', password: 'guess' });
  await browser.submit(form, { email: 'nobody@shop.test', password: 'guess' });
  const sent = await browser.submit(form, { email: 'anna@shop.test', password });
  const { address } = await browser.follow(sent, '/loggedin');
  const token = new URL(address).searchParams.get('__dbSSO_token__') ?? '';
  const { text } = await validate(browser, token);
  const { sessionID } = JSON.parse(text);
  await browser.get(`/api/auth/session/${sessionID}`, { 'x-recodery-session': sessionID });
  const lines = portal.log.slice(begin);
  const named = lines.map((line) => JSON.parse(line)).filter((line) => 'account' in line);
  expect(named.map((line) => [line.msg, line.outcome ?? line.path, line.account])).toEqual([
    ['sign-in failed', 'wrong', account?.guid],
    ['password accepted', undefined, account?.guid],
    ['identity accepted', undefined, account?.guid],
    ['request completed', '/api/auth/validate-sso-token/-', account?.guid],
    ['request completed', '/api/auth/session/-', account?.guid],
  ]);
  for (const secret of ['@shop.test', password, token, sessionID, 'guess'])
    expect(lines.join('')).not.toContain(secret);
});

// promise d4.sign-in.failures
test('operators see a wrong password with its user, and nothing of what was typed at an unknown address', async () => {
  const browser = openBrowser();
  const form = await goToForm(browser);
  const typed = 'a password in the wrong field';
  await browser.submit(form, { email: 'anna@shop.test', password: typed });
  await browser.submit(form, { email: typed, password: typed });
  const newest = () => listFailures(platform.db, { count: 2 });
  await expect.poll(newest).toMatchObject([
    { reason: 'unknown-address', email: null, detail: null },
    { reason: 'wrong-password', email: 'Anna@shop.test' },
  ]);
});

describe('over https', () => {
  test('every cookie has a prefix that protects it, browsers must use https, and the sign-in works', async () => {
    const publicUrl = 'https://portal.example';
    const secure = await openPortal(platform, await freePort(), { publicUrl, isDemo: false });
    const lines: string[] = [];
    const policies = new Set<string | null>();
    const browser = new Browser(publicUrl, async (url, init) => {
      const target = new URL(url.pathname + url.search, `http://127.0.0.1:${secure.port}`);
      const headers = new Headers(init.headers);
      headers.set('host', url.host);
      const answer = await fetch(target, { ...init, headers });
      lines.push(...answer.headers.getSetCookie());
      policies.add(answer.headers.get('strict-transport-security'));
      return answer;
    });
    const query = await signInAtProvider(browser, 'anna@shop.test');
    expect((await validate(browser, query.get('__dbSSO_token__'))).status).toBe(200);
    await secure.app.close();
    // every response, also those of the provider
    expect([...policies]).toEqual(['max-age=31536000']);
    expect(lines.length).toBeGreaterThan(6);
    for (const line of lines) {
      expect(line).toMatch(/; secure/i);
      expect(line).toMatch(/^__(Host-.*; path=\/(;|$)|Secure-.*; path=\/idp\/)/i);
    }
    // all others have the stricter one
    const names = new Set(lines.map((line) => line.split('=', 1).join('')));
    expect([...names].filter((name) => name.startsWith('__Secure-')).sort()).toEqual([
      '__Secure-recodery-idp-interaction',
      '__Secure-recodery-idp-interaction.sig',
      '__Secure-recodery-idp-resume',
      '__Secure-recodery-idp-resume.sig',
    ]);
  });
});

test('the provider lists only what it offers', async () => {
  const seen = await openBrowser().get('/idp/.well-known/openid-configuration');
  expect(JSON.parse(seen.text)).toMatchObject({
    grant_types_supported: ['authorization_code'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  });
});
