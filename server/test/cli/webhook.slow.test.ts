/** `recodery webhook`: the secret it prints once, what it lists, replays and refuses. */
import type { Delivery } from '@recodery/contract/features/webhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCommand } from '../fixtures/command.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { type Receiver, startReceiver, verify } from '../webhooks/receiver.ts';

const allow = { RECODERY_WEBHOOK_ALLOW: '127.0.0.1' };
const nobody = '01900000-0000-7000-8000-00000000dead';
let portal: RunningPortal;
let receiver: Receiver;
beforeAll(async () => {
  portal = await startTestPortal(allow);
  receiver = await startReceiver();
});
afterAll(async () => {
  await portal.stop();
  await receiver.stop();
});

const webhook = (words: readonly string[], settings: Readonly<Record<string, string>> = allow) =>
  callCommand(portal.platform, ['webhook', ...words], { settings });

const add = ['add', '--customer-code', 'CC-1001', '--url'];

it('adds an endpoint, lists its deliveries, replays one, and removes it', async () => {
  const added = await webhook([...add, receiver.url, '--json']);
  expect([added.code, added.complaint]).toEqual([0, expect.stringContaining('not be shown again')]);
  const { guid, secret } = JSON.parse(added.out) as Record<'guid' | 'secret', string>;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const list = await webhook(['list', '--json']);
  expect(JSON.parse(list.out)).toEqual([
    { customerCode: 'CC-1001', guid, url: receiver.url, createdOn: expect.any(String) },
  ]);
  expect((await webhook(['list', '--customer-code', 'CC-3003'])).out).toBe('');

  const anna = await portal.signIn('anna@demo.test');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  await decode(anna, sealImage(slave, 9000, new Uint8Array(4096).fill(7)));
  const first = await receiver.next();
  const path = `/api/webhooks/${guid}/deliveries`;
  await expect.poll(async () => (await anna.get(path)).json).toHaveLength(1);
  const [attempt] = JSON.parse((await webhook(['deliveries', guid, '--json'])).out) as Delivery[];
  expect(attempt).toMatchObject({
    guid: expect.any(String),
    webhookId: first.headers['webhook-id'],
    status: 204,
    durationMs: expect.any(Number),
  });
  expect((await webhook(['replay', attempt?.guid ?? ''])).code).toBe(0);
  const again = await receiver.next();
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(verify(secret, again).type).toBe('operation.completed');

  expect((await webhook(['remove', guid.toUpperCase()])).code).toBe(0);
  expect((await webhook(['list'])).out).toBe('');
});

it.each([
  [[...add, 'http://10.0.0.1/'], 1, 'CALLBACK_URL_NOT_ALLOWED'],
  [[...add, 'http://10.0.0.1/'], 1, 'list it in RECODERY_WEBHOOK_ALLOW in .env'],
  [[...add, 'http://localhost:1/'], 1, 'CALLBACK_URL_NOT_ALLOWED'],
  [['add', '--customer-code', 'CC-9', '--url', 'https://8.8.8.8/'], 1, 'No organisation'],
  [['add', '--customer-code', 'CC-1001'], 2, '--url'],
  [['remove', nobody], 1, 'No webhook endpoint'],
  [['remove', 'x'], 1, 'No webhook endpoint'],
  [['deliveries', nobody], 1, 'No webhook endpoint or client application'],
  [['replay', nobody], 1, 'No attempt'],
  [['replay', 'x'], 1, 'No attempt'],
])('refuses %j', async (words, code, reason) => {
  const refused = await webhook(words, {});
  expect(refused.code).toBe(code);
  expect(refused.complaint).toContain(reason);
  expect(refused.out).toBe('');
});
