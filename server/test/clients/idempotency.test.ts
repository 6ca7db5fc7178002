/**
 * Idempotency keys: a request with a key starts its work once, no matter how often it is sent and what happens in
 * between.
 */
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Slave } from '@recodery/codec/simulator/slave';
import { idempotencyHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteExpiredKeys } from '../../src/clients/idempotency-keys.ts';
import { newGuid } from '../../src/config/guids.ts';
import type { Answer, Client } from '../fixtures/client.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import { decode, keepImage, protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let program: AddedClient;
let slave: Slave;
let read: Uint8Array;
let slot: string;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '200' });
  program = await portal.addClient();
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  read = readOf(1);
  slot = (await decode(program.client, read)).kessv2SlotGUID;
});
afterAll(() => portal.stop());

function readOf(seed: number): Uint8Array {
  return sealImage(slave, 9000, generateImage(protocolOf(9000), 'obd', seed, 4096));
}

interface Form {
  readonly bytes?: Uint8Array;
  readonly userFlow?: 'D' | 'E';
  readonly boundary?: string;
  readonly path?: string;
}

/** Uploads a read, as a form with its own boundary. */
function upload(key: string, form: Form = {}, client: Client = program.client): Promise<Answer> {
  const { bytes = read, userFlow = 'D', boundary = newGuid() } = form;
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="userFlow"')}${userFlow}\r\n`),
    Buffer.from(part('name="readFile"; filename="read.tfc"')),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = {
    [idempotencyHeader]: key,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
  const path = form.path ?? '/api/kessv2/upload-read-file';
  return client.call('POST', path, { headers, body: new Uint8Array(body) });
}

function reencode(key: string, body: object = {}, client: Client = program.client) {
  const headers = { [idempotencyHeader]: key, 'content-type': 'application/json' };
  return client.call('POST', '/api/kessv2/reencode-decoded-file', {
    headers,
    body: JSON.stringify({ kessv2FileSlotGUID: slot, ...body }),
  });
}

async function count(table: 'operation' | 'slot' | 'stored_file' | 'idempotency_key') {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}`.execute(portal.platform.db);
  return rows[0]?.count ?? 0;
}

/** Sets columns of a key's row. */
const change = (key: string, set: ReturnType<typeof sql>) =>
  sql`update idempotency_key set ${set} where key = ${key}`.execute(portal.platform.db);

/** The status and code of a refusal, which is JSON for 429. */
const refusalIn = ({ status, text }: Answer) =>
  [status, status === 429 ? JSON.parse(text).errorCode : text] as const;

/** Starts nothing, and is refused. */
async function expectRefused(work: () => Promise<Answer>, status: number, code: string) {
  const before = await count('operation');
  const answer = await work();
  expect(refusalIn(answer)).toEqual([status, code]);
  expect(await count('operation')).toBe(before);
}

// promise e2.idempotency.repeated
describe('The same key and content', () => {
  test('return the first response to an upload, regardless of the boundary', async () => {
    const key = newGuid();
    const first = await upload(key);
    expect(first.status).toBe(202);
    await program.client.follow(first.json as Operation);
    const before = [await count('operation'), await count('slot'), await count('stored_file')];
    const again = await upload(key);
    expect([again.status, again.text]).toEqual([202, first.text]);
    const after = [await count('operation'), await count('slot'), await count('stored_file')];
    expect(after).toEqual(before);
  });

  test('return the first response to an encode, regardless of the order of its fields', async () => {
    const key = newGuid();
    const first = await reencode(key, { contextData: 'x', willCorrectCVN: false });
    expect(first.status).toBe(202);
    const again = await reencode(key, { willCorrectCVN: false, contextData: 'x' });
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  test('return it even while the service is suspended', async () => {
    const key = newGuid();
    const first = await upload(key);
    const { db } = portal.platform;
    await db.updateTable('maintenance').set({ is_on: true }).execute();
    const again = await upload(key);
    await db.updateTable('maintenance').set({ is_on: false }).execute();
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  // promise e2.idempotency.day
  test('start work again after 24 hours', async () => {
    const key = newGuid();
    const first = await upload(key);
    await change(key, sql`created_on = now() - interval '23 hours 59 minutes'`);
    expect((await upload(key)).text).toBe(first.text);
    await change(key, sql`created_on = now() - interval '24 hours 1 minute'`);
    const second = await upload(key);
    expect(second.status).toBe(202);
    expect((second.json as Operation).guid).not.toBe((first.json as Operation).guid);
  });

  test('are a separate request for each client and each user', async () => {
    const [key, other] = [newGuid(), await portal.addClient()];
    const anna = await portal.signIn('anna@demo.test');
    const mia = await portal.signIn('mia@demo.test');
    const answers = [
      await upload(key),
      await upload(key, {}, other.client),
      await upload(key, {}, anna),
      await upload(key, {}, mia),
    ];
    const guids = answers.map(({ json }) => (json as Operation).guid);
    expect(new Set(guids).size).toBe(4);
  });

  // promise 4.encode.once
  test('return the first response to a user, even after signing in again', async () => {
    const key = newGuid();
    const anna = await portal.signIn('anna@demo.test');
    const first = await reencode(key, {}, anna);
    expect(first.status).toBe(202);
    const before = [await count('operation'), await count('slot')];
    const again = await reencode(key, {}, await portal.signIn('anna@demo.test'));
    expect([again.status, again.text]).toEqual([202, first.text]);
    const decoded = newGuid();
    const decodes = [await upload(decoded, {}, anna), await upload(decoded, {}, anna)];
    expect(decodes.map(({ text }) => text)).toEqual([decodes[0]?.text, decodes[0]?.text]);
    const after = [await count('operation'), await count('slot')];
    expect(after.map((number, at) => number - (before[at] ?? 0))).toEqual([1, 1]);
  });

  test('do not return to a user what was started for another organisation', async () => {
    const key = newGuid();
    const anna = await portal.signIn('anna@demo.test');
    expect((await upload(key, {}, anna)).status).toBe(202);
    await anna.post(`/api/auth/session/${anna.sessionId}/switch-customer-code/CC-2002`);
    await expectRefused(() => upload(key, {}, anna), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('start work once when they arrive at the same time', async () => {
    const key = newGuid();
    const before = await count('operation');
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(key)));
    expect(await count('operation')).toBe(before + 1);
    const accepted = answers.filter(({ status }) => status === 202);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 202);
    expect(others.map(refusalIn)).toEqual(others.map(() => [429, 'IDEMPOTENCY_KEY_IN_USE']));
  });
});

// promise e2.idempotency.reused
describe('The same key with different content', () => {
  test('is refused: different bytes, different fields, a different path', async () => {
    const key = newGuid();
    expect((await upload(key)).status).toBe(202);
    const code = 'IDEMPOTENCY_KEY_REUSED';
    const forms: Form[] = [
      { bytes: readOf(2) },
      { userFlow: 'E' },
      { path: '/api/kess3/upload-read-file' },
      { path: '/api/kessv2/upload-read-file?groupCode=G-10' },
    ];
    for (const form of forms) await expectRefused(() => upload(key, form), 422, code);
    await expectRefused(() => reencode(key), 422, code);
    expect((await upload(key)).status).toBe(202);
  });

  test('is refused for an encode', async () => {
    const key = newGuid();
    await reencode(key);
    await expectRefused(() => reencode(key, { contextData: 'y' }), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('does not store a second read file', async () => {
    const { db } = portal.platform;
    // other files may come from operations that are still running
    const reads = db.selectFrom('stored_file').select('guid').where('role', '=', 'read');
    const key = newGuid();
    await upload(key);
    const before = await reads.execute();
    await upload(key, { bytes: readOf(3) });
    expect(await reads.execute()).toHaveLength(before.length);
  });
});

describe('A request whose first one', () => {
  // promise e2.idempotency.in-use
  test('is still being handled is refused, even with different content', async () => {
    const key = newGuid();
    await upload(key);
    await change(key, sql`response = null, lease_until = now() + interval '1 minute'`);
    await expectRefused(() => upload(key), 429, 'IDEMPOTENCY_KEY_IN_USE');
    await expectRefused(() => upload(key, { userFlow: 'E' }), 429, 'IDEMPOTENCY_KEY_IN_USE');
  });

  test('was abandoned by a portal that died is handled', async () => {
    const key = newGuid();
    await portal.platform.db
      .insertInto('idempotency_key')
      .values({
        client_guid: program.guid,
        key,
        claim: newGuid(),
        lease_until: sql<Date>`now() - interval '1 second'`,
      })
      .execute();
    expect((await upload(key)).status).toBe(202);
  });

  test('was refused is handled: nothing was started', async () => {
    const key = newGuid();
    const refused = await reencode(key, { kessv2FileSlotGUID: newGuid() });
    expect([refused.status, refused.text]).toEqual([404, 'NOT_FOUND']);
    expect((await reencode(key)).status).toBe(202);
  });

  test('lost its claim to another starts nothing', async () => {
    const key = newGuid();
    const { db } = portal.platform;
    // the claim is taken over between the claim and the end of the first request
    await sql`create function steal() returns trigger language plpgsql as $$
      begin update idempotency_key set claim = gen_random_uuid() where key = ${sql.lit(key)}; return new; end $$`.execute(
      db,
    );
    await sql`create trigger steal before insert on slot for each row execute function steal()`.execute(
      db,
    );
    const before = await count('operation');
    const answer = await upload(key);
    await sql`drop trigger steal on slot`.execute(db);
    expect(refusalIn(answer)).toEqual([429, 'IDEMPOTENCY_KEY_IN_USE']);
    expect(await count('operation')).toBe(before);
  });

  test('failed after its work was written, but before the response was kept, started nothing', async () => {
    const key = newGuid();
    const { db } = portal.platform;
    await sql`create function fail() returns trigger language plpgsql as $$
      begin raise exception 'the portal dies'; end $$`.execute(db);
    await sql`create trigger fail before update on idempotency_key
      for each row when (new.response is not null) execute function fail()`.execute(db);
    const before = await count('operation');
    const answer = await upload(key);
    await sql`drop trigger fail on idempotency_key`.execute(db);
    expect(answer.status).toBe(500);
    expect(await count('operation')).toBe(before);
    expect((await upload(key)).status).toBe(202);
    expect(await count('operation')).toBe(before + 1);
  });
});

describe('A key', () => {
  // promise e2.idempotency.form
  test.each(['', 'x'.repeat(256), 'a\tb', 'ä'])('is refused when it is %j', async (key) => {
    await expectRefused(() => upload(key), 400, 'BAD_REQUEST');
    await expectRefused(() => reencode(key), 400, 'BAD_REQUEST');
  });

  // promise e2.idempotency.form
  test.each(['x', 'x'.repeat(255), '~ !"#$%'])('is accepted when it is %j', async (key) => {
    expect((await upload(key)).status).toBe(202);
  });

  test('is ignored where no work starts', async () => {
    const answer = await keepImage(
      program.client,
      'modified',
      slot,
      generateImage(protocolOf(9000), 'obd', 1, 4096),
    );
    expect(answer.fileGUID).toEqual(expect.any(String));
    const headers = { [idempotencyHeader]: '' };
    expect((await program.client.call('GET', '/api/operations', { headers })).status).toBe(200);
  });

  test('is forgotten after 24 hours by the sweep', async () => {
    const key = newGuid();
    await upload(key);
    await change(
      key,
      sql`created_on = now() - interval '25 hours', lease_until = now() - interval '25 hours'`,
    );
    const before = await count('idempotency_key');
    expect(await deleteExpiredKeys(portal.platform.db)).toBe(1);
    expect(await count('idempotency_key')).toBe(before - 1);
  });
});
