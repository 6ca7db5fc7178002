/** The originals library and the keys of slave devices over HTTP: uploaded, replaced, removed, exported. */
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSlaveKey } from '../../../src/organisations/slave-key.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { findDamage } from '../../../src/storage/verified-storage.ts';
import { listLibrary } from '../../../src/recoding/originals/originals.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/originals';
const problem = { accept: 'application/problem+json' };

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

function imageOf(seed: number): Uint8Array {
  const protocol = findProtocol(1002);
  if (protocol === null) throw new Error('there is no protocol 1002');
  return generateImage(protocol, 'obd', seed);
}

interface Original {
  readonly guid: string;
  readonly revision: string;
  readonly hardware: string;
  readonly software: string;
  readonly image: string;
  readonly fileName: string;
}

interface Sent {
  readonly status: number;
  readonly json: unknown;
}

async function send(
  verb: 'POST' | 'PUT',
  address: string,
  [name, bytes]: readonly [string, Uint8Array],
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const form = new FormData();
  form.append('image', new Blob([Uint8Array.from(bytes)]), name);
  const { status, text } = await olga.call(verb, address, {
    body: form,
    headers: { ...problem, ...headers },
  });
  const { details, ...rest } = JSON.parse(text);
  return { status, json: details ?? rest };
}

const add = (query: Readonly<Record<string, string>>, name: string, bytes: Uint8Array) =>
  send('POST', `${path}?${new URLSearchParams(query).toString()}`, [name, bytes]);

const replace = (of: Original, name: string, bytes: Uint8Array, query = '') =>
  send('PUT', `${path}/${of.guid}/file${query}`, [name, bytes], {
    'if-match': `"${of.revision}"`,
  });

async function list(): Promise<readonly Original[]> {
  const { json } = await olga.get(path);
  return (json as { items: readonly Original[] }).items;
}

/** The entries of the audit trail for a call. */
async function auditOf(action: string): Promise<readonly unknown[]> {
  const { rows } = await sql<{ entry: unknown }>`
    select entry::jsonb as entry from (select entry from audit_waiting union all select entry from audit_entry) as one
    where entry::jsonb ->> 'action' = ${action}`.execute(portal.platform.db);
  return rows.map(({ entry }) => entry);
}

test('adds an original with the numbers of its image, and refuses a second one', async () => {
  const { status, json } = await add({ protocol: '1002' }, 'stock.bin', imageOf(1));
  expect({ status, json }).toMatchObject({
    status: 200,
    json: { protocol: '1002', fileName: 'stock.bin', sizeBytes: 524_288 },
  });
  expect((json as Original).hardware).toMatch(/^REF-HW-/);
  const again = await add({ protocol: '1002' }, 'stock.bin', imageOf(1));
  expect(again).toMatchObject({ status: 400, json: { fields: { software: 'TAKEN' } } });
  expect(await list()).toHaveLength(1);
});

test.each([
  ['no protocol', {}, imageOf(1), { protocol: 'REQUIRED' }],
  ['an unknown protocol', { protocol: '4711' }, imageOf(1), { protocol: 'NO_PROTOCOL' }],
  ['an empty file', { protocol: '1002' }, new Uint8Array(), { image: 'EMPTY_FILE' }],
  ['another size', { protocol: '1002' }, new Uint8Array(1000), { image: 'WRONG_SIZE' }],
  ['another ECU', { protocol: '1002' }, new Uint8Array(524_288), { image: 'OTHER_ECU' }],
])('refuses %s with its field, and keeps the library', async (_what, query, bytes, fields) => {
  const before = await list();
  expect(await add(query, 'x.bin', bytes)).toMatchObject({ status: 400, json: { fields } });
  expect(await list()).toEqual(before);
});

test('uses an image for other numbers only if the operator confirms it', async () => {
  const numbers = { protocol: '1002', hardware: 'HW 1', software: 'SW 1' };
  const refused = await add(numbers, 'other.bin', imageOf(3));
  expect(refused).toMatchObject({
    status: 400,
    json: {
      fields: { image: 'DIFFERS_NOT_CONFIRMED' },
      facts: { entered: 'HW 1 SW 1', own: expect.stringContaining('REF-HW-') },
    },
  });
  const { status } = await add({ ...numbers, confirm: 'true' }, 'other.bin', imageOf(3));
  expect(status).toBe(200);
});

test('replaces an image with old and new values in the audit trail, but not one that another operator has replaced', async () => {
  const [first] = (await list()).filter(({ fileName }) => fileName === 'other.bin');
  if (first === undefined) throw new Error('the original is missing');
  const done = await replace(first, 'newer.bin', imageOf(4), '?confirm=true');
  expect(done).toMatchObject({ status: 200, json: { guid: first.guid, fileName: 'newer.bin' } });
  const late = await replace(first, 'late.bin', imageOf(5), '?confirm=true');
  expect(late).toMatchObject({
    status: 412,
    json: { current: { guid: first.guid, fileName: 'newer.bin' } },
  });
  const { storage } = await openStorage(portal.platform.config);
  const rows = await listLibrary(portal.platform.db);
  for (const row of rows) expect(await findDamage(storage, row)).toBeNull();
  const [entry] = await auditOf('adminOriginals.replace');
  expect(JSON.stringify(entry)).toContain('["other.bin","newer.bin"]');
});

test('removes an original, and records what it was', async () => {
  const [one] = await list();
  if (one === undefined) throw new Error('there is no original');
  const { status } = await olga.call('DELETE', `${path}/${one.guid}`);
  expect(status).toBe(204);
  expect((await list()).map(({ guid }) => guid)).not.toContain(one.guid);
  const [entry] = await auditOf('adminOriginals.remove');
  expect(JSON.stringify(entry)).toContain(one.image);
});

test('refuses a tuned image', async () => {
  const protocol = findProtocol(1002);
  const tuned = protocol === null ? imageOf(7) : tuneImage(protocol, 'obd', imageOf(7), 2);
  const { status, json } = await add({ protocol: '1002' }, 'tuned.bin', tuned);
  expect({ status, json }).toMatchObject({
    status: 400,
    json: { fields: { image: 'WRONG_CHECKSUMS' } },
  });
});

test("exports a slave's key after a recent sign-in, and records it", async () => {
  const { db } = portal.platform;
  const { json } = await olga.get('/api/admin/slaves?search=KS3-000042');
  const [slave] = (json as { items: readonly { guid: string; revision: string }[] }).items;
  if (slave === undefined) throw new Error('the slave is missing');
  const file = `/api/admin/slaves/${slave.guid}/file`;
  await sql`update session set confirmed_on = null`.execute(db);
  const unconfirmed = await olga.call('GET', file, { headers: problem });
  expect(unconfirmed.status).toBe(403);
  await sql`update session set confirmed_on = now()`.execute(db);
  const exported = await olga.call('GET', file);
  expect(exported.status).toBe(200);
  expect(readSlaveKey(exported.text)).toMatchObject({ family: 'kess3', slaveSerial: 'KS3-000042' });
  const { rows } = await sql<{ by: string }>`
    select exported_by as by from slave_key_export`.execute(db);
  expect(rows).toContainEqual({ by: 'olga@demo.test' });
  const entries = await auditOf('adminSlaves.download');
  expect(JSON.stringify(entries)).toContain('KS3-000042');
  const key = readSlaveKey(exported.text)?.pairKey ?? new Uint8Array();
  expect(JSON.stringify(entries)).not.toContain(Buffer.from(key).toString('hex'));
  await olga.post(`/api/admin/slaves/${slave.guid}/revoke`);
  expect((await olga.call('GET', file, { headers: problem })).status).toBe(404);
});
