/** The callback address of an operation: where a request can name it, and the addresses in the message that it gets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { type Receiver, startReceiver, verify } from '../webhooks/receiver.ts';
import { askAs } from './ask-as.ts';
import { Program, type ProgramOperation, type Returned } from './program.ts';

const path = '/api/kessv2/decode-read-file/C-1';
const ownHost = 'api.example.org';

let portal: RunningPortal;
let receiver: Receiver;
let added: AddedClient;
let program: Program;
let read: Uint8Array;
beforeAll(async () => {
  portal = await startTestPortal({
    RECODERY_WEBHOOK_ALLOW: '127.0.0.1',
    RECODERY_ENCODING_API_HOSTS: ownHost,
  });
  receiver = await startReceiver();
  added = await portal.addClient();
  program = new Program(portal, added);
  read = sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, new Uint8Array(1024));
});
afterAll(async () => {
  await portal.stop();
  await receiver.stop();
});

/** The record in the message that arrives at an address. */
async function receive(address: string): Promise<ProgramOperation> {
  const received = await receiver.next();
  expect(received.path).toBe(new URL(address).pathname + new URL(address).search);
  return verify(added.webhookSecret, received).data as unknown as ProgramOperation;
}

async function expectCallback(started: Returned, address: string): Promise<ProgramOperation> {
  expect(started).toMatchObject({ status: 200, json: { callbackURL: address } });
  const record = await program.succeed(started);
  expect(await receive(address)).toEqual(record);
  return record;
}

/** Addresses that only differ in their query. */
const at = (name: string) => `${receiver.url}?${name}`;

async function decode(): Promise<ProgramOperation> {
  return program.succeed(await program.decode(path, read));
}

// promise e2.webhooks.where
describe('a callback address', () => {
  test('can be in the form of a decode', async () => {
    const fields = { CallbackURL: at('form') };
    await expectCallback(await program.decode(path, read, { fields }), at('form'));
  });

  test('can be in the JSON of an encode', async () => {
    const { slotGUID } = await decode();
    const body = { kessv2FileSlotGUID: slotGUID, userInfo: '{"job": 8}' };
    const answer = await program.post('/api/kessv2/encode-file', {
      ...body,
      callbackurl: at('json'),
    });
    const record = await expectCallback(answer, at('json'));
    expect(record['userInfo']).toBe('{"job": 8}');
  });

  test('of the query comes before that of the body', async () => {
    const { slotGUID } = await decode();
    const query = `?callbackURL=${encodeURIComponent(at('query'))}`;
    const body = { kessv2FileSlotGUID: slotGUID, callbackURL: at('body') };
    await expectCallback(await program.post(`/api/kessv2/encode-file${query}`, body), at('query'));
    const fields = { callbackURL: at('body') };
    await expectCallback(await program.decode(path + query, read, { fields }), at('query'));
  });

  test.each([null, ''])('is not set if the body contains %j', async (callbackURL) => {
    const { slotGUID } = await decode();
    const body = { kessv2FileSlotGUID: slotGUID, callbackURL };
    const answer = await program.post('/api/kessv2/encode-file', body);
    expect(answer).toMatchObject({ status: 200, json: { callbackURL: null } });
    await program.succeed(answer);
  });

  test.each(['ftp://example.org/', 'http://10.1.2.3/hook'])(
    '%j in a body is refused and starts nothing',
    async (callbackURL) => {
      const { slotGUID } = await decode();
      const { db } = portal.platform;
      const count = () => db.selectFrom('operation').select('guid').execute();
      const before = await count();
      const body = { kessv2FileSlotGUID: slotGUID, callbackURL };
      for (const answer of [
        await program.post('/api/kessv2/encode-file', body),
        await program.decode(path, read, { fields: { callbackURL } }),
      ]) {
        expect([answer.status, answer.text]).toEqual([400, 'CALLBACK_URL_NOT_ALLOWED']);
      }
      expect(await count()).toEqual(before);
    },
  );
});

// promise e2.webhooks.base
test.each(['', '/encoding-api'])(
  'the addresses in a message begin with the base address of the request (%j)',
  async (prefix) => {
    const { slotGUID } = await decode();
    const { status, text } = await askAs(program, ownHost, {
      method: 'POST',
      path: `${prefix}/api/kessv2/encode-file`,
      body: { kessv2FileSlotGUID: slotGUID, callbackURL: at('host') },
    });
    expect([status, text]).toEqual([200, text]);
    const { result } = await receive(at('host'));
    expect(result['encodedFileURL']).toMatch(`http://${ownHost}${prefix}/api/kessv2/file-slots/`);
  },
);
