/** A worker that is killed while it delivers a webhook: the next one delivers it again, with the same webhook-id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Delivery, NewWebhook } from '@recodery/contract/features/webhooks';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quickStart } from '../fixtures/recodery-process.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import { type Receiver, startReceiver, verify } from './receiver.ts';

const secret = randomBytes(32).toString('hex');
let portal: RunningPortal;
let anna: Client;
let receiver: Receiver;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  const environment = { RECODERY_SECRET: secret, RECODERY_WEBHOOK_ALLOW: '127.0.0.0/8' };
  portal = await startTestPortal(environment, false);
  anna = await portal.signIn('anna@demo.test');
  receiver = await startReceiver();
});
afterAll(async () => {
  for (const worker of workers) await kill(worker);
  await receiver.stop();
  await portal.stop();
});

function startWorker(): ChildProcess {
  const { config, databaseUrl } = portal.platform;
  const program = join(import.meta.dirname, '../operations/worker-process.ts');
  const worker = spawn(process.execPath, [program], {
    stdio: 'ignore',
    env: {
      ...quickStart,
      RECODERY_ROLES: 'worker',
      RECODERY_ENGINES: '1',
      RECODERY_DEMO: 'off',
      RECODERY_SECRET: secret,
      RECODERY_DATABASE_URL: databaseUrl,
      RECODERY_STORAGE_URL: config.storageUrl,
      RECODERY_DATA_DIR: config.dataDir,
      RECODERY_WEBHOOK_ALLOW: '127.0.0.0/8',
      // a proxy that does not exist: webhooks never use one
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
    },
  });
  workers.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

// promise e2.webhooks.at-least-once
test('a killed delivery is made again, with the same webhook-id', async () => {
  const added = await anna.post('/api/webhooks', { url: receiver.url });
  const endpoint = added.json as NewWebhook;
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const first = startWorker();
  receiver.respond = () => undefined;
  const read = sealImage(slave, 9000, new Uint8Array(4096).fill(7));
  const operation = started(await uploadRead(anna, read));

  const interrupted = await receiver.next();
  await kill(first);
  receiver.respond = (_request, response) => void response.writeHead(200).end();
  // its lease would expire, 25 s later
  await sql`update webhook_message set lease_until = now()`.execute(portal.platform.db);
  startWorker();
  const again = await receiver.next();

  expect(again.headers['webhook-id']).toBe(interrupted.headers['webhook-id']);
  for (const one of [interrupted, again])
    expect(verify(endpoint.secret, one).data['guid']).toBe(operation.guid);
  const list = async () =>
    (await anna.get(`/api/webhooks/${endpoint.guid}/deliveries`)).json as Delivery[];
  await expect.poll(async () => (await list()).map(({ status }) => status)).toEqual([200]);
  expect(receiver.received).toHaveLength(2);
});
