/** Two portals on one database: everything that one of them does, refuses or counts also applies to the other. */
import { randomUUID } from 'node:crypto';
import type { DecodeResult } from '@recodery/contract/families/kessv2';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { revokeClient } from '../../src/clients/clients.ts';
import { setMaintenance } from '../../src/service-status/maintenance.ts';
import { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { type SecondPortal, startSecondPortal } from '../fixtures/second-portal.ts';
import { decode, sealImage, started, uploadRead } from './families/kessv2-workflow.ts';

let first: RunningPortal;
let second: SecondPortal;
let anna: Client;
/** The same session at the other portal. */
let annaThere: Client;
let read: Uint8Array;
const opened: Client[] = [];

beforeAll(async () => {
  first = await startTestPortal();
  second = await startSecondPortal(first);
  const slave = await first.getSlave('kessv2', 'KV2-000007');
  read = sealImage(slave, 9000, new Uint8Array(4096).fill(7));
  anna = await first.signIn('anna@demo.test');
  annaThere = elsewhere(anna.sessionId);
});
afterEach(async () => {
  await sql`truncate request_count`.execute(first.platform.db);
});
afterAll(async () => {
  for (const client of opened) client.close();
  await second.stop();
  await first.stop();
});

function elsewhere(credentials: string, header = sessionHeader): Client {
  const client = new Client(second.url, credentials, header);
  opened.push(client);
  return client;
}

/** Sends this many requests alternately to both portals; returns the statuses. */
async function alternate(count: number, path: string, init: RequestInit): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    const url = index % 2 === 0 ? first.url : second.url;
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init });
    await answer.bytes();
    statuses.push(answer.status);
  }
  return statuses;
}

test('a network can try again when the minute has passed', async () => {
  const { db } = first.platform;
  const path = `/api/auth/validate-sso-token/${randomUUID()}`;
  await alternate(2, path, { method: 'POST' });
  await sql`update request_count set count = 120`.execute(db);
  await sql`update request_count set ends_on = now()`.execute(db);
  expect(await alternate(1, path, { method: 'POST' })).not.toContain(429);
  const { rows } = await sql<{ count: number }>`select count from request_count`.execute(db);
  expect(rows).toEqual([{ count: 1 }]);
});

test('they count the attempts of one network together, and respond with the time to wait', async () => {
  const path = `/api/auth/validate-sso-token/${randomUUID()}`;
  const { db } = first.platform;
  const statuses = await alternate(1, path, { method: 'POST' });
  const { rows } = await sql<{
    seconds: number;
  }>`select extract(epoch from max(ends_on) - now())::float as seconds from request_count`.execute(
    db,
  );
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
  // on a busy machine, the requests take longer than a minute
  await sql`update request_count set ends_on = now() + interval '1 hour'`.execute(db);
  statuses.push(...(await alternate(120, path, { method: 'POST' })));
  expect(statuses.slice(0, 120)).not.toContain(429);
  expect(statuses[120]).toBe(429);
  await sql`update request_count set ends_on = now() + interval '1 minute'`.execute(db);
  // the second portal has refused the last one, and remembers until when
  const refused = await fetch(`${first.url}${path}`, { method: 'POST' });
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('a request is served if it cannot be counted', async () => {
  const { db } = first.platform;
  await sql`alter table request_count rename to gone`.execute(db);
  try {
    const answer = await fetch(`${first.url}/sso/start`, { redirect: 'manual' });
    expect(answer.status).toBe(302);
  } finally {
    await sql`alter table gone rename to request_count`.execute(db);
  }
});

test('an operation that was started at one appears on a stream of the other', async () => {
  const received: string[] = [];
  await annaThere.listen(({ name, record }) => received.push(`${name} ${JSON.stringify(record)}`));
  const { guid } = started(await uploadRead(anna, read));
  await anna.follow({ guid });
  await vi.waitFor(() => {
    const own = received.filter((line) => line.startsWith('operation ') && line.includes(guid));
    expect(own.at(-1)).toContain('"isCompleted":true');
  }, 60_000);
});

test('a file is downloaded from one with an address that the other made', async () => {
  const result: DecodeResult = await decode(anna, read);
  const address = new URL(result.decodedFileURL ?? '', first.url);
  const there = await fetch(new URL(address.pathname + address.search, second.url));
  expect([there.status, (await there.bytes()).length]).toEqual([200, 4096]);
});

test('a user who signs out at one is signed out at the other immediately', async () => {
  const ben = await first.signIn('anna@demo.test');
  const there = elsewhere(ben.sessionId);
  expect((await there.get('/api/operations')).status).toBe(200);
  await ben.post(`/api/auth/session/${encodeURIComponent(ben.sessionId)}/logout`);
  expect((await there.get('/api/operations')).status).not.toBe(200);
});

test('a client application that is revoked is refused by both immediately', async () => {
  const { guid, client } = await first.addClient({ name: 'Revoked' });
  const there = elsewhere(client.sessionId, accessTokenHeader);
  expect((await there.get('/api/operations')).status).toBe(200);
  await revokeClient(first.platform, null, guid);
  expect((await there.get('/api/operations')).status).toBe(401);
  expect((await client.get('/api/operations')).status).toBe(401);
});

test('both refuse new work during maintenance', async () => {
  const { db } = first.platform;
  await setMaintenance(db, true);
  const refused = [await uploadRead(anna, read), await uploadRead(annaThere, read)];
  await setMaintenance(db, false);
  expect(refused.map(({ status }) => status)).toEqual([503, 503]);
});

test('they share an organisation’s operations at once', async () => {
  await first.stopWorker();
  try {
    const answers = await Promise.all(
      [anna, annaThere, anna, annaThere].map((client) => uploadRead(client, read)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202).length).toBe(3);
    expect(statuses.filter((status) => status === 429).length).toBe(1);
  } finally {
    await first.startWorker();
  }
});
