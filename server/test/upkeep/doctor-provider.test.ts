/** What `recodery doctor` finds out about an external sign-in provider. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { checkProvider } from '../../src/sign-in/check-provider.ts';
import { examine } from '../../src/upkeep/doctor.ts';
import { freePort } from '../fixtures/free-port.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

const secret = 'a secret of the operator';
let platform: TestPlatform;
const ends: (() => void)[] = [];
beforeAll(async () => {
  platform = await createTestPlatform();
});
afterAll(async () => {
  for (const end of ends) end();
  await platform.stop();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Starts a provider with a confidential and a public client. `answer` may respond to a request in its place. */
async function startProvider(answer: Answer = () => false): Promise<string> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const uris = { redirect_uris: ['http://localhost:8080/sso/callback'] };
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'portal', client_secret: secret, ...uris },
      { client_id: 'public', token_endpoint_auth_method: 'none', ...uris },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key'] },
  });
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (!answer(request, response)) void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return issuer;
}

/** The finding about the provider. */
async function look(issuer: string, client: Readonly<Record<string, string>>) {
  const config = readConfig({
    RECODERY_DATA_DIR: platform.config.dataDir,
    RECODERY_DATABASE_URL: platform.databaseUrl,
    RECODERY_SECRET: secret,
    RECODERY_ROLES: 'worker',
    RECODERY_OIDC_ISSUER: issuer,
    RECODERY_OIDC_CLIENT_ID: 'portal',
    ...client,
  });
  for await (const { what, state, text } of examine({ config, log: silentLog }))
    if (what === 'sign-in') return [state, text];
  return null;
}

const right = { RECODERY_OIDC_CLIENT_SECRET: secret };

// promise d3.care.doctor
test('accepts the right client, and reports a wrong secret or client as an error', async () => {
  const issuer = await startProvider();
  expect(await look(issuer, right)).toEqual([
    'ok',
    `${issuer} responds, and accepts the client ID and its secret.`,
  ]);
  const refused = [
    'wrong',
    expect.stringContaining('(invalid_client). Check RECODERY_OIDC_CLIENT_ID and'),
  ];
  expect(await look(issuer, { RECODERY_OIDC_CLIENT_SECRET: 'another one' })).toEqual(refused);
  expect(await look(issuer, { ...right, RECODERY_OIDC_CLIENT_ID: 'unknown' })).toEqual(refused);
  // this client needs a secret
  expect(await look(issuer, {})).toEqual(refused);
  expect(await look(issuer, { RECODERY_OIDC_CLIENT_ID: 'public' })).toEqual([
    'ok',
    expect.stringContaining('none was checked'),
  ]);
});

test('says that a secret cannot be checked if the provider responds to a wrong one in the same way', async () => {
  const issuer = await startProvider(({ url }, response) => {
    if (url !== '/token') return false;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'invalid_grant' }));
    return true;
  });
  const unchecked = ['warning', expect.stringContaining('the client secret cannot be checked')];
  expect(await look(issuer, right)).toEqual(unchecked);
  expect(await look(issuer, { RECODERY_OIDC_CLIENT_SECRET: 'another one' })).toEqual(unchecked);
});

test('warns if the response does not show whether a client without a secret is accepted', async () => {
  const issuer = await startProvider(({ url }, response) => {
    if (url !== '/token') return false;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'unsupported_grant_type' }));
    return true;
  });
  expect(await look(issuer, { RECODERY_OIDC_CLIENT_ID: 'public' })).toEqual([
    'warning',
    expect.stringContaining('unsupported_grant_type, which does not show'),
  ]);
});

test('reports an issuer that is unreachable, is no provider, or has another name as an error', async () => {
  const closed = `http://localhost:${await freePort()}`;
  expect(await look(closed, right)).toEqual(['wrong', expect.stringContaining('ECONNREFUSED')]);
  const other = await startProvider(({ url }, response) => {
    if (url !== '/.well-known/openid-configuration') return false;
    response.writeHead(404).end();
    return true;
  });
  expect(await look(other, right)).toEqual([
    'wrong',
    expect.stringContaining('Check RECODERY_OIDC_ISSUER'),
  ]);
  const issuer = await startProvider();
  const renamed = issuer.replace('localhost', '127.0.0.1');
  expect(await look(renamed, right)).toEqual(['wrong', expect.stringContaining(renamed)]);
});

test('warns about a clock that differs from that of the provider', async () => {
  const issuer = await startProvider((_, response) => {
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    return false;
  });
  expect(await look(issuer, right)).toEqual([
    'warning',
    expect.stringMatching(/clock is (3599|36\d\d) seconds ahead of that of/),
  ]);
});

/** The parts of the test, by name. */
async function testParts(answer: Answer, publicUrl = 'http://localhost:8080') {
  const issuer = await startProvider(answer);
  const settings = { issuer, clientId: 'portal', clientSecret: secret };
  const { state, checks } = await checkProvider(settings, publicUrl);
  return { state, states: Object.fromEntries(checks.map((one) => [one.what, one.state])) };
}

const always = (): boolean => false;
const all = { metadata: 'ok', endpoints: 'ok', keys: 'ok', client: 'ok', redirect: 'ok' };

// promise d4.sign-in.provider-test
describe('the test of a provider', () => {
  test('names each part that it tested, and what only a sign-in can show', async () => {
    expect(await testParts(always)).toEqual({ state: 'ok', states: { ...all, clock: 'ok' } });
    // of an address that is not registered, the provider shows a page: that can have other causes
    const other = await testParts(always, 'http://localhost:8081');
    expect(other.states).toMatchObject({ redirect: 'unchecked' });
  });

  test('finds keys that cannot be read', async () => {
    const { state, states } = await testParts(({ url }, response) => {
      if (url !== '/jwks') return false;
      response.setHeader('content-type', 'application/json').end('{"keys":[null,{}]}');
      return true;
    });
    expect([state, states['keys']]).toEqual(['wrong', 'wrong']);
  });

  test('warns about endpoints without https', async () => {
    const { state, states } = await testParts(({ url, headers }, response) => {
      if (url !== '/.well-known/openid-configuration') return false;
      const origin = `http://${headers.host}`;
      const metadata = {
        issuer: origin,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        userinfo_endpoint: 'http://login.example.test/me',
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
      return true;
    });
    expect([state, states['endpoints']]).toEqual(['warning', 'warning']);
  });

  test('reads no more of a response than metadata can have, and follows no redirect', async () => {
    let followed = 0;
    const endless = await testParts(({ url }, response) => {
      if (url !== '/.well-known/openid-configuration') return false;
      response.setHeader('content-type', 'application/json').end(' '.repeat(300_000));
      return true;
    });
    const away = await testParts(({ url }, response) => {
      if (url === '/internal') followed += 1;
      if (url !== '/.well-known/openid-configuration') return false;
      response.writeHead(302, { location: '/internal' }).end();
      return true;
    });
    expect([endless.state, away.state, followed]).toEqual(['wrong', 'wrong', 0]);
  });
});
