/**
 * Idempotency keys in the Encoding API: work starts once, regardless of the form's boundary and the case of its fields.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { addProgram, type Program } from './program.ts';

const image = new Uint8Array(1024).map((_, at) => at);
const decodePath = '/api/kessv2/decode-read-file/C-1';

let portal: RunningPortal;
let program: Program;
let read: Uint8Array;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_OPEN_SLOTS: '2' });
  program = await addProgram(portal);
  read = sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, image);
});
afterAll(() => portal.stop());

/** Sends a read file with a key, in a form with its own boundary. */
function decode(key: string, bytes: Uint8Array, field = 'readFile', path = decodePath) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)]), 'read.tfc');
  return program.call('POST', path, { headers: { 'idempotency-key': key }, body: form });
}

function encode(key: string, body: unknown) {
  const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
  const path = '/api/kessv2/encode-file';
  return program.call('POST', path, { headers, body: JSON.stringify(body) });
}

const slots = async () => (await program.get('/api/kessv2/file-slots')).json as unknown as object[];

describe('an idempotency key', () => {
  // promise e2.idempotency.repeated
  test('starts a decode once, even when no slot can be opened anymore', async () => {
    const first = await decode('decode 1', read);
    const { slotGUID } = await program.succeed(first);
    await program.succeed(await decode('decode 2', read));
    expect((await decode('decode 3', read)).text).toBe('TOO_MANY_OPEN_SLOTS');
    for (const field of ['readFile', 'READFILE']) {
      const again = await decode('decode 1', read, field);
      expect([again.status, again.json]).toEqual([200, first.json]);
    }
    expect(await slots()).toHaveLength(2);
    const other = new Uint8Array(read);
    other[100] = (other[100] ?? 0) ^ 1;
    for (const reused of [
      await decode('decode 1', other),
      await decode('decode 1', read, 'readFile', `${decodePath}2`),
    ]) {
      expect([reused.status, reused.type, reused.text]).toEqual([
        422,
        'text/plain; charset=utf-8',
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    }
    await program.post(`/api/kessv2/file-slots/${slotGUID}/close`);
    // a refused request may be retried with its key
    const retried = await decode('decode 3', read);
    expect(retried.status).toBe(200);
    const { slotGUID: third } = await program.succeed(retried);
    await program.post(`/api/kessv2/file-slots/${third}/close`);
  });

  // promise e2.idempotency.repeated
  test('starts an encode once, even when its slot is closed', async () => {
    const { slotGUID } = await program.succeed(await decode('decode 4', read));
    const body = { kessv2FileSlotGUID: slotGUID, userCustomerCode: 'C-1' };
    const first = await encode('encode 1', body);
    const done = await program.succeed(first);
    await program.post(`/api/kessv2/file-slots/${slotGUID}/close`);
    const again = await encode('encode 1', {
      KESSV2FILESLOTGUID: slotGUID,
      usercustomercode: 'C-1',
    });
    expect([again.status, again.json]).toEqual([200, first.json]);
    for (const change of [
      { willCorrectCVN: true },
      { userCustomerCode: 'C-2' },
      { userCustomerCode: null },
      { userInfo: '{}' },
      { callbackURL: 'https://93.184.215.14/hook' },
    ]) {
      const other = await encode('encode 1', { ...body, ...change });
      expect([change, other.status, other.text]).toEqual([change, 422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    const operations = portal.platform.db
      .selectFrom('operation')
      .where('slot_guid', '=', slotGUID)
      .where('type', '=', 'KESSv2Encode')
      .select('guid');
    expect(await operations.execute()).toEqual([{ guid: done.guid }]);
  });

  test.each(['', 'x'.repeat(256), 'ä'])('%j is refused', async (key) => {
    const answer = await decode(key, read);
    expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
  });

  // promise e2.idempotency.own
  test('belongs to its client application', async () => {
    const one = await decode('shared', read);
    const other = await addProgram(portal);
    const form = new FormData();
    form.append('readFile', new Blob([new Uint8Array(read)]), 'read.tfc');
    const headers = { 'idempotency-key': 'shared' };
    const theirs = await other.call('POST', decodePath, { headers, body: form });
    expect(theirs.status).toBe(200);
    expect(theirs.json?.['guid']).not.toBe(one.json?.['guid']);
  });
});
