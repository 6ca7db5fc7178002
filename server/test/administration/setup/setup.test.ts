/** The setup of an installation without users, over HTTP. */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSetupLink } from '../../../src/administration/setup/setup-links.ts';
import { exportDirectory } from '../../../src/organisations/directory/directory.ts';
import { startPortal } from '../../../src/portal.ts';
import type { RunningRole } from '../../../src/worker.ts';
import { startMailServer } from '../../email/mail-server.ts';
import { createPasskey } from '../../fixtures/sign-in/authenticator.ts';
import { Client } from '../../fixtures/client.ts';
import { createTestPlatform, type TestPlatform } from '../../fixtures/test-platform.ts';
import { shareEngines } from '../../fixtures/shared-engines.ts';

const opened: { readonly portal: RunningRole; readonly platform: TestPlatform }[] = [];
let platform: TestPlatform;
let url: string;

async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  platform = await createTestPlatform({ RECODERY_DEMO: 'off', ...settings });
  const portal = await startPortal(platform, 0, shareEngines);
  url = `http://127.0.0.1:${portal.port}`;
  opened.push({ portal, platform });
}

/** The installation for the next test: the last one with the usual settings, unless it was set up. */
let next: { readonly platform: TestPlatform; readonly url: string } | null = null;
beforeEach(async () => {
  if (next === null || (await exportDirectory(next.platform.db)).users?.length !== 0) {
    await open();
    next = { platform, url };
  }
  ({ platform, url } = next);
});
afterAll(async () => {
  for (const one of opened) {
    await one.portal.stop();
    await one.platform.stop();
  }
});

const password = 'a sentence with 4 wheels';
const values = {
  operator: { email: 'olga@nova.test', name: 'Olga', password, passkey: null },
  organisation: { customerCode: 'CC-1', name: 'Nova', culture: 'it-IT' },
  groupCode: 'G-1',
  masters: [{ family: 'kess3', serial: 'M-1' }],
  slaves: [{ family: 'kess3', serial: 'S-1', masterSerial: 'M-1' }],
};

async function createToken(): Promise<string> {
  const link = await createSetupLink(platform.db, 'http://localhost');
  const token = new URL(link ?? 'http://localhost').searchParams.get('token') ?? '';
  platform.known.push({ kind: 'setup link', value: token });
  return token;
}

async function post(path: string, body: object) {
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url + path, init);
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}
const setUp = (body: object) => post('/api/setup', body);

test('adds the operator with an organisation and devices, and signs in', async () => {
  const token = await createToken();
  const link = await fetch(`${url}/api/setup/${token}`);
  expect(await link.json()).toEqual({
    expiresOn: expect.any(String),
    issuer: null,
    canAddPasskey: true,
    connection: {
      publicUrl: platform.config.publicUrl,
      protocol: 'http',
      host: new URL(url).host,
      address: '127.0.0.1',
      untrustedProxy: null,
    },
  });
  const { status, json } = await setUp({ token, ...values });
  expect(status).toBe(200);
  const { session } = json as { session: { sessionID: string } };
  platform.known.push({ kind: 'session id', value: session.sessionID });
  expect(session).toMatchObject({
    customerCode: 'CC-1',
    userDisplayName: 'Olga',
    isOperator: true,
    isManager: true,
    groupCodesInfo: [{ groupCode: 'G-1' }],
  });
  const olga = new Client(url, session.sessionID);
  expect((await olga.get('/api/admin/slaves')).json).toMatchObject({
    items: [{ serial: 'S-1', masterSerial: 'M-1', revoked: false }],
    total: 1,
  });
  expect((await exportDirectory(platform.db)).users).toMatchObject([{ operator: true }]);
});

describe('a setup link', () => {
  test('works once, also for two who use it at the same time', async () => {
    const token = await createToken();
    const other = await createToken();
    const answers = await Promise.all([
      setUp({ token, ...values }),
      setUp({ token, ...values, operator: { ...values.operator, email: 'eve@nova.test' } }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 410]));
    // every other link ends, too, and there are no new ones
    for (const used of [token, other]) {
      expect((await fetch(`${url}/api/setup/${used}`)).status).toBe(410);
      expect(await setUp({ token: used, ...values })).toMatchObject({
        status: 410,
        json: { errorCode: 'SETUP_LINK_EXPIRED', title: expect.stringContaining('setup-link') },
      });
    }
    expect(await createSetupLink(platform.db, url)).toBeNull();
  });

  test('expires after a day, and is stored as a hash', async () => {
    const token = await createToken();
    const { rows } = await sql`select setup_link::text as line from setup_link`.execute(
      platform.db,
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    await sql`update setup_link set expires_on = expires_on - interval '24 hours'`.execute(
      platform.db,
    );
    expect((await setUp({ token, ...values })).status).toBe(410);
    expect((await fetch(`${url}/api/setup/${token.slice(1)}`)).status).toBe(410);
  });
});

test.each([
  [
    { operator: { ...values.operator, password: 'short' } },
    'operator.password',
    'PASSWORD_TOO_SHORT',
  ],
  [
    { operator: { ...values.operator, password: 'P@ssw0rd2026!' } },
    'operator.password',
    'PASSWORD_TOO_COMMON',
  ],
  [
    { operator: { ...values.operator, password: '1234567890' } },
    'operator.password',
    'PASSWORD_TOO_COMMON',
  ],
  [
    { operator: { ...values.operator, password: 'qwerty12345' } },
    'operator.password',
    'PASSWORD_TOO_COMMON',
  ],
  [
    { operator: { ...values.operator, password: 'nova-2026' } },
    'operator.password',
    'PASSWORD_TOO_COMMON',
  ],
  [{ operator: { ...values.operator, email: 'olga' } }, 'operator.email', 'INVALID'],
  [{ organisation: { ...values.organisation, name: '' } }, 'organisation.name', 'REQUIRED'],
  [{ masters: [{ family: 'kess9', serial: 'M-1' }] }, 'masters.0.family', 'INVALID'],
  [{ slaves: [{ ...values.slaves[0], masterSerial: 'M-2' }] }, 'slaves.0.masterSerial', 'UNKNOWN'],
])('refuses %j at its field, adds nothing, and keeps the link', async (wrong, field, code) => {
  const token = await createToken();
  expect(await setUp({ token, ...values, ...wrong })).toMatchObject({
    status: 400,
    json: { errorCode: 'FIELDS_NOT_ACCEPTED', details: { fields: { [field]: code } } },
  });
  expect(await exportDirectory(platform.db)).toEqual({ organisations: [], users: [] });
  expect((await fetch(`${url}/api/setup/${token}`)).status).toBe(200);
});

test('shows a proxy that forwards requests although it is not trusted', async () => {
  const token = await createToken();
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
  const answer = await fetch(`${url}/api/setup/${token}`, { headers });
  expect(await answer.json()).toMatchObject({
    connection: { protocol: 'http', address: '127.0.0.1', untrustedProxy: '127.0.0.1' },
  });
});

test('shows the protocol and the address that a trusted proxy reports', async () => {
  await open({ RECODERY_TRUSTED_PROXIES: '127.0.0.1' });
  const token = await createToken();
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
  const link = `${url}/api/setup/${token}`;
  expect(await (await fetch(link, { headers })).json()).toMatchObject({
    connection: { protocol: 'https', address: '203.0.113.7', untrustedProxy: null },
  });
});

describe('the test email', () => {
  const ask = { to: 'olga@nova.test', culture: 'it-IT' };

  test('is stored without a mail server, and sent again to anyone who has the link', async () => {
    const token = await createToken();
    const answer = await post(`/api/setup/${token}/email`, ask);
    expect(answer).toMatchObject({ status: 200, json: { outcome: 'stored' } });
    const written = await readFile(String(answer.json['response']), 'utf8');
    expect(written).toContain('To: olga@nova.test');
    expect(await post(`/api/setup/${token}/email`, { ...ask, to: 'olga' })).toMatchObject({
      status: 400,
      json: { details: { fields: { 'operator.email': 'INVALID' } } },
    });
    expect((await post(`/api/setup/${token}x/email`, ask)).status).toBe(410);
  });

  test.each([
    [null, 'accepted', /^250 /],
    [550, 'failed', /550/],
  ] as const)('shows what the mail server responds: %s is %s', async (refusal, outcome, words) => {
    const server = await startMailServer({ refuse: () => refusal });
    onTestFinished(() => server.stop());
    await open({ RECODERY_SMTP_URL: server.url, RECODERY_MAIL_FROM: 'portal@nova.test' });
    const { status, json } = await post(`/api/setup/${await createToken()}/email`, ask);
    expect({ status, ...json }).toMatchObject({ status: 200, outcome });
    expect(json['response']).toMatch(words);
  });
});

describe('a passkey', () => {
  const operator = { ...values.operator, password: null };

  async function draft(token: string) {
    const { json } = await post(`/api/setup/${token}/passkey`, operator);
    const { credential } = createPasskey(
      JSON.parse(String(json['options'])),
      platform.config.publicUrl,
    );
    return { credential, name: 'Laptop' };
  }

  test('replaces the password of the operator, whose session counts as opened with a factor', async () => {
    const token = await createToken();
    const passkey = await draft(token);
    // a refused field gives the challenge back
    const wrong = { ...values.organisation, name: '' };
    const refused = { token, ...values, operator: { ...operator, passkey }, organisation: wrong };
    expect((await setUp(refused)).status).toBe(400);
    const { status, json } = await setUp({
      token,
      ...values,
      operator: { ...operator, passkey },
    });
    expect(status).toBe(200);
    const { session, recoveryCodes } = json as {
      session: { sessionID: string };
      recoveryCodes: readonly string[];
    };
    platform.known.push({ kind: 'session id', value: session.sessionID });
    expect(recoveryCodes).toHaveLength(10);
    const olga = new Client(url, session.sessionID);
    expect((await olga.get('/api/account/factors')).json).toMatchObject({
      factors: [{ kind: 'passkey', name: 'Laptop' }],
      recoveryCodesLeft: 10,
      isMissing: false,
    });
    expect((await olga.get('/api/account')).json).toMatchObject({ email: operator.email });
  });

  test('of another setup link is refused at its field, and adds nothing', async () => {
    const token = await createToken();
    const passkey = await draft(await createToken());
    expect(await setUp({ token, ...values, operator: { ...operator, passkey } })).toMatchObject({
      status: 400,
      json: { details: { fields: { 'operator.passkey': 'PASSKEY_REFUSED' } } },
    });
    expect(await exportDirectory(platform.db)).toEqual({ organisations: [], users: [] });
  });

  test('or a password is required', async () => {
    const token = await createToken();
    expect(await setUp({ token, ...values, operator })).toMatchObject({
      status: 400,
      json: { details: { fields: { 'operator.password': 'PASSWORD_TOO_SHORT' } } },
    });
  });
});
