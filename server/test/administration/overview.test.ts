/** What operators see first: the numbers of the installation, and its health. */
import type { Health, Overview } from '@recodery/contract/admin/overview';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

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
