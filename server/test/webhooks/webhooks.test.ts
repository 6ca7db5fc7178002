/** Webhooks from the end of an operation to a receiver that verifies them: content, retries, replays and removal. */
import { Writable } from 'node:stream';
import type { Operation } from '@recodery/contract/operations';
import { type Delivery, mostReplaysAnHour, type NewWebhook } from '@recodery/contract/webhooks';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notify } from '../../src/postgres/announce.ts';
import { sweep } from '../../src/operator/sweep.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { type RunningRole, startWorker } from '../../src/worker.ts';
import type { Client } from '../fixtures/client.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import { Program } from '../encoding-api/program.ts';
import { sealImage, started, uploadRead } from '../journeys/kessv2-workflow.ts';
import { type Receiver, startReceiver, verify } from './receiver.ts';

let portal: RunningPortal;
let worker: RunningRole;
let anna: Client;
let luca: Client;
let added: AddedClient;
let program: Program;
let image: Uint8Array;
const token = 'secret-in-a-query';
const logged: string[] = [];
const receivers: Receiver[] = [];

beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_WEBHOOK_ALLOW: '127.0.0.1' }, false);
  anna = await portal.signIn('anna@demo.test');
  luca = await portal.signIn('luca@demo.test');
  added = await portal.addClient();
  program = new Program(portal, added);
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  image = sealImage(slave, 9000, new Uint8Array(4096).fill(7));
  const log = pino(
    new Writable({
      write(line: Buffer, _encoding, done) {
        logged.push(line.toString());
        done();
      },
    }),
  );
  worker = await startWorker({ ...portal.platform, log });
});
afterAll(async () => {
  await worker.stop();
  await portal.stop();
  for (const receiver of receivers) await receiver.stop();
});

async function open(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

/** Adds an endpoint of the caller's organisation, which a test removes at its end: others would reach it, too. */
async function addTo(client: Client, receiver: Receiver): Promise<NewWebhook> {
  const answer = await client.post('/api/webhooks', { url: receiver.url });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as NewWebhook;
}

async function withEndpoint(
  client: Client,
  work: (receiver: Receiver, endpoint: NewWebhook) => Promise<void>,
): Promise<void> {
  const receiver = await open();
  const endpoint = await addTo(client, receiver);
  await work(receiver, endpoint);
  expect((await client.call('DELETE', `/api/webhooks/${endpoint.guid}`)).status).toBe(204);
}

async function decodeAgain(): Promise<Operation> {
  return anna.follow(started(await uploadRead(anna, image)));
}

/** Encodes the read and sends the file to the slave's owner. */
async function send(isPrivate: boolean): Promise<Operation> {
  const { result } = await decodeAgain();
  const slot = (result as { kessv2SlotGUID: string }).kessv2SlotGUID;
  const notificationInfo = { email: null, message: null, isPrivate };
  const body = { kessv2FileSlotGUID: slot, notificationInfo, contextData: 'mine' };
  return anna.follow(started(await anna.post('/api/kessv2/reencode-decoded-file', body)));
}

/** Lets waiting messages be retried now, and what happened have happened this long ago. */
async function passTime(interval: string): Promise<void> {
  const { db } = portal.platform;
  await sql`update webhook_message set due_on = due_on - ${interval}::interval,
    created_on = created_on - ${interval}::interval`.execute(db);
  await sql`update webhook_attempt set attempted_on = attempted_on - ${interval}::interval`.execute(
    db,
  );
  await notify(db, { kind: 'webhook-due', guid: null, organisation: null });
}

async function deliveriesOf(client: Client, guid: string): Promise<Delivery[]> {
  const answer = await client.get(`/api/webhooks/${guid}/deliveries`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as Delivery[];
}

/** The statuses or errors of an endpoint's attempts, newest first, when there are that many. */
async function waitForDeliveries(client: Client, guid: string, count: number) {
  await expect
    .poll(async () => (await deliveriesOf(client, guid)).length, { interval: 20 })
    .toBe(count);
  return deliveriesOf(client, guid);
}

const resultOf = ({ status, error }: Delivery) => status ?? error;

/** The record of an operation as the Encoding API returns it, under the public address. */
async function recordOf(guid: string): Promise<unknown> {
  const { text } = await program.get(`/api/async-operations/${guid}`);
  return JSON.parse(text.replaceAll(portal.url, portal.platform.config.publicUrl));
}

/** Decodes the read as a program does, with this callback address. */
function decodeWith(callbackURL: string) {
  const path = '/api/kessv2/decode-read-file/customer-1';
  return program.decode(`${path}?callbackURL=${encodeURIComponent(callbackURL)}`, image);
}

describe('The callback address of an operation', () => {
  // promise e2.webhooks.callback
  test("receives its record, signed with the client's secret, until the client is revoked", async () => {
    const receiver = await open();
    const record = await program.succeed(await decodeWith(`${receiver.url}?token=${token}`));
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
    await expect.poll(() => statuses(record.guid)).toEqual(['delivered', 'failed']);
    expect(receiver.received).toHaveLength(1);
  });

  test.each(['http://10.0.0.1/', 'http://[::1]/', 'https://user:word@8.8.8.8/', 'ftp://8.8.8.8/'])(
    'cannot be %s',
    async (url) => {
      program = new Program(portal, await portal.addClient());
      const { status, type, text } = await decodeWith(url);
      expect([status, type, text]).toEqual([
        400,
        'text/plain; charset=utf-8',
        'CALLBACK_URL_NOT_ALLOWED',
      ]);
    },
  );
});

async function statuses(operationGuid: string): Promise<readonly string[]> {
  const rows = await portal.platform.db
    .selectFrom('webhook_message')
    .select('status')
    .where('operation_guid', '=', operationGuid)
    .orderBy('created_on')
    .execute();
  return rows.map(({ status }) => status);
}

describe('An endpoint', () => {
  // promise e2.webhooks.endpoint
  test('receives the record of the Encoding API about each operation of its organisation', async () => {
    await withEndpoint(anna, async (receiver, { guid, secret }) => {
      expect(secret).toMatch(/^whsec_/);
      const operation = await decodeAgain();
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

  // promise e2.webhooks.endpoint
  test('receives files that another organisation sends, unless they are private', async () => {
    await withEndpoint(luca, async (receiver, { secret }) => {
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

  test('does not receive a file again that its sender has taken back', async () => {
    await withEndpoint(luca, async (receiver, { guid }) => {
      const operation = await send(false);
      const [delivered] = await waitForDeliveries(luca, guid, 1);
      const notification = `/api/async-operation-notifications/${operation.guid}`;
      expect((await anna.post(`${notification}/revoke`)).status).toBe(204);
      await luca.post(`/api/webhook-deliveries/${delivered?.guid}/replay`);
      await expect.poll(() => statuses(operation.guid)).toEqual(['delivered', 'failed']);
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
    const receiver = await open();
    receiver.respond = (_request, response) => void response.writeHead(500).end();
    const { guid } = await addTo(anna, receiver);
    await decodeAgain();
    await waitForDeliveries(anna, guid, 1);
    expect((await anna.call('DELETE', `/api/webhooks/${guid}`)).status).toBe(204);
    expect((await anna.get(`/api/webhooks/${guid}/deliveries`)).status).toBe(404);
    const left = portal.platform.db.selectFrom('webhook_message').select('guid');
    expect(await left.where('endpoint_guid', '=', guid).execute()).toEqual([]);
    expect((await anna.get('/api/webhooks')).json).toEqual([]);
  });
});

describe('A message', () => {
  // promise e2.webhooks.retried
  test('is retried within 30 s with the same id, then with growing pauses', async () => {
    await withEndpoint(anna, async (receiver, { guid, secret }) => {
      receiver.respond = (_request, response) => void response.writeHead(503).end();
      await decodeAgain();
      const one = await receiver.next();
      const pauses: number[] = [];
      for (let count = 1; count <= 4; count += 1) {
        await waitForDeliveries(anna, guid, count);
        pauses.push(await pauseOf(guid));
        if (count === 4) receiver.respond = (_request, response) => void response.end();
        await passTime('3 hours');
      }
      expect(pauses[0]).toBeLessThan(12);
      expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
      expect(pauses[3]).toBeGreaterThan(30);
      const all = await waitForDeliveries(anna, guid, 5);
      expect(all.map(resultOf)).toEqual([200, 503, 503, 503, 503]);
      expect(new Set(all.map(({ webhookId }) => webhookId)).size).toBe(1);
      const last = receiver.received.at(-1);
      expect(last?.headers['webhook-id']).toBe(one.headers['webhook-id']);
      expect(last !== undefined && verify(secret, last).type).toBe('operation.completed');
    });
  });

  // promise e2.webhooks.retried
  test('is given up after a day', async () => {
    await withEndpoint(anna, async (receiver, { guid }) => {
      receiver.respond = (_request, response) => void response.writeHead(404).end();
      const operation = await decodeAgain();
      await waitForDeliveries(anna, guid, 1);
      await passTime('25 hours');
      await waitForDeliveries(anna, guid, 2);
      expect(await statuses(operation.guid)).toEqual(['failed']);
    });
  });

  // promise e2.webhooks.redirect
  test('counts as failed when the receiver redirects', async () => {
    await withEndpoint(anna, async (receiver, { guid }) => {
      const other = await open();
      receiver.respond = (_request, response) =>
        void response.writeHead(307, { location: other.url }).end();
      const operation = await decodeAgain();
      expect((await waitForDeliveries(anna, guid, 1)).map(resultOf)).toEqual([307]);
      expect(await statuses(operation.guid)).toEqual(['waiting']);
      expect(other.received).toEqual([]);
    });
  });

  // promise e2.webhooks.replay
  test('is sent again by a replay, with the same id', async () => {
    await withEndpoint(anna, async (receiver, { guid, secret }) => {
      await decodeAgain();
      const one = await receiver.next();
      const [attempt] = await waitForDeliveries(anna, guid, 1);
      const path = `/api/webhook-deliveries/${attempt?.guid}/replay`;
      expect((await luca.post(path)).status).toBe(404);
      expect((await anna.post(path)).status).toBe(204);
      const again = await receiver.next();
      expect(again.headers['webhook-id']).toBe(one.headers['webhook-id']);
      expect(verify(secret, again).data).toEqual(verify(secret, one).data);
      expect(await waitForDeliveries(anna, guid, 2)).toHaveLength(2);
    });
  });

  test('is not sent again when the organisation has had too many sent again in an hour', async () => {
    await withEndpoint(anna, async (_receiver, { guid }) => {
      await decodeAgain();
      const [attempt] = await waitForDeliveries(anna, guid, 1);
      const path = `/api/webhook-deliveries/${attempt?.guid}/replay`;
      await sql`insert into webhook_message
          (guid, webhook_id, organisation_guid, endpoint_guid, operation_guid, type, status, created_on)
        select gen_random_uuid(), webhook_id, organisation_guid, endpoint_guid, operation_guid, type,
          'delivered', now() - interval '50 minutes'
        from webhook_message, generate_series(1, ${mostReplaysAnHour - 1}::int)
        where endpoint_guid = ${guid}`.execute(portal.platform.db);
      await sql`update webhook_message set created_on = created_on - interval '2 hours'
        where guid = (select message_guid from webhook_attempt where guid = ${attempt?.guid})`.execute(
        portal.platform.db,
      );
      expect((await anna.post(path)).status).toBe(204);
      const refused = await anna.post(path);
      expect([refused.status, refused.json]).toEqual([
        429,
        { errorCode: 'TOO_MANY_REPLAYS', details: [] },
      ]);
      const pause = Number(refused.headers.get('retry-after'));
      expect(pause).toBeGreaterThan(60);
      expect(pause).toBeLessThanOrEqual(600);
      await waitForDeliveries(anna, guid, 2);
      await passTime('11 minutes');
      expect((await anna.post(path)).status).toBe(204);
    });
  });

  test('does not wait for a receiver that never responds', async () => {
    const silent = await open();
    silent.respond = () => undefined;
    const stuck = await addTo(anna, silent);
    await withEndpoint(anna, async (receiver) => {
      for (let count = 0; count < 6; count += 1) await decodeAgain();
      for (let count = 0; count < 6; count += 1) await receiver.next();
      // no more at once for one receiver
      expect(silent.received.length).toBeLessThanOrEqual(4);
    });
    await anna.call('DELETE', `/api/webhooks/${stuck.guid}`);
  });

  test('is sent, and sent again, while all other receivers of the organisation hang', async () => {
    const silent = await open();
    silent.respond = () => undefined;
    const stuck: NewWebhook[] = [];
    for (let count = 0; count < 30; count += 1) stuck.push(await addTo(anna, silent));
    await withEndpoint(anna, async (receiver, { guid }) => {
      receiver.respond = (_request, response) => void response.writeHead(503).end();
      for (let count = 0; count < 4; count += 1) await decodeAgain();
      await waitForDeliveries(anna, guid, 4);
      await sql`update webhook_message set due_on = now() where endpoint_guid = ${guid}`.execute(
        portal.platform.db,
      );
      await notify(portal.platform.db, { kind: 'webhook-due', guid: null, organisation: null });
      await waitForDeliveries(anna, guid, 8);
      for (const one of stuck) expect(await deliveriesOf(anna, one.guid)).toEqual([]);
    });
    for (const { guid } of stuck) await anna.call('DELETE', `/api/webhooks/${guid}`);
  });

  test('to one host does not wait for those to another host of the same client', async () => {
    const own = await portal.addClient();
    program = new Program(portal, own);
    const [silent, receiver] = [await open(), await open()];
    silent.respond = () => undefined;
    for (let count = 0; count < 6; count += 1) await program.succeed(await decodeWith(silent.url));
    await program.succeed(await decodeWith(receiver.url));
    await receiver.next();
    await waitForDeliveries(anna, own.guid, 1);
    expect(silent.received.length).toBeLessThanOrEqual(4);
    await anna.post(`/api/clients/${own.guid}/revoke`);
  });

  // promise e2.webhooks.kept
  test('and its attempts are deleted after ten days', async () => {
    await withEndpoint(anna, async (_receiver, { guid }) => {
      await decodeAgain();
      await waitForDeliveries(anna, guid, 1);
      const { db, log, clock, config } = portal.platform;
      const { storage } = await openStorage(config);
      const parts = { db, log, clock, storage, retentionDays: 30, auditDays: 400 };
      await passTime('9 days');
      await sweep(parts);
      expect(await deliveriesOf(anna, guid)).toHaveLength(1);
      await passTime('25 hours');
      await sweep(parts);
      expect(await deliveriesOf(anna, guid)).toEqual([]);
      const left = db.selectFrom('webhook_message').select('guid');
      expect(await left.where('endpoint_guid', '=', guid).execute()).toEqual([]);
    });
  });
});

/** Seconds until the waiting message of an endpoint is due. */
async function pauseOf(endpointGuid: string): Promise<number> {
  const { seconds } = await portal.platform.db
    .selectFrom('webhook_message')
    .select(sql<number>`extract(epoch from due_on - now())::float`.as('seconds'))
    .where('endpoint_guid', '=', endpointGuid)
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return seconds;
}

test('the log contains neither addresses nor secrets', () => {
  const log = logged.join('');
  expect(log).toContain('webhook delivered');
  expect(log).toContain('could not deliver webhook');
  for (const word of [token, '/hook', 'whsec_', added.webhookSecret.slice(6)])
    expect(log).not.toContain(word);
});
