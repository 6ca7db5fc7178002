/**
 * Secrets that are rotated while operations run: nothing fails, and what was issued before becomes invalid when it
 * should.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecodeResult } from '@recodery/contract/families/kessv2';
import type { Operation } from '@recodery/contract/features/operations';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { createInvitationPath, findInvited } from '../../src/sign-in/provider/invitations.ts';
import { decodeEnd, someRead } from '../engine/encoding-api/vendor-workflow.ts';
import type { Client } from '../fixtures/client.ts';
import { callCommand, runCommand } from '../fixtures/command.ts';
import { startFakeVendor } from '../fixtures/services/fake-vendor.ts';
import {
  type RecoderyProcess,
  signalEngines,
  startRecodery,
} from '../fixtures/recodery-process.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';
import { startVendorPortal, vendorName } from '../fixtures/vendor-portal.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import { startReceiver } from '../webhooks/receiver.ts';

let portal: RunningPortal;
let worker: RecoderyProcess;
let anna: Client;
let read: Uint8Array;
let folder: string;

const secretFile = ({ config }: TestPlatform): string => join(config.dataDir, 'secret');

function startWorker(): Promise<RecoderyProcess> {
  const { platform } = portal;
  return startRecodery(platform, {
    RECODERY_ROLES: 'worker',
    RECODERY_SECRET_FILE: secretFile(platform),
    RECODERY_WEBHOOK_ALLOW: '127.0.0.0/8',
  });
}

beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_WEBHOOK_ALLOW: '127.0.0.0/8' }, false);
  worker = await startWorker();
  anna = await portal.signIn('anna@demo.test');
  read = sealImage(
    await portal.getSlave('kessv2', 'KV2-000007'),
    9000,
    new Uint8Array(4096).fill(7),
  );
  folder = await mkdtemp(join(tmpdir(), 'recodery-rotation-'));
});
afterAll(async () => {
  await worker.kill();
  await portal.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command next to the running processes. */
async function recodery(platform: TestPlatform, words: readonly string[]): Promise<number | null> {
  return (await callCommand(platform, words, { cwd: folder })).code;
}

/** Does something while the engines of the worker are suspended in a decode of `client`; returns that decode's end. */
async function duringDecode(client: Client, work: () => Promise<void>): Promise<Operation> {
  const release = signalEngines(worker.child, 'SIGSTOP');
  try {
    const operation = started(await uploadRead(client, read));
    const { db } = portal.platform;
    const attempts = db
      .selectFrom('operation')
      .select('attempt')
      .where('guid', '=', operation.guid);
    await expect.poll(async () => (await attempts.executeTakeFirst())?.attempt).toBe(1);
    await work();
    release();
    // the session of the caller may have ended
    return await (await portal.signIn('anna@demo.test')).follow(operation);
  } finally {
    release();
  }
}

const succeeded = { isSuccessful: true, error: null };
const fileOf = ({ result }: Operation): string => (result as DecodeResult).decodedFileURL ?? '';

// promise d3.settings.secret-rotation
test('the installation secret is rotated while a decode runs, and workers continue with keys that they open later', async () => {
  const { platform } = portal;
  // it has opened no key of a master yet
  const idle = await startWorker();
  const before = (await readFile(secretFile(platform), 'utf8')).trim();
  const ended = await duringDecode(anna, async () => {
    expect(await runCommand(platform, ['secret', 'rotate'])).toMatchObject({ code: 0 });
  });
  expect(ended).toMatchObject(succeeded);
  await worker.kill();
  worker = idle;
  expect(await anna.follow(started(await uploadRead(anna, read)))).toMatchObject(succeeded);
  const settings = { RECODERY_SECRET: before, RECODERY_SECRET_FILE: '' };
  expect(await callCommand(platform, ['migrate'], { settings })).toMatchObject({ code: 1 });
});

// promise d4.session.keys-renewed
test('renewed keys keep sessions and download addresses valid, and replaced ones end them, while a decode runs', async () => {
  const { platform } = portal;
  const getKey = async () => (await platform.secrets.getCurrentKey('session')).keyId;
  const keyId = await getKey();
  const account = await findAccountByEmail(platform.db, 'anna@demo.test');
  if (account === null) throw new Error('there is no such account');
  const invitation = (await createInvitationPath(platform, account)).split('/').at(-1) ?? '';
  const earlier = await anna.follow(started(await uploadRead(anna, read)));
  const renewed = await duringDecode(anna, async () => {
    expect(await recodery(platform, ['secret', 'renew'])).toBe(0);
    expect((await anna.get(fileOf(earlier))).status).toBe(200);
  });
  expect(renewed).toMatchObject(succeeded);
  await expect.poll(getKey).toBe(keyId + 1);
  expect((await anna.get(fileOf(earlier))).status).toBe(200);
  expect(await findInvited(platform, invitation)).toMatchObject({
    account: { guid: account.guid },
  });
  const later = await portal.signIn('anna@demo.test');
  expect((await later.get('/api/preferences')).status).toBe(200);

  const program = await portal.addClient();
  const ended = await duringDecode(program.client, async () => {
    expect(await recodery(platform, ['secret', 'replace-keys'])).toBe(0);
    for (const client of [anna, later])
      await expect.poll(async () => (await client.get('/api/preferences')).status).toBe(401);
    await expect.poll(async () => (await anna.get(fileOf(earlier))).status).not.toBe(200);
    await expect.poll(() => findInvited(platform, invitation)).toBeNull();
  });
  expect(ended).toMatchObject(succeeded);
  anna = await portal.signIn('anna@demo.test');
});

// promise e2.clients.replaced
test('a client application is replaced while its decode runs: the decode succeeds, and its token stops working', async () => {
  const first = await portal.addClient();
  const second = await portal.addClient();
  const ended = await duringDecode(first.client, async () => {
    expect(await recodery(portal.platform, ['client', 'revoke', first.guid])).toBe(0);
    expect((await first.client.get('/api/operations')).status).toBe(401);
  });
  expect(ended).toMatchObject(succeeded);
  const path = `/api/async-operations/${ended.guid}`;
  expect((await second.client.get(path)).json).toMatchObject(succeeded);
});

test('a webhook is replaced while a decode runs: the message arrives once, with the new signature', async () => {
  const receiver = await startReceiver();
  const add = async () => {
    const answer = await anna.post('/api/webhooks', { url: receiver.url });
    return answer.json as { readonly guid: string; readonly secret: string };
  };
  const first = await add();
  const second = await add();
  const ended = await duringDecode(anna, async () => {
    expect(await recodery(portal.platform, ['webhook', 'remove', first.guid])).toBe(0);
  });
  expect(ended).toMatchObject(succeeded);
  const { body, headers } = await receiver.next();
  expect(() => new Webhook(first.secret).verify(body, { ...headers })).toThrow();
  expect(new Webhook(second.secret).verify(body, { ...headers })).toMatchObject({
    type: 'operation.completed',
  });
  await receiver.stop();
  expect(receiver.received).toHaveLength(1);
});

// promise e3.connections.replaced
test("the credentials for a vendor's engine are replaced while it decodes", async () => {
  const vendor = await startFakeVendor();
  vendor.polls = Number.POSITIVE_INFINITY;
  const side = await startVendorPortal({ url: vendor.url, credentials: vendor.credentials });
  const ending = decodeEnd(side.anna, 'kess3', someRead().bytes);
  const isPolling = (): boolean =>
    vendor.requests.some((line) => line.includes('async-operations'));
  await expect.poll(isPolling).toBe(true);
  const { clientGuid } = vendor.credentials;
  const secretKey = 'the next secret of the vendor';
  const file = join(folder, 'vendor');
  await writeFile(file, secretKey);
  const words = ['--kind', 'encoding-api', '--url', vendor.url, '--client', clientGuid];
  expect(
    await recodery(side.portal.platform, [
      ...['engine', 'add', vendorName, ...words],
      ...['--secret-file', file, '--replace'],
    ]),
  ).toBe(0);
  vendor.credentials = { clientGuid, secretKey };
  vendor.forgetTokens();
  vendor.polls = 1;
  expect(await ending).toMatchObject(succeeded);
  expect(vendor.tokens).toBeGreaterThan(1);
  await side.portal.stop();
  await vendor.stop();
});
