/** How the embedded provider handles requests that its client never sends. */
import { describe, expect, test } from 'vitest';
import { startPortalWithAccounts } from './open-portal.ts';

const { platform, portal } = await startPortalWithAccounts();

const wellFormed = () =>
  new URLSearchParams({
    client_id: 'recodery',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${portal.url}/sso/callback`,
    code_challenge_method: 'S256',
    code_challenge: 'x'.repeat(43),
    state: 'x',
  });
const ask = (query: URLSearchParams | string, path = '/idp/auth') =>
  portal.app.inject({ url: `${path}?${String(query)}` });

test('a request as the client sends it leads to the form', async () => {
  expect((await ask(wellFormed())).statusCode).toBe(303);
});

describe('a character that no text column accepts', () => {
  test.each(['state', 'nonce', 'login_hint', 'ui_locales', 'acr_values', 'client_id', 'x'])(
    'is refused in %s',
    async (name) => {
      const query = wellFormed();
      query.set(name, 'a\0b');
      const answer = await ask(query);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers['content-type']).toContain('text/html');
    },
  );

  test('is refused in the client ID', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/idp/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=authorization_code&code=x&client_id=a%00b&client_secret=x',
    });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client']);
  });

  test.each(['/idp/auth/a%00b', '/idp/interaction/a%00b'])('is refused in %s', async (path) => {
    const cookie =
      'recodery-idp-resume=a%00b; recodery-idp-interaction=a%00b; recodery-idp-session=a%00b';
    const answer = await portal.app.inject({ url: path, headers: { cookie } });
    expect(answer.statusCode).toBe(400);
  });
});

describe('more data than a sign-in needs', () => {
  const rows = async () =>
    (await platform.db.selectFrom('provider_record').select('id').execute()).length;

  test('is not stored: a long address', async () => {
    const before = await rows();
    const query = wellFormed();
    query.set('state', 'x'.repeat(4000));
    expect((await ask(query)).statusCode).toBe(400);
    expect(await rows()).toBe(before);
  });

  test.each([
    ['declared', String],
    ['in chunks', (query: URLSearchParams) => new Blob([String(query)]).stream()],
  ])('is not stored: a long form, %s', async (_how, write) => {
    const before = await rows();
    const query = wellFormed();
    query.set('state', 'x'.repeat(9000));
    const asked: RequestInit = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: write(query),
      redirect: 'manual',
      duplex: 'half',
    };
    const answer = await fetch(`http://127.0.0.1:${portal.port}/idp/auth`, asked);
    expect(answer.status).toBe(400);
    expect(await rows()).toBe(before);
  });
});
