/** Client applications on the settings page: added with their secrets, listed with their last use, and revoked. */
import { type Client, mostClients, type NewClient } from '@recodery/contract/features/clients';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookPurpose } from '../../src/clients/clients.ts';
import type { Client as Caller } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { expireClient } from './expire-client.ts';

let portal: RunningPortal;
let anna: Caller;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

describe('The use of a client', () => {
  const readUse = async (guid: string): Promise<string | null> => {
    const list = (await anna.get('/api/clients')).json as Client[];
    return list.find((one) => one.clientApplicationGUID === guid)?.lastUsedOn ?? null;
  };

  // promise e2.clients.last-used
  test('is recorded at most once a minute', async () => {
    const { client, guid } = await portal.addClient();
    const first = await readUse(guid);
    expect(first).not.toBeNull();
    await client.get('/api/operations');
    expect(await readUse(guid)).toBe(first);
    await portal.platform.db
      .updateTable('client_application')
      .set({ last_used_on: sql<Date>`last_used_on - interval '61 seconds'` })
      .where('guid', '=', guid)
      .execute();
    await client.get('/api/operations');
    expect(Date.parse((await readUse(guid)) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });
});

describe('The settings page', () => {
  const wanted = {
    name: ' Back office ',
    allowedNetworks: ['192.0.2.7', '10.1.2.3/8'],
    expiresOn: null,
  };

  // promise e2.clients.secrets
  test('adds a client, shows its secrets once, and lists it', async () => {
    const answer = await anna.post('/api/clients', wanted);
    const { secretKey, webhookSecret, ...client } = answer.json as NewClient;
    expect(client).toMatchObject({
      name: 'Back office',
      allowedNetworks: ['192.0.2.7/32', '10.0.0.0/8'],
      lastUsedOn: null,
      revokedOn: null,
    });
    expect(Buffer.from(secretKey, 'base64url')).toHaveLength(32);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const list = await anna.get('/api/clients');
    expect((list.json as Client[])[0]).toEqual(client);
    expect(list.text).not.toContain(secretKey);
  });

  test.each([
    { ...wanted, name: ' ' },
    { ...wanted, name: 'x'.repeat(101) },
    { ...wanted, name: 'a\u001b[31mb' },
    { ...wanted, allowedNetworks: ['10.0.0.0/33'] },
    { ...wanted, allowedNetworks: ['portal.test'] },
    { ...wanted, allowedNetworks: ['1'] },
    { ...wanted, allowedNetworks: ['fe80::1%eth0'] },
    { ...wanted, expiresOn: '2020-01-01T00:00:00Z' },
    { ...wanted, expiresOn: 'tomorrow' },
    // in UTC, the year 10000, which lists could not show
    { ...wanted, expiresOn: '9999-12-31T23:59:59-23:59' },
  ])('refuses %j', async (body) => {
    expect(await anna.post('/api/clients', body)).toMatchObject({
      status: 400,
      text: 'BAD_REQUEST',
    });
  });

  test('refuses a client beyond the limit of its organisation', async () => {
    const mia = await portal.signIn('mia@demo.test');
    const guids: string[] = [];
    for (let count = 0; count < mostClients; count += 1)
      guids.push((await portal.addClient({ customerCode: 'CC-3003' })).guid);
    const add = () => mia.post('/api/clients', wanted);
    const refused = await add();
    expect([refused.status, refused.text]).toEqual([400, 'TOO_MANY_CLIENTS']);
    await mia.post(`/api/clients/${guids[0]}/revoke`);
    expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(400);
    await expireClient(portal, guids[1] ?? '');
    expect((await add()).status).toBe(200);
    expect((await anna.post('/api/clients', wanted)).status).toBe(200);
  });

  test('retires the key that signs the callbacks of a client that it revokes', async () => {
    const { guid } = await portal.addClient();
    const keys = () =>
      portal.platform.db
        .selectFrom('wrapped_key')
        .select('retired_on')
        .where('purpose', '=', webhookPurpose(guid))
        .execute();
    expect(await keys()).toEqual([{ retired_on: null }]);
    await anna.post(`/api/clients/${guid.toUpperCase()}/revoke`);
    expect(await keys()).toEqual([{ retired_on: expect.any(Date) }]);
  });

  test('revokes once: the second time changes nothing', async () => {
    const { guid } = await portal.addClient();
    const revoke = () => anna.post(`/api/clients/${guid}/revoke`);
    const readEnd = async () =>
      ((await anna.get('/api/clients')).json as Client[]).find(
        (one) => one.clientApplicationGUID === guid,
      )?.revokedOn;
    await revoke();
    const end = await readEnd();
    expect(end).toEqual(expect.any(String));
    expect((await revoke()).status).toBe(204);
    expect(await readEnd()).toBe(end);
  });

  test('is closed to users without access to the portal', async () => {
    await portal.platform.db
      .updateTable('account')
      .set({ has_portal_access: false })
      .where('email', '=', 'luca@demo.test')
      .execute();
    const luca = await portal.signIn('luca@demo.test');
    const answer = await luca.get('/api/clients');
    expect([answer.status, answer.text]).toEqual([403, 'USER_NO_RIGHTS']);
  });

  test('can be replaced by a client application, except for adding another one', async () => {
    const { client, guid } = await portal.addClient();
    const list = (await client.get('/api/clients')).json as Client[];
    expect(list.map((one) => one.clientApplicationGUID)).toContain(guid);
    const answer = await client.post('/api/clients', wanted);
    expect([answer.status, answer.text]).toEqual([403, 'USER_NO_RIGHTS']);
    expect((await client.post(`/api/clients/${guid}/revoke`)).status).toBe(204);
    expect((await client.get('/api/clients')).status).toBe(401);
  });
});
