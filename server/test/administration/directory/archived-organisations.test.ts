/** Operators archive an organisation, restore it with its work, and remove it once nothing depends on it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { listAudit } from '../../../src/audit/read-audit.ts';
import { applyDirectory, exportDirectory } from '../../../src/organisations/directory/directory.ts';
import { webhookPurpose } from '../../../src/clients/clients.ts';
import { masterPurpose } from '../../../src/organisations/devices.ts';
import { findOrganisationByCode } from '../../../src/organisations/organisations.ts';
import { addEndpoint, endpointPurpose } from '../../../src/webhooks/endpoints.ts';
import { writeDirectoryFile } from '../../../src/organisations/directory/directory-file.ts';
import type { Client } from '../../fixtures/client.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import {
  addTo,
  decodeAgain,
  openReceiver,
  startWebhookPortal,
  statusesOf,
} from '../../webhooks/webhook-portal.ts';

interface Organisation {
  readonly guid: string;
  readonly revision: string;
  readonly customerCode: string;
  readonly archived: boolean;
}

const webhooks = await startWebhookPortal();
const { portal, anna, luca } = webhooks;
const { platform } = portal;
let olga: Client;
let boss: Client;
beforeAll(async () => {
  const email = 'boss@demo.test';
  olga = await portal.signIn('olga@demo.test');
  await applyDirectory(platform, {
    users: [{ email, name: 'Boss', customerCodes: ['CC-2002'] }],
  });
  boss = await portal.signIn(email);
});

const path = '/api/admin/organisations';

async function organisationsWith(query: string): Promise<readonly Organisation[]> {
  const { json } = await boss.get(`${path}?${query}`);
  return (json as { items: Organisation[] }).items;
}

async function act(customerCode: string, action: string, by = boss) {
  const { json } = await by.get(`${path}?search=${customerCode}`);
  const [found] = (json as { items: Organisation[] }).items;
  const { status, text } = await by.call('POST', `${path}/${found?.guid}/${action}`, {
    headers: { accept: 'application/problem+json' },
  });
  return { status, text };
}

describe('an archived organisation', () => {
  test('cannot be the only one of the last operator', async () => {
    expect(await act('CC-1001', 'archive', olga)).toMatchObject({
      status: 400,
      text: expect.stringContaining('{"archived":"LAST_OPERATOR"}'),
    });
    await applyDirectory(platform, { users: [{ email: 'boss@demo.test', operator: true }] });
  });

  test('is closed to users, programs, tickets and webhooks, and has all its work again afterwards', async () => {
    const { client, guid, secretKey } = await portal.addClient();
    const endpoint = await openReceiver(webhooks);
    await addTo(anna, endpoint);
    const before = await decodeAgain(webhooks);
    await endpoint.next();
    const { kessv2SlotGUID, decodedFileURL } = before.result as {
      readonly kessv2SlotGUID: string;
      readonly decodedFileURL: string;
    };
    const file = new URL(decodedFileURL, portal.url);
    const paolo = await portal.signIn('paolo@demo.test');
    expect((await fetch(file)).status).toBe(200);
    expect((await act('CC-1001', 'archive')).status).toBe(200);

    for (const caller of [paolo, client, anna])
      expect((await caller.get('/api/operations')).status).toBe(401);
    await expect(portal.signIn('paolo@demo.test')).rejects.toThrow('has no organisation');
    const asked = await client.post('/api/access-tokens/request', {
      clientApplicationGUID: guid,
      secretKey,
    });
    expect([asked.status, asked.text]).toEqual([403, 'INVALID_CREDENTIALS']);
    expect((await fetch(file)).status).toBe(404);
    // a user of two organisations works for the other one
    const elsewhere = await portal.signIn('anna@demo.test');
    const session = `/api/auth/session/${elsewhere.sessionId}`;
    const described = { customerCode: 'CC-2002', otherCustomerCodes: [] };
    expect((await elsewhere.get(session)).json).toMatchObject(described);
    const change = await elsewhere.post(`${session}/switch-customer-code/CC-1001`);
    expect([change.status, change.text]).toEqual([404, 'NOT_FOUND']);

    expect((await act('CC-1001', 'restore')).status).toBe(200);
    const again = await portal.signIn('paolo@demo.test');
    const jobs = (await again.get('/api/jobs')).text;
    expect(jobs).toContain(kessv2SlotGUID);
    expect((await fetch(file)).status).toBe(200);
    expect((await client.get('/api/operations')).status).toBe(200);
  });

  test('is reactivated without a manager only if the request confirms it', async () => {
    const customerCode = 'CC-8011';
    const alone = { customerCode, name: 'Without manager', archived: true };
    await applyDirectory(platform, { organisations: [alone] });
    const asked = { status: 400, text: expect.stringContaining('{"customerCode":"LAST_MANAGER"}') };
    expect(await act(customerCode, 'restore')).toMatchObject(asked);
    expect(await act(customerCode, 'restore?withoutManager=true')).toMatchObject({ status: 200 });
    const email = 'head@demo.test';
    await applyDirectory(platform, {
      organisations: [alone],
      users: [{ email, customerCodes: [customerCode], manager: true }],
    });
    expect(await act(customerCode, 'restore')).toMatchObject({ status: 200 });
    await applyDirectory(platform, {
      organisations: [alone],
      users: [{ email, remove: true }],
    });
  });

  test('is listed, filtered, exported and recorded', async () => {
    expect(await act('CC-9001', 'archive')).toMatchObject({ status: 200 });
    expect((await luca.get('/api/operations')).status).toBe(401);
    const codes = async (query: string) =>
      (await organisationsWith(query)).map(({ customerCode }) => customerCode);
    expect(await codes('archived=true')).toEqual(['CC-8011', 'CC-9001']);
    expect(await codes('archived=false')).not.toContain('CC-9001');
    expect(await codes('')).toContain('CC-9001');
    expect((await boss.get(`${path}?archived=maybe`)).status).toBe(400);

    const exported = await exportDirectory(platform.db);
    expect(writeDirectoryFile(exported)).toContain('archived: true');
    expect(await applyDirectory(platform, exported)).toEqual({ changes: [] });
    const older = { organisations: [{ customerCode: 'CC-9001', name: 'Garage Rossi' }] };
    expect(await applyDirectory(platform, older)).toEqual({ changes: [] });

    await appendWaiting(platform.db);
    const entries = [];
    for await (const { entry } of listAudit(platform.db, { action: 'adminOrganisations.act' }))
      entries.push(entry);
    expect(entries.at(-1)).toMatchObject({
      actor: { name: 'boss@demo.test' },
      object: { action: 'archive', changes: { archived: [false, true] } },
      outcome: 'done',
    });
    const restored = await applyDirectory(platform, {
      organisations: [{ customerCode: 'CC-9001', archived: false }],
    });
    expect(restored).toMatchObject({ changes: [{ fields: ['archived'] }] });
    expect((await luca.get('/api/operations')).status).toBe(200);
  });
});

test('a message to the endpoint of an archived organisation is dropped', async () => {
  const receiver = await openReceiver(webhooks);
  await addTo(luca, receiver);
  const { result } = await decodeAgain({
    ...webhooks,
    anna: await portal.signIn('anna@demo.test'),
  });
  const sender = await portal.signIn('anna@demo.test');
  await act('CC-9001', 'archive');
  const notificationInfo = { email: null, message: null, isPrivate: false };
  const { kessv2SlotGUID } = result as { kessv2SlotGUID: string };
  const begun = await sender.post('/api/kessv2/reencode-decoded-file', {
    kessv2FileSlotGUID: kessv2SlotGUID,
    notificationInfo,
  });
  const sent = await sender.follow(started(begun));
  expect(sent.status).toBe('succeeded');
  await expect.poll(() => statusesOf(webhooks, sent.guid)).toContain('failed');
  expect(receiver.received).toEqual([]);
  await act('CC-9001', 'restore');
});

describe('an organisation is removed', () => {
  const remove = async (customerCode: string) => {
    const [found] = await organisationsWith(`search=${customerCode}`);
    return boss.call('DELETE', `${path}/${found?.guid}`, {
      headers: { accept: 'application/problem+json' },
    });
  };

  test('only once it is archived and has nothing', async () => {
    const refused = { status: 400, text: expect.stringContaining('{"customerCode":"IN_USE"}') };
    expect(await remove('CC-1001')).toMatchObject({
      ...refused,
      // what still needs it
      text: expect.stringMatching(
        /"facts":\{"users":"[1-9]\d*","masters":"[1-9]\d*","slaves":"[1-9]\d*"\}/,
      ),
    });
    const added = { customerCode: 'CC-8008', name: 'Mistyped', culture: 'it-IT' };
    expect((await boss.post(path, added)).status).toBe(200);
    expect(await remove('CC-8008')).toMatchObject(refused);
    await act('CC-8008', 'archive');
    expect((await remove('CC-8008')).status).toBe(204);
    expect(await organisationsWith('search=CC-8008')).toEqual([]);
  });

  test('by the directory file, with the reasons why not', async () => {
    const file = { organisations: [{ customerCode: 'CC-1001', remove: true as const }] };
    expect(await applyDirectory(platform, file)).toMatchObject({
      mistakes: [
        {
          text: 'organisation CC-1001: cannot be removed: it is not archived, users belong to it, it has masters, it owns slaves',
        },
      ],
    });
    const alone = { customerCode: 'CC-8009', name: 'Short-lived', archived: true };
    await applyDirectory(platform, { organisations: [alone] });
    const gone = { organisations: [{ customerCode: 'CC-8009', remove: true as const }] };
    expect(await applyDirectory(platform, gone)).toMatchObject({
      changes: [{ kind: 'organisation', key: 'CC-8009', action: 'remove' }],
    });
    expect(await applyDirectory(platform, gone)).toEqual({ changes: [] });
  });

  test('and retires the keys of its client applications and webhooks', async () => {
    const { db } = platform;
    const customerCode = 'CC-8010';
    const fileWith = (master: { readonly remove?: true }) => {
      const masters = [{ family: 'kess3' as const, serial: 'KS3-M-8010', ...master }];
      const groupCodes = [{ code: 'G-80', masters }];
      return { organisations: [{ customerCode, name: 'Closed', groupCodes }] };
    };
    await applyDirectory(platform, fileWith({}));
    const master = await db
      .selectFrom('master_device')
      .where('serial_number', '=', 'KS3-M-8010')
      .select('guid')
      .executeTakeFirstOrThrow();
    const { guid } = await portal.addClient({ customerCode });
    const organisationId = await findOrganisationByCode(db, customerCode);
    if (organisationId === null) throw new Error('it was just added');
    const endpoint = await addEndpoint(platform, organisationId, 'https://shop.test/hook');
    const purposes = [
      webhookPurpose(guid),
      endpointPurpose(endpoint.guid),
      masterPurpose(master.guid),
    ];
    const valid = () =>
      db
        .selectFrom('wrapped_key')
        .where('purpose', 'in', purposes)
        .where('retired_on', 'is', null)
        .select('purpose')
        .execute();
    expect(await valid()).toHaveLength(3);
    await applyDirectory(platform, fileWith({ remove: true }));
    expect(await valid()).toHaveLength(2);
    await act(customerCode, 'archive');
    expect((await remove(customerCode)).status).toBe(204);
    expect(await valid()).toEqual([]);
  });

  test('not while its jobs are stored', async () => {
    const archived = [
      { customerCode: 'CC-1001', archived: true },
      { customerCode: 'CC-2002', archived: false },
    ];
    await applyDirectory(platform, { organisations: archived });
    const file = { organisations: [{ customerCode: 'CC-1001', remove: true as const }] };
    const refused = await applyDirectory(platform, file);
    expect(JSON.stringify(refused)).toContain('it has jobs, operations, ');
    expect(refused).toMatchObject({
      mistakes: [{ needs: { users: expect.any(String), jobs: '', operations: '' } }],
    });
  });
});
