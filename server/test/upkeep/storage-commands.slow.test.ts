/** `recodery storage` next to a running portal: its output and its exit codes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { callCommand } from '../fixtures/command.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
});
afterAll(() => portal.stop());

const recodery = (...words: readonly string[]) => callCommand(portal.platform, words);

// promise d3.commands.storage
test('lists what organisations store, requests a scan, and fails if a file is damaged', async () => {
  const listed = await recodery('storage', 'list');
  expect(listed.out).toMatch(/^CC-1001\t.*\t\d+\t\d+\t0$/m);
  const [first] = JSON.parse((await recodery('storage', 'list', '--json')).out);
  expect(first).toMatchObject({ damaged: 0, usedPercent: 0 });
  const scan = await recodery('storage', 'scan');
  expect(scan).toMatchObject({ code: 0, complaint: '' });
  expect(scan.out).toMatch(/^A worker starts the scan within ten minutes/);

  const key = `originals/${newGuid()}`;
  const { db } = portal.platform;
  await sql`
    insert into original (guid, protocol_id, hardware, software, name, size, sha256, storage_key)
    values (${newGuid()}, 1, 'HW', 'SW', 'lost.bin', 4, ${'0'.repeat(64)}, ${key})`.execute(db);
  await sql`insert into damaged_file (storage_key, damage) values (${key}, 'missing')`.execute(db);
  const result = await recodery('storage', 'result');
  expect([result.code, result.out]).toEqual([1, '']);
  expect(result.complaint).toContain(`Damaged files: 1: ${key} (missing)`);
});
