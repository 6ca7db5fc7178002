/** Access tokens: how client applications get them, what they give access to, from where, and when they expire. */
import { mostTokens } from '@recodery/contract/features/clients';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPortal } from '../../src/portal.ts';
import type { Client as Caller } from '../fixtures/client.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import { expireClient } from './expire-client.ts';

let portal: RunningPortal;
let anna: Caller;
beforeAll(async () => {
  // the proxy is this machine: tests choose the caller's address
  portal = await startTestPortal({ RECODERY_TRUSTED_PROXIES: '127.0.0.1' }, false);
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const nobody = '01900000-0000-7000-8000-00000000dead';

function requestToken(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send('POST', '/api/access-tokens/request', {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function send(method: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(portal.url + path, { ...init, method });
  const [type, retryAfter, limitReset] = ['content-type', 'retry-after', 'x-ratelimit-reset'].map(
    (name) => answer.headers.get(name),
  );
  return { status: answer.status, type, retryAfter, limitReset, text: await answer.text() };
}

function credentialsOf({ guid, secretKey }: AddedClient) {
  return { clientApplicationGUID: guid, secretKey };
}

/** Requests the recent operations. */
async function use(headers: Readonly<Record<string, string>>): Promise<readonly [number, string]> {
  const { status, text } = await send('GET', '/api/operations', { headers });
  return [status, status === 200 ? '' : text];
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const plain = 'text/plain; charset=utf-8';

describe('A token request', () => {
  // promise e1.token.request, e2.tokens.headers
  test('returns a token that works in both headers', async () => {
    const answer = await requestToken(credentialsOf(await portal.addClient()));
    expect(answer.status).toBe(200);
    const { accessToken, expiresOn } = JSON.parse(answer.text) as Record<string, string>;
    const token = accessToken ?? '';
    expect(Date.parse(expiresOn ?? '') - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    expect(await use({ [accessTokenHeader]: token })).toEqual([200, '']);
    expect(await use(bearer(token))).toEqual([200, '']);
    expect(await use({ authorization: `bearer ${token}` })).toEqual([200, '']);
    // by programs that send it in every header
    const everywhere = { [accessTokenHeader]: token, [sessionHeader]: token, ...bearer(token) };
    expect(await use(everywhere)).toEqual([200, '']);
  });

  test('accepts field names and the GUID in any case', async () => {
    const { guid, secretKey } = await portal.addClient();
    const body = { ClientApplicationGuid: guid.toUpperCase(), SECRETKEY: secretKey };
    expect((await requestToken(body)).status).toBe(200);
  });

  // promise e1.token.request
  test('leaves older tokens valid', async () => {
    const added = await portal.addClient();
    await requestToken(credentialsOf(added));
    expect((await added.client.get('/api/operations')).status).toBe(200);
  });

  // promise e1.token.refused
  test('is refused with 403 as plain text for wrong, revoked and expired credentials', async () => {
    const [one, other, revoked, expired] = await Promise.all([
      portal.addClient(),
      portal.addClient(),
      portal.addClient(),
      portal.addClient(),
    ]);
    await anna.post(`/api/clients/${revoked.guid}/revoke`);
    await expireClient(portal, expired.guid);
    const answers = await Promise.all(
      [
        { ...credentialsOf(one), secretKey: `${one.secretKey}x` },
        { ...credentialsOf(one), secretKey: other.secretKey },
        { ...credentialsOf(one), secretKey: '' },
        { ...credentialsOf(one), clientApplicationGUID: nobody },
        { ...credentialsOf(one), clientApplicationGUID: 'x' },
        credentialsOf(revoked),
        credentialsOf(expired),
      ].map((body) => requestToken(body, { accept: 'application/problem+json' })),
    );
    expect(answers).toMatchObject(
      answers.map(() => ({ status: 403, type: plain, text: 'INVALID_CREDENTIALS' })),
    );
  });

  test.each(['', '/encoding-api'])(
    'at the base %j is logged with its client, and with its address if it is refused',
    async (base) => {
      const lines: string[] = [];
      const log = pino({}, { write: (line: string) => lines.push(line) });
      const logging = await startPortal({ ...portal.platform, log }, 0);
      const added = await portal.addClient();
      const ask = (secretKey: string, clientApplicationGUID = added.guid) =>
        fetch(`http://127.0.0.1:${logging.port}${base}/api/access-tokens/request`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.9' },
          body: JSON.stringify({ clientApplicationGUID, secretKey }),
        });
      await ask(added.secretKey);
      await ask('a guess');
      // a program whose two settings are swapped
      await ask(added.guid, added.secretKey);
      await logging.stop();
      const seen = lines
        .map((line) => JSON.parse(line))
        .filter(({ path }) => path === `${base}/api/access-tokens/request`)
        .map(({ status, client, address }) => [status, client, address]);
      expect(seen).toEqual([
        [200, added.guid, undefined],
        [403, added.guid, '198.51.100.9'],
        [403, undefined, '198.51.100.9'],
      ]);
      expect(lines.join('')).not.toContain(added.secretKey);
    },
  );

  test.each([{}, [], null, 'x', { clientApplicationGUID: 1, secretKey: 2 }])(
    'is refused with 400, never 401, for the body %j',
    async (body) => {
      const answer = await requestToken(body);
      expect(answer).toMatchObject({ status: 400, type: plain, text: 'BAD_REQUEST' });
    },
  );

  test('is limited for each address, with a response in plain text, until the minute has passed', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    let answer = await requestToken({}, from);
    while (answer.status === 400) answer = await requestToken({}, from);
    expect(answer).toMatchObject({ status: 429, type: plain, text: 'API_ERROR_THROTTLING' });
    expect(answer.retryAfter).toBe(answer.limitReset);
    expect((await requestToken({})).status).toBe(400);
  });

  test('is limited per client, regardless of the address that it calls from', async () => {
    const [busy, other] = [await portal.addClient(), await portal.addClient()];
    await addTokens(busy.guid, 118, '20 seconds');
    const ask = (added: AddedClient, address: string) =>
      requestToken(credentialsOf(added), { 'x-forwarded-for': address });
    expect((await ask(busy, '192.0.2.1')).status).toBe(200);
    const refused = await ask(busy, '192.0.2.2');
    expect(refused).toMatchObject({ status: 429, type: plain, text: 'API_ERROR_THROTTLING' });
    expect(Number(refused.retryAfter)).toBeGreaterThan(10);
    expect(Number(refused.retryAfter)).toBeLessThanOrEqual(40);
    expect((await ask(other, '192.0.2.2')).status).toBe(200);
    await ageTokens(busy.guid, '40 seconds');
    expect((await ask(busy, '192.0.2.2')).status).toBe(200);
  });

  test('is refused while a client has too many valid tokens', async () => {
    const added = await portal.addClient();
    await addTokens(added.guid, mostTokens - 1, '1 day');
    const refused = await requestToken(credentialsOf(added));
    expect(refused).toMatchObject({ status: 429, type: plain, text: 'TOO_MANY_ACCESS_TOKENS' });
    expect(Number(refused.retryAfter)).toBeGreaterThan(28 * 86_400);
    await portal.platform.db
      .deleteFrom('access_token')
      .where('client_guid', '=', added.guid)
      .execute();
    expect((await requestToken(credentialsOf(added))).status).toBe(200);
  });
});

/** Adds tokens that a client got this long ago. */
async function addTokens(clientGuid: string, count: number, age: string): Promise<void> {
  await sql`insert into access_token (token_hash, client_guid, created_on, expires_on)
    select sha256((${clientGuid}::text || n)::bytea), ${clientGuid}, now() - ${age}::interval,
      now() - ${age}::interval + interval '30 days'
    from generate_series(1, ${count}::int) as n`.execute(portal.platform.db);
}

/** Backdates a client's tokens by this much. */
async function ageTokens(clientGuid: string, age: string): Promise<void> {
  await sql`update access_token set created_on = created_on - ${age}::interval
    where client_guid = ${clientGuid}`.execute(portal.platform.db);
}

/** Opens an event stream, which stays open until it is closed. */
async function openStream(headers: Readonly<Record<string, string>>) {
  const closing = new AbortController();
  const { signal } = closing;
  const { status } = await fetch(`${portal.url}/api/events`, { headers, signal });
  return { status, close: () => closing.abort() };
}

describe('A token', () => {
  // promise e2.clients.ends
  test('ends immediately when its client is revoked or expires', async () => {
    const [revoked, expired] = [await portal.addClient(), await portal.addClient()];
    expect((await anna.post(`/api/clients/${revoked.guid}/revoke`)).status).toBe(204);
    await expireClient(portal, expired.guid);
    for (const { client } of [revoked, expired]) {
      const answer = await client.get('/api/operations');
      expect([answer.status, answer.text]).toEqual([401, 'API_ERROR_UNAUTHORIZED']);
    }
  });

  // promise e2.tokens.days
  test('expires after 30 days', async () => {
    const { client, guid } = await portal.addClient();
    const { db } = portal.platform;
    const tokens = db.updateTable('access_token').where('client_guid', '=', guid);
    await tokens
      .set({ expires_on: sql<Date>`expires_on - interval '30 days' + interval '1 minute'` })
      .execute();
    expect((await client.get('/api/operations')).status).toBe(200);
    await tokens.set({ expires_on: sql<Date>`expires_on - interval '1 minute'` }).execute();
    expect((await client.get('/api/operations')).status).toBe(401);
  });

  test('expires with its client, where that is earlier', async () => {
    const expiresOn = new Date(Date.now() + 3_600_000);
    const added = await portal.addClient({ expiresOn });
    const { text } = await requestToken(credentialsOf(added));
    expect(JSON.parse(text)).toMatchObject({ expiresOn: expiresOn.toISOString() });
  });

  test('ends the event stream of a client that is revoked', async () => {
    const { client, guid } = await portal.addClient();
    await client.listen(() => undefined);
    await anna.post(`/api/clients/${guid}/revoke`);
    await expect(client.ended).resolves.toBeUndefined();
  });

  test('opens at most 20 event streams at once, like a session', async () => {
    const { client } = await portal.addClient();
    const user = await portal.signIn('anna@demo.test');
    for (const headers of [bearer(client.sessionId), { [sessionHeader]: user.sessionId }]) {
      const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(headers)));
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      expect((await openStream(headers)).status).toBe(429);
      const refused = await send('GET', '/api/events', { headers });
      expect(JSON.parse(refused.text)).toEqual({
        errorCode: 'TOO_MANY_EVENT_STREAMS',
        details: [],
      });
      streams[0]?.close();
      await expect
        .poll(async () => {
          const { status, close } = await openStream(headers);
          close();
          return status;
        })
        .toBe(200);
      for (const { close } of streams) close();
    }
  });

  // promise e2.clients.secrets
  test('is stored as a hash, like the secret, and the webhook secret is wrapped', async () => {
    const { client, secretKey, webhookSecret } = await portal.addClient();
    const { db } = portal.platform;
    const rows = await Promise.all(
      (['client_application', 'access_token', 'wrapped_key'] as const).map((table) =>
        sql<{
          text: string;
        }>`select row_to_json(t)::text as text from ${sql.table(table)} t`.execute(db),
      ),
    );
    const text = rows.flatMap((found) => found.rows.map((row) => row.text)).join('\n');
    for (const secret of [client.sessionId, secretKey, webhookSecret]) {
      const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
      expect(text).not.toContain(secret);
      expect(text).not.toContain(bytes.toString('hex'));
    }
  });

  test('yields to a session, to which a proxy may have added a token', async () => {
    const answer = await anna.call('GET', '/api/operations', { headers: bearer('x') });
    expect(answer.status).toBe(200);
  });

  test('does not affect a download by ticket or a sign-in when it is not ours', async () => {
    const path = `/api/files/${nobody}?ticket=x.1.99999999999.y`;
    const answer = await send('GET', path, { headers: bearer('x') });
    expect([answer.status, answer.text]).toEqual([404, 'NOT_FOUND']);
    const signIn = await send('POST', '/api/auth/validate-sso-token/x', { headers: bearer('x') });
    expect([signIn.status, signIn.text]).toEqual([401, 'API_ERROR_UNAUTHORIZED']);
  });
});

// promise e2.clients.networks
describe('A client with allowed networks', () => {
  const networks = ['192.0.2.0/24', '2001:db8::/32'];

  test.each([
    ['192.0.2.200', 200],
    ['::ffff:192.0.2.9', 200],
    // some proxies add the caller's port
    ['192.0.2.200:54321', 200],
    ['[2001:db8:1::1]:54321', 200],
    ['192.0.2.200:54321, 127.0.0.1:8080', 200],
    ['192.0.3.1:54321', 403],
    ['2001:db8:1::1', 200],
    ['192.0.3.1', 403],
    ['2001:db9::1', 403],
    ['127.0.0.1', 403],
  ])('that calls from %s gets %i', async (address, status) => {
    const added = await portal.addClient();
    await portal.platform.db
      .updateTable('client_application')
      .set({ allowed_networks: networks })
      .where('guid', '=', added.guid)
      .execute();
    const from = { 'x-forwarded-for': address };
    const token = await requestToken(credentialsOf(added), from);
    const used = await send('GET', '/api/operations', {
      headers: { ...bearer(added.client.sessionId), ...from },
    });
    expect([token.status, used.status]).toEqual([status, status]);
    if (status === 200) return;
    const refused = { status: 403, type: plain, text: 'IP_NOT_ALLOWED' };
    expect([token, used]).toMatchObject([refused, refused]);
  });
});
