/** A portal with a worker that delivers webhooks, and the calls with which tests cause messages and read deliveries. */
import { Writable } from 'node:stream';
import type { Operation } from '@recodery/contract/features/operations';
import type { Delivery, NewWebhook } from '@recodery/contract/features/webhooks';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, expect } from 'vitest';
import { notify } from '../../src/postgres/announce.ts';
import { postLimits } from '../../src/webhooks/post.ts';
import { startWorker } from '../../src/worker.ts';
import type { Program } from '../encoding-api/program.ts';
import type { Client } from '../fixtures/client.ts';
import { startTestPortal, testPace } from '../fixtures/running-portal.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** Starts a portal and a worker for all tests of the file; they stop after them. `logged` receives the worker's log. */
export async function startWebhookPortal(logged: string[] = []) {
  const receivers: Receiver[] = [];
  const portal = await startTestPortal({ RECODERY_WEBHOOK_ALLOW: '127.0.0.1' }, false);
  afterAll(() => portal.stop());
  const anna = await portal.signIn('anna@demo.test');
  const luca = await portal.signIn('luca@demo.test');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = sealImage(slave, 9000, new Uint8Array(4096).fill(7));
  const log = pino(
    new Writable({
      write(line: Buffer, _encoding, done) {
        logged.push(line.toString());
        done();
      },
    }),
  );
  // a test may change them
  const limits = { ...postLimits };
  const worker = await startWorker({ ...portal.platform, log }, { ...testPace, webhooks: limits });
  afterAll(async () => {
    await worker.stop();
    for (const receiver of receivers) await receiver.stop();
  });
  return { portal, anna, luca, image, receivers, limits };
}

export type WebhookPortal = Awaited<ReturnType<typeof startWebhookPortal>>;

/** Opens a receiver, which stops after the tests. */
export async function openReceiver({ receivers }: WebhookPortal): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

/** Makes a receiver never respond; returns a function that reports the most requests it has had open at once. */
export function hang(receiver: Receiver): () => number {
  let [open, most] = [0, 0];
  receiver.respond = (_request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
  };
  return () => most;
}

/**
 * Adds an endpoint of the caller's organisation, which a test removes at its end, because other tests' messages would
 * reach it too.
 */
export async function addTo(client: Client, receiver: Receiver): Promise<NewWebhook> {
  const answer = await client.post('/api/webhooks', { url: receiver.url });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as NewWebhook;
}

/** Runs `work` with an endpoint of the caller's organisation. */
export async function withEndpoint(
  webhooks: WebhookPortal,
  client: Client,
  work: (receiver: Receiver, endpoint: NewWebhook) => Promise<void>,
): Promise<void> {
  const receiver = await openReceiver(webhooks);
  const endpoint = await addTo(client, receiver);
  await work(receiver, endpoint);
  expect((await client.call('DELETE', `/api/webhooks/${endpoint.guid}`)).status).toBe(204);
}

/** Decodes the read as a user. */
export async function decodeAgain({ anna, image }: WebhookPortal): Promise<Operation> {
  return anna.follow(started(await uploadRead(anna, image)));
}

/** Makes waiting messages due now, and backdates past attempts by this much. */
export async function passTime({ portal }: WebhookPortal, interval: string): Promise<void> {
  const { db } = portal.platform;
  await sql`update webhook_message set due_on = due_on - ${interval}::interval,
    created_on = created_on - ${interval}::interval`.execute(db);
  await sql`update webhook_attempt set attempted_on = attempted_on - ${interval}::interval`.execute(
    db,
  );
  await notify(db, { kind: 'webhook-due', guid: null, organisation: null });
}

/** The attempts to deliver to a receiver, newest first. */
export async function deliveriesOf(client: Client, guid: string): Promise<Delivery[]> {
  const answer = await client.get(`/api/webhooks/${guid}/deliveries`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as Delivery[];
}

/** The statuses or errors of an endpoint's attempts, newest first, when there are that many. */
export async function waitForDeliveries(client: Client, guid: string, count: number) {
  await expect
    .poll(async () => (await deliveriesOf(client, guid)).length, { interval: 20 })
    .toBe(count);
  return deliveriesOf(client, guid);
}

/** Decodes the read as a program does, with this callback address. */
export function decodeWith({ image }: WebhookPortal, program: Program, callbackURL: string) {
  const path = '/api/kessv2/decode-read-file/customer-1';
  return program.decode(`${path}?callbackURL=${encodeURIComponent(callbackURL)}`, image);
}

/** The statuses of the messages about an operation, oldest first. */
export async function statusesOf(
  { portal }: WebhookPortal,
  operationGuid: string,
): Promise<readonly string[]> {
  const rows = await portal.platform.db
    .selectFrom('webhook_message')
    .select('status')
    .where('operation_guid', '=', operationGuid)
    .orderBy('created_on')
    .execute();
  return rows.map(({ status }) => status);
}
