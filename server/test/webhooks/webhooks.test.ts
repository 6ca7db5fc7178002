/** Webhooks from the end of an operation to a receiver that verifies them: what they contain, and who receives them. */
import type { Operation } from '@recodery/contract/features/operations';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { Program } from '../encoding-api/program.ts';
import { removeEndpoint } from '../../src/webhooks/endpoints.ts';
import { waitedFor } from '../fixtures/database/until-blocked.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { verify } from './receiver.ts';
import {
  addTo,
  decodeAgain,
  decodeWith,
  openReceiver,
  startWebhookPortal,
  statusesOf,
  waitForDeliveries,
  withEndpoint,
} from './webhook-portal.ts';

const token = 'secret-in-a-query';
const logged: string[] = [];
const webhooks = await startWebhookPortal(logged);
const { portal, anna, luca } = webhooks;
const added = await portal.addClient();
let program = new Program(portal, added);

/** Encodes the read and sends the file to the slave's owner. */
async function send(isPrivate: boolean): Promise<Operation> {
  const { result } = await decodeAgain(webhooks);
  const slot = (result as { kessv2SlotGUID: string }).kessv2SlotGUID;
  const notificationInfo = { email: null, message: null, isPrivate };
  const body = { kessv2FileSlotGUID: slot, notificationInfo, contextData: 'mine' };
  return anna.follow(started(await anna.post('/api/kessv2/reencode-decoded-file', body)));
}

/** The record of an operation as the Encoding API returns it, under the public address. */
async function recordOf(guid: string): Promise<unknown> {
  const { text } = await program.get(`/api/async-operations/${guid}`);
  return JSON.parse(text.replaceAll(portal.url, portal.platform.config.publicUrl));
}

describe('The callback address of an operation', () => {
  // promise e2.webhooks.callback
  test("receives its record, signed with the client's secret, until the client is revoked", async () => {
    const receiver = await openReceiver(webhooks);
    const record = await program.succeed(
      await decodeWith(webhooks, program, `${receiver.url}?token=${token}`),
    );
    const received = await receiver.next();
    expect(received.path).toBe(`/hook?token=${token}`);
    expect(received.headers['content-type']).toBe('application/json');
    const { type, timestamp, data } = verify(added.webhookSecret, received);
    expect(type).toBe('operation.completed');
    expect(`${timestamp.slice(0, -1)}0000`).toBe(record['completedOn']);
    expect(data).toEqual(record);
    const [only] = await waitForDeliveries(anna, added.guid, 1);
    expect(only).toMatchObject({ status: 204, webhookId: received.headers['webhook-id'] });

    expect((await anna.post(`/api/clients/${added.guid}/revoke`)).status).toBe(204);
    const path = `/api/webhook-deliveries/${only?.guid}/replay`;
    expect((await anna.post(path)).status).toBe(204);
    await expect.poll(() => statusesOf(webhooks, record.guid)).toEqual(['delivered', 'failed']);
    expect(receiver.received).toHaveLength(1);
  });

  test.each(['http://10.0.0.1/', 'http://[::1]/', 'https://user:word@8.8.8.8/', 'ftp://8.8.8.8/'])(
    'cannot be %s',
    async (url) => {
      program = new Program(portal, await portal.addClient());
      const { status, type, text } = await decodeWith(webhooks, program, url);
      expect([status, type, text]).toEqual([
        400,
        'text/plain; charset=utf-8',
        'CALLBACK_URL_NOT_ALLOWED',
      ]);
    },
  );
});

describe('An endpoint', () => {
  // promise e2.webhooks.endpoint
  test('receives the record of the Encoding API about each operation of its organisation', async () => {
    await withEndpoint(webhooks, anna, async (receiver, { guid, secret }) => {
      expect(secret).toMatch(/^whsec_/);
      const operation = await decodeAgain(webhooks);
      const received = await receiver.next();
      const { type, data } = verify(secret, received);
      expect([type, data]).toEqual(['operation.completed', await recordOf(operation.guid)]);
      const { decodedFileURL = '' } = data['result'] as Record<string, string>;
      const { publicUrl } = portal.platform.config;
      expect(decodedFileURL).toContain(`${publicUrl}/encoding-api/api/kessv2/file-slots/`);
      const file = await program.download(decodedFileURL.replace(publicUrl, portal.url));
      expect(file.bytes).toHaveLength(4096);
      const [only, ...others] = await waitForDeliveries(anna, guid, 1);
      expect(others).toEqual([]);
      expect(only).toMatchObject({
        webhookId: received.headers['webhook-id'],
        type: 'operation.completed',
        status: 204,
        error: null,
      });
      expect((await anna.get('/api/webhooks')).text).not.toContain(secret);
    });
  });

  // promise e2.webhooks.test
  test('receives a signed test message that a user asks for, as one of its deliveries', async () => {
    await withEndpoint(webhooks, anna, async (receiver, { guid, secret }) => {
      expect((await luca.post(`/api/webhooks/${guid}/test`)).status).toBe(404);
      expect((await anna.post(`/api/webhooks/${guid}/test`)).status).toBe(204);
      const first = await receiver.next();
      const { type, data } = verify(secret, first);
      expect([type, data]).toEqual(['test', { webhookGUID: guid }]);
      const [only] = await waitForDeliveries(anna, guid, 1);
      expect(only).toMatchObject({ type: 'test', status: 204 });
      expect((await anna.post(`/api/webhook-deliveries/${only?.guid}/replay`)).status).toBe(204);
      const again = await receiver.next();
      expect(verify(secret, again).type).toBe('test');
      expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    });
  });

  // promise e2.webhooks.endpoint
  test('receives files that another organisation sends, unless they are private', async () => {
    await withEndpoint(webhooks, luca, async (receiver, { secret }) => {
      await send(true);
      const operation = await send(false);
      const { type, data } = verify(secret, await receiver.next());
      expect([type, data['guid']]).toEqual(['file.received', operation.guid]);
      const record = (await recordOf(operation.guid)) as Record<string, unknown>;
      const { name, size } = operation.result as { name: string; size: number };
      expect(data).toEqual({
        ...record,
        slotGUID: null,
        result: { name, encodedFileURL: expect.any(String) },
      });
      const { encodedFileURL = '' } = data['result'] as Record<string, string>;
      const { publicUrl } = portal.platform.config;
      expect(encodedFileURL.startsWith(publicUrl)).toBe(true);
      const file = await fetch(encodedFileURL.replace(publicUrl, portal.url));
      expect([file.status, (await file.bytes()).length]).toEqual([200, size]);
    });
  });

  // promise e2.webhooks.endpoint
  test('does not receive files that its own organisation sends to itself', async () => {
    await withEndpoint(webhooks, anna, async (receiver) => {
      const { guid, slotGUID, result } = await send(true);
      const setOwner = (code: string) =>
        sql`
          update slave_device set owner_guid = (select guid from organisation where customer_code = ${code})
          where guid = (select slave_device_guid from slot where guid = ${slotGUID})`.execute(
          portal.platform.db,
        );
      await setOwner('CC-1001');
      const { fileGUID } = result as { fileGUID: string };
      const answer = await anna.post(`/api/jobs/${slotGUID}/files/${fileGUID}/send`, {
        notificationInfo: { email: null, isPrivate: false },
      });
      expect([answer.status, answer.json]).toMatchObject([
        202,
        { organisationName: 'Officina Demo' },
      ]);
      await setOwner('CC-9001');
      expect(await statusesOf(webhooks, guid)).toHaveLength(1);
      await receiver.next();
    });
  });

  test('does not receive a file again that its sender has withdrawn', async () => {
    await withEndpoint(webhooks, luca, async (receiver, { guid }) => {
      const operation = await send(false);
      const [delivered] = await waitForDeliveries(luca, guid, 1);
      const notification = `/api/async-operation-notifications/${operation.guid}`;
      expect((await anna.post(`${notification}/revoke`)).status).toBe(204);
      await luca.post(`/api/webhook-deliveries/${delivered?.guid}/replay`);
      await expect
        .poll(() => statusesOf(webhooks, operation.guid))
        .toEqual(['delivered', 'failed']);
      expect(receiver.received).toHaveLength(1);
    });
  });

  test('is refused where messages must not be sent', async () => {
    for (const url of ['http://10.0.0.1/', 'http://127.0.0.2/', 'ftp://127.0.0.1/', '']) {
      const answer = await anna.post('/api/webhooks', { url });
      expect([answer.status, answer.text]).toEqual([400, 'CALLBACK_URL_NOT_ALLOWED']);
    }
  });

  test('that is removed receives nothing more', async () => {
    const receiver = await openReceiver(webhooks);
    receiver.respond = (_request, response) => void response.writeHead(500).end();
    const { guid } = await addTo(anna, receiver);
    await decodeAgain(webhooks);
    await waitForDeliveries(anna, guid, 1);
    expect((await anna.call('DELETE', `/api/webhooks/${guid}`)).status).toBe(204);
    expect((await anna.get(`/api/webhooks/${guid}/deliveries`)).status).toBe(404);
    const left = portal.platform.db.selectFrom('webhook_message').select('guid');
    expect(await left.where('endpoint_guid', '=', guid).execute()).toEqual([]);
    expect((await anna.get('/api/webhooks')).json).toEqual([]);
  });

  test('that its organisation removes while another one finishes an operation does not fail the operation', async () => {
    const { db } = portal.platform;
    const receiver = await openReceiver(webhooks);
    const { guid } = await addTo(luca, receiver);
    const { sending } = await db.transaction().execute(async (trx) => {
      expect(await removeEndpoint(trx, null, guid)).toBe(true);
      const sending = send(false);
      await waitedFor(trx);
      return { sending };
    });
    expect(await sending).toMatchObject({ isSuccessful: true, error: null });
    expect(receiver.received).toEqual([]);
  });

  test('that is removed while a user replays one of its messages: nothing is found', async () => {
    const { db } = portal.platform;
    const { guid } = await addTo(luca, await openReceiver(webhooks));
    await send(false);
    const [delivered] = await waitForDeliveries(luca, guid, 1);
    const { replaying } = await db.transaction().execute(async (trx) => {
      expect(await removeEndpoint(trx, null, guid)).toBe(true);
      const replaying = luca.post(`/api/webhook-deliveries/${delivered?.guid}/replay`);
      await waitedFor(trx);
      return { replaying };
    });
    const { status, text } = await replaying;
    expect([status, text]).toEqual([404, 'NOT_FOUND']);
  });
});

test('the log contains neither addresses nor secrets', () => {
  const log = logged.join('');
  expect(log).toContain('webhook delivered');
  expect(log).toContain('could not deliver webhook');
  for (const word of [token, '/hook', 'whsec_', added.webhookSecret.slice(6)])
    expect(log).not.toContain(word);
});
