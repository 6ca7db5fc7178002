/** Sign-in through an external provider: the same flow, with the provider's proof of identity. */
import { generateKeyPairSync } from 'node:crypto';
import type { Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listFailures } from '../../src/sign-in/failures.ts';
import { type ReportedPerson, startProvider } from '../fixtures/services/external-provider.ts';
import { freePort } from '../fixtures/free-port.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';
import { Browser } from './browser.ts';
import {
  createPlatformWithAccounts,
  type OpenPortal,
  openPortal,
  validate,
} from './open-portal.ts';

/** The user that the provider reports; changed by each test. */
const person: ReportedPerson = { sub: 'sub-1', email: 'anna@shop.test', isVerified: true };
let platform: TestPlatform;
let portal: OpenPortal;
let provider: Server;
let issuer: string;

beforeAll(async () => {
  platform = await createPlatformWithAccounts();
  const [ownPort, port] = [await freePort(), await freePort()];
  issuer = `http://localhost:${ownPort}`;
  provider = await startProvider(ownPort, `http://localhost:${port}`, person);
  const oidc = { issuer, clientId: 'portal', clientSecret: 'a secret of the operator' };
  portal = await openPortal(platform, port, { oidc });
});
beforeEach(() => {
  Object.assign(person, { sub: 'sub-1', email: 'anna@shop.test', isVerified: true });
});
afterAll(async () => {
  await portal?.app.close();
  provider?.close();
  await platform?.stop();
});

/** Goes to the provider and back; returns the query of `/loggedin`, and the browser. */
async function runSignIn(url = portal.url): Promise<{ query: URLSearchParams; browser: Browser }> {
  const browser = new Browser(url);
  const start = await browser.get('/sso/start?returnTo=/ktag');
  const { address } = await browser.follow(start, '/loggedin');
  return { browser, query: new URL(address, url).searchParams };
}

describe('an external provider', () => {
  // promise 1.work.sign-in-outside
  test('signs in users that the directory lists with their verified address', async () => {
    const { query, browser } = await runSignIn();
    expect(query.get('from')).toBe('/ktag');
    const answer = await validate(browser, query.get('__dbSSO_token__'));
    expect(JSON.parse(answer.text)).toMatchObject({ userDisplayName: 'Anna' });
  });

  test("recognizes a user later by the provider's subject, even with a different address", async () => {
    await runSignIn();
    person.email = 'anna.married@elsewhere.test';
    const { query, browser } = await runSignIn();
    const answer = await validate(browser, query.get('__dbSSO_token__'));
    expect(JSON.parse(answer.text)).toMatchObject({ userDisplayName: 'Anna' });
  });

  test.each([
    [
      'an unverified address',
      'SIGN_IN_EMAIL_UNVERIFIED',
      { email: 'mia@shop.test', isVerified: false },
    ],
    ['no address', 'SIGN_IN_EMAIL_MISSING', { email: undefined }],
    [
      'an address that is not in the directory',
      'SIGN_IN_ACCOUNT_UNKNOWN',
      { email: 'eve@shop.test' },
    ],
    [
      'the address of a user without an organisation',
      'SIGN_IN_NO_ORGANISATION',
      { email: 'olga@shop.test' },
    ],
    // U+0130: the lower case of PostgreSQL's lower() is `i`, but the domain and the mailbox are not the same
    [
      'an address that only Unicode folds to a known one',
      'SIGN_IN_ACCOUNT_UNKNOWN',
      { email: 'm\u0130a@shop.test' },
    ],
    ['a Kelvin sign instead of a k', 'SIGN_IN_ACCOUNT_UNKNOWN', { email: 'ni\u212A@shop.test' }],
  ])('does not sign in with %s, and says why', async (_, reason, told) => {
    Object.assign(person, { sub: `sub of ${reason} ${told.email}`, ...told });
    const begin = portal.log.length;
    const { query } = await runSignIn();
    expect(query.get('error')).toBe(reason);
    expect(query.get('__dbSSO_token__')).toBeNull();
    const lines = portal.log.slice(begin).map((line) => JSON.parse(line));
    const failed = { msg: 'sign-in failed', outcome: reason };
    expect(lines).toContainEqual(expect.objectContaining({ ...failed, address: '127.0.0.1' }));
    const newest = async () => (await listFailures(platform.db, { count: 1 }))[0];
    await expect.poll(newest).toMatchObject({
      reason: {
        SIGN_IN_EMAIL_UNVERIFIED: 'unverified-email',
        SIGN_IN_EMAIL_MISSING: 'no-email',
        SIGN_IN_ACCOUNT_UNKNOWN: 'no-account',
        SIGN_IN_NO_ORGANISATION: 'no-organisation',
      }[reason],
      email: told.email ?? null,
      address: '127.0.0.1',
    });
  });

  test('ignores the case of ASCII letters of an address', async () => {
    Object.assign(person, { sub: 'sub-7', email: 'MIA@Shop.Test' });
    const { query } = await runSignIn();
    expect(query.get('__dbSSO_token__')).not.toBeNull();
  });

  test.each([
    ['signed with another key', true],
    ['signed with the published key', false],
  ])('is accepted only if its token is signed: %s', async (_, isForged) => {
    const [port, ownPort] = [await freePort(), await freePort()];
    const issuedBy = `http://localhost:${ownPort}`;
    const answer = await fetch(`${issuer}/jwks`);
    const { keys } = (await answer.json()) as { keys: [object] };
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const others = { ...keys[0], ...publicKey.export({ format: 'jwk' }) };
    const oidc = { issuer: issuedBy, clientId: 'portal', clientSecret: 'a secret of the operator' };
    const own = await openPortal(platform, port, { oidc });
    const signing = await startProvider(ownPort, own.url, person, isForged ? others : null);
    const { query } = await runSignIn(own.url);
    signing.close();
    await own.app.close();
    expect(query.has('__dbSSO_token__')).toBe(!isForged);
    expect(query.get('error')).toBe(isForged ? 'SIGN_IN_UNAVAILABLE' : null);
  });

  // promise d4.sign-in.external
  test('replaces our provider and password pages', async () => {
    for (const path of ['/idp/auth', '/idp/.well-known/openid-configuration', '/idp/password/x'])
      expect((await new Browser(portal.url).get(path)).status).toBe(404);
  });

  test('is where the browser signs out', async () => {
    const { query, browser } = await runSignIn();
    const session = JSON.parse((await validate(browser, query.get('__dbSSO_token__'))).text);
    const out = await browser.post(`/api/auth/session/${session.sessionID}/logout`, {
      'x-recodery-session': session.sessionID,
    });
    const url = new URL(JSON.parse(out.text).signOutURL);
    expect(url.origin).toBe(issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${portal.url}/`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^ey/);
  });

  test('is reported on the page if it is unreachable, and tried again the next time', async () => {
    const port = await freePort();
    const away = await freePort();
    const oidc = { issuer: `http://localhost:${away}`, clientId: 'portal', clientSecret: null };
    const lonely = await openPortal(platform, port, { oidc });
    const browser = new Browser(lonely.url);
    const refused = await browser.get('/sso/start');
    const late = await startProvider(away, lonely.url, person);
    const begun = await browser.get('/sso/start');
    late.close();
    await lonely.app.close();
    expect(refused.location).toBe('/loggedin?error=SIGN_IN_UNAVAILABLE');
    const [failure] = await listFailures(platform.db, { reason: 'failed', count: 1 });
    expect(failure?.detail).toContain('ECONNREFUSED');
    expect(begun.location).toContain(`http://localhost:${away}/auth?`);
  });
});
