/** What a client application starts: who is shown as its author, who sees it, and how programs differ from users. */
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Slave } from '@recodery/codec/simulator/slave';
import { accessTokenHeader } from '@recodery/contract/headers';
import type { Notification } from '@recodery/contract/features/notifications';
import type { Operation, OperationSummary } from '@recodery/contract/features/operations';
import type { Tray } from '@recodery/contract/features/trays';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../fixtures/client.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import {
  decode,
  encode,
  keepImage,
  protocolOf,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';
import { readCsv } from '../operations-log/read-csv.ts';

const image = generateImage(protocolOf(9000), 'obd', 1, 4096);

let portal: RunningPortal;
let program: AddedClient;
let anna: Client;
let slave: Slave;
let slot: string;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '2' });
  program = await portal.addClient({ name: 'Back office' });
  anna = await portal.signIn('anna@demo.test');
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  slot = (await decode(program.client, sealImage(slave, 9000, image))).kessv2SlotGUID;
  const modified = await keepImage(program.client, 'modified', slot, image);
  await encode(program.client, {
    kessv2FileSlotGUID: slot,
    modifiedFileGUID: modified.fileGUID,
    notificationInfo: { email: 'garage@rossi.test', message: null, isPrivate: false },
  });
});
afterAll(() => portal.stop());

const list = (client: Client) =>
  client
    .get('/api/async-operation-notifications/?count=10')
    .then(({ json }) => json as Notification[]);

describe('The work of a client application', () => {
  test('is listed with its name', async () => {
    const lines = (await anna.get('/api/operations')).json as OperationSummary[];
    expect(lines.map(({ userDisplayName }) => userDisplayName)).toEqual([
      'Back office',
      'Back office',
    ]);
  });

  test('is logged with its name, and without an email address', async () => {
    const [head = [], line = []] = readCsv((await anna.get('/api/operations-log/kessv2')).text);
    expect([line[head.indexOf('User')], line[head.indexOf('Email')]]).toEqual(['Back office', '']);
  });

  test('is reported to it and to the recipient, not to every user of the organisation', async () => {
    const own = await list(program.client);
    expect(own.map(({ isSent, asyncOperationType }) => [isSent, asyncOperationType])).toEqual([
      [true, 'KESSv2Encode'],
      [true, 'KESSv2Decode'],
    ]);
    expect(await list(anna)).toEqual([]);
    const other = await portal.addClient();
    expect(await list(other.client)).toEqual([]);
  });

  // promise e2.clients.attached
  test('shows its context data to it, and not to another client application', async () => {
    const body = { kessv2FileSlotGUID: slot, contextData: 'Rossi' };
    const answer = await program.client.post('/api/kessv2/reencode-decoded-file', body);
    const { guid } = await program.client.follow(started(answer));
    const read = async (client: Client) =>
      (await client.get(`/api/async-operations/${guid}`)).json as Operation;
    expect(await read(program.client)).toMatchObject({ guid, contextData: 'Rossi' });
    const other = await portal.addClient();
    expect(await read(other.client)).toMatchObject({ guid, contextData: null });
    const file = { name: 'a.k2r', size: 1, sha256: '0'.repeat(64), workflow: null, error: null };
    const { guid: tray } = (await anna.post('/api/trays', { files: [file] })).json as Tray;
    await sql`
      update tray_file set operation_guid = ${guid} where tray_guid = ${tray}`.execute(
      portal.platform.db,
    );
    const encodeIn = async (client: Client) =>
      ((await client.get(`/api/trays/${tray}`)).json as Tray).files[0]?.encode;
    expect(await encodeIn(program.client)).toMatchObject({ guid, contextData: 'Rossi' });
    expect(await encodeIn(other.client)).toMatchObject({ guid, contextData: null });
  });

  test('can be marked and revoked by it alone', async () => {
    const [newest] = await list(program.client);
    const path = `/api/async-operation-notifications/${newest?.guid}`;
    const other = await portal.addClient();
    for (const client of [anna, other.client]) {
      expect((await client.post(`${path}/mark-as-read/sender`)).status).toBe(404);
      expect((await client.post(`${path}/revoke`)).status).toBe(404);
    }
    expect((await program.client.post(`${path}/mark-as-read/sender`)).status).toBe(204);
  });
});

describe('A client application', () => {
  test('has the culture of its organisation, unless a request asks for another', async () => {
    const { db } = portal.platform;
    const read = async (headers = {}) => {
      const path = '/api/async-operation-notifications/?count=1';
      const { json } = await program.client.call('GET', path, { headers });
      return (json as Notification[])[0]?.message;
    };
    const organisation = db.updateTable('organisation').where('customer_code', '=', 'CC-1001');
    await organisation.set({ culture: 'it-IT' }).execute();
    const italian = await read();
    await organisation.set({ culture: 'de-DE' }).execute();
    const german = await read();
    expect(new Set([italian, german]).size).toBe(2);
    expect(await read({ 'X-Recodery-Language': 'it-IT' })).toBe(italian);
  });

  test('resumes nothing, but the refusal lists its operations that fill the quota', async () => {
    await portal.stopWorker();
    const upload = () => uploadRead(program.client, sealImage(slave, 9000, image));
    const operation = started(await upload());
    const entry = await program.client.get('/api/kessv2');
    expect(entry.json).toMatchObject({ kessv2ActiveFileSlotCreationResult: null });
    const second = started(await upload());
    const full = await program.client.get('/api/kessv2');
    expect(full.status).toBe(429);
    expect(full.json).toMatchObject({ details: [{ guid: operation.guid }, { guid: second.guid }] });
    expect((await anna.get('/api/kessv2')).json).toMatchObject({ details: [] });
    const events: Operation[] = [];
    // a new stream begins with the running operations
    const { url, sessionId } = program.client;
    const stream = new Client(url, sessionId, accessTokenHeader);
    await stream.listen(({ name, record }) => {
      if (name === 'operation') events.push(record as Operation);
    });
    await expect.poll(() => events.map(({ guid }) => guid)).toContain(operation.guid);
    stream.close();
  });
});
