/** What operators see first: the numbers of the installation, and its health. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Health, Overview } from '@recodery/contract/admin/overview';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../../src/config/guids.ts';
import { saveConnection } from '../../../src/engine-connections/engine-connections.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

const readOverview = async () => (await olga.get('/api/admin/overview')).json as Overview;
const readHealth = async () => (await olga.get('/api/admin/health')).json as Health;

async function insertOperation(status: string): Promise<void> {
  const guid = newGuid();
  const { db } = portal.platform;
  await sql`
    insert into slot (guid, organisation_guid, family, workflow, group_code, read_file_name)
    select ${guid}, guid, 'kess3', 'kess3', 'G-10', 'read' from organisation where customer_code = 'CC-1001'`.execute(
    db,
  );
  await sql`
    insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, status)
    select ${newGuid()}, organisation_guid, family, workflow, 'KESS3Decode', guid, '{}', ${status}
    from slot where guid = ${guid}`.execute(db);
}

// promise d3.care.overview
test('counts the operations of the last 24 hours by hour and result, and those that wait or run', async () => {
  const before = await readOverview();
  expect(before.operations.hours).toHaveLength(24);
  for (const status of ['succeeded', 'failed', 'failed', 'waiting']) await insertOperation(status);
  const { operations, portals, version, storage } = await readOverview();
  const sumOf = ({ operations: { hours } }: Pick<Overview, 'operations'>) => [
    hours.reduce((sum, { succeeded }) => sum + succeeded, 0),
    hours.reduce((sum, { failed }) => sum + failed, 0),
  ];
  const [succeeded = 0, failed = 0] = sumOf(before);
  expect(sumOf({ operations })).toEqual([succeeded + 1, failed + 2]);
  expect(operations.waiting).toBe(before.operations.waiting + 1);
  const times = operations.hours.map(({ from }) => Date.parse(from));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(portals).toBe(1);
  expect(version).toBe(portal.platform.config.version);
  expect(storage.disks[0]?.total).toBeGreaterThan(0);
});

async function insertFailedEmail(hours: number, created: number, error: string): Promise<void> {
  const time = (Date.now() - created * 3_600_000).toString(16).padStart(12, '0');
  const guid = `${time.slice(0, 8)}-${time.slice(8)}${newGuid().slice(13)}`;
  await sql`
    insert into account_mail (guid, kind, email, culture, status, due_on, created_on, expires_on, last_error)
    values (${guid}, 'password', 'x@shop.test', 'en-US', 'failed', now() - make_interval(hours => ${hours}),
      now() - make_interval(hours => ${created}), now(), ${error})`.execute(portal.platform.db);
}

test('shows the last error of emails only if it is not older than 24 hours', async () => {
  await insertFailedEmail(25, 26, 'an old error');
  expect((await readOverview()).email).toMatchObject({ failed: 0, lastError: null });
  // it was retried for a day
  await insertFailedEmail(1, 25, 'given up');
  expect((await readOverview()).email).toMatchObject({ failed: 1, lastError: 'given up' });
});

test('checks what doctor checks, once for requests at the same time', async () => {
  const [one, other] = await Promise.all([readHealth(), readHealth()]);
  expect(one).toEqual(other);
  const found = new Map(one.findings.map(({ what, state }) => [what, state]));
  expect(found.get('database')).toBe('ok');
  expect(found.get('secret')).toBe('ok');
  expect([...found.keys()]).toEqual(
    expect.arrayContaining(['configuration', 'disk', 'storage', 'backup', 'mail']),
  );
});

test('responds with what is wrong if the secret does not match', async () => {
  const other = await startTestPortal({}, false);
  const { config, db, secrets } = other.platform;
  const admin = await other.signIn('olga@demo.test');
  const connection = { name: 'acme', kind: 'bflash', url: 'https://vendor.test' } as const;
  await saveConnection({ db, secrets }, { ...connection, clientGuid: null }, 'token');
  await writeFile(join(config.dataDir, 'secret'), 'another one altogether');
  const { status, json } = await admin.get('/api/admin/health');
  expect(status).toBe(200);
  const wrong = (json as Health).findings.filter(({ state }) => state === 'wrong');
  expect(wrong.map(({ what }) => what)).toEqual(['secret', 'engines']);
  await other.stop();
});
