/** Many slave devices from one list: each faulty line is named, and all or none are added. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDirectory, exportDirectory } from '../../../src/organisations/directory/directory.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

const path = '/api/admin/slaves/many';

async function send(list: readonly string[], more: object = {}) {
  const body = {
    ...{ family: 'kess3', masterSerial: 'KS3-M-0001', owner: null, isTrial: false },
    ...{ list, ...more },
  };
  const { status, json } = await olga.post(path, body);
  return { status, json };
}

async function total(search: string): Promise<number> {
  const { json } = await olga.get(`/api/admin/slaves?search=${search}`);
  return (json as { total: number }).total;
}

test('names each line that is wrong, and adds none of the list', async () => {
  const lines = [
    'KS3-000042',
    'MANY-1',
    '',
    'MANY-1',
    `MANY-${'9'.repeat(40)}`,
    'MANY-2; CC-0',
    ';CC-9001',
    'MANY-3,CC-9001',
    'Serial number',
    'MANY-4;CC-9001;2026',
    '9'.repeat(1500),
  ];
  for (const isTrial of [true, false])
    expect(await send(lines, { isTrial })).toMatchObject({
      status: 200,
      json: {
        added: 0,
        lines: [
          { line: 1, error: { field: 'serial', code: 'TAKEN' } },
          { line: 2, serial: 'MANY-1', error: null },
          { line: 4, error: { field: 'serial', code: 'TAKEN' } },
          { line: 5, error: { field: 'serial', code: 'TOO_LONG' } },
          { line: 6, serial: 'MANY-2', owner: 'CC-0', error: { field: 'owner', code: 'UNKNOWN' } },
          { line: 7, error: { field: 'serial', code: 'REQUIRED' } },
          { line: 8, error: { field: 'serial', code: 'INVALID' } },
          { line: 9, error: { field: 'serial', code: 'INVALID' } },
          { line: 10, error: { field: 'serial', code: 'INVALID' } },
          { line: 11, error: { field: 'serial', code: 'TOO_LONG' } },
        ],
      },
    });
  expect(await total('MANY-')).toBe(0);
  expect(await send(['MANY-1'], { masterSerial: 'KS3-M-9999' })).toMatchObject({ status: 400 });
  expect((await send(Array(501).fill('MANY-1'))).status).toBe(400);
});

test('adds all of a list with their owners, as one entry of the audit trail', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `MANY-${at}`);
  const first = ['MANY-OWN\tCC-9001', ...lines];
  expect(await send(first, { isTrial: true })).toMatchObject({ status: 200, json: { added: 0 } });
  expect(await total('MANY-')).toBe(0);
  const done = await send(first, { owner: 'CC-1001' });
  expect(done).toMatchObject({ status: 200, json: { added: 301 } });
  expect(await total('MANY-')).toBe(301);
  const state = await exportDirectory(portal.platform.db);
  expect(JSON.stringify(state)).toContain(
    '{"serial":"MANY-OWN","owner":"CC-9001","revoked":false}',
  );
  expect(JSON.stringify(state)).toContain('{"serial":"MANY-7","owner":"CC-1001","revoked":false}');
  expect(await applyDirectory(portal.platform, state)).toEqual({ changes: [] });
  const { rows } = await sql<{ object: object }>`
    select entry::jsonb -> 'object' as object
    from (select entry from audit_waiting union all select entry from audit_entry) as one
    where entry::jsonb ->> 'action' = 'manySlaves.addSlaves' and entry::jsonb #>> '{object,count}' = '301'`.execute(
    portal.platform.db,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).toContain(
    '{"owner": "CC-9001", "serial": "MANY-OWN"}'.replaceAll(' ', ''),
  );
  // the same list again: each is there already
  expect(await send(first)).toMatchObject({ json: { added: 0 } });
});
