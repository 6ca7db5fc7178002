/** Jobs that the retention deletes soon: who is told which they are, and keeping all or some of them. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import type { ExpiringJobs } from '@recodery/contract/features/jobs/kept-jobs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { deleteExpiredSlots } from '../../src/upkeep/delete-expired-slots.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
let stranger: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_RETENTION_DAYS: '30' });
  [anna, stranger] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('luca@demo.test'),
  ]);
});
afterAll(() => portal.stop());

/** Decodes a file `days` days ago. */
async function decodeBefore(name: string, days: number): Promise<string> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID: slot } = await decode(
    anna,
    sealImage(slave, 9000, new Uint8Array(4096).fill(days)),
    name,
  );
  await sql`update slot set created_on = now() - make_interval(days => ${days}) where guid = ${slot}`.execute(
    portal.platform.db,
  );
  return slot;
}

async function expiring(client: Client): Promise<ExpiringJobs> {
  const answer = await client.get('/api/expiring-jobs');
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as ExpiringJobs;
}

const namesOf = async (query: string) =>
  ((await anna.get(`/api/jobs?${query}`)).json as JobSummary[]).map(({ fileName }) => fileName);

const daysUntil = (time: string | null | undefined) =>
  Math.round((Date.parse(time ?? '') - Date.now()) / 86_400_000);

// promise j1.keep.warning
test('the organisation is told which jobs are deleted within a week, and keeps all of them', async () => {
  expect(await expiring(anna)).toEqual({ jobs: 0, firstOn: null, lastOn: null, first: [] });
  await decodeBefore('new.bin', 22);
  const kept = await decodeBefore('kept.bin', 28);
  await anna.put(`/api/jobs/${kept}/keep`, { isKept: true });
  for (const [name, days] of [
    ['six.bin', 24],
    ['one.bin', 29],
    ['two.bin', 28],
    ['four.bin', 26],
  ] as const)
    await decodeBefore(name, days);
  const warning = await expiring(anna);
  expect(warning.jobs).toBe(4);
  expect(warning.first.map(({ fileName }) => fileName)).toEqual(['one.bin', 'two.bin', 'four.bin']);
  expect([warning.firstOn, warning.lastOn].map(daysUntil)).toEqual([1, 6]);
  expect(await namesOf('expiring=true')).toEqual(['six.bin', 'four.bin', 'two.bin', 'one.bin']);
  expect((await anna.get('/api/jobs-count?expiring=true')).json).toEqual({
    jobs: 4,
    hasMore: false,
  });
  const [listed] = (await anna.get('/api/jobs?search=six')).json as JobSummary[];
  expect(listed?.expiresOn).toBe(warning.lastOn);
  expect((await expiring(stranger)).jobs).toBe(0);

  const until = warning.lastOn ?? '';
  expect((await stranger.post('/api/kept-jobs', { expiringUntil: until })).json).toEqual({
    jobs: 0,
  });
  expect((await anna.post('/api/kept-jobs', { expiringUntil: until })).json).toEqual({ jobs: 4 });
  expect((await expiring(anna)).jobs).toBe(0);
  expect((await namesOf('kept=true')).length).toBe(5);
  expect(
    (await anna.post('/api/kept-jobs', { expiringUntil: '0000-01-01T00:00:00Z' })).status,
  ).toBe(400);
});

// promise j1.keep.several
test('several jobs are kept at once; deleted ones and those of others are left out', async () => {
  const one = await decodeBefore('first.bin', 29);
  const two = await decodeBefore('second.bin', 29);
  const gone = await decodeBefore('gone.bin', 29);
  expect((await anna.delete(`/api/jobs/${gone}`)).status).toBe(204);
  const keep = async (client: Client, slotGUIDs: readonly string[]) => {
    const { status, json } = await client.post('/api/kept-jobs', { slotGUIDs });
    return [status, (json as { jobs: number } | null)?.jobs];
  };
  expect(await keep(stranger, [one, two])).toEqual([404, undefined]);
  expect(await keep(anna, [gone])).toEqual([404, undefined]);
  expect((await expiring(anna)).jobs).toBe(2);
  expect(await keep(anna, [one, two, gone])).toEqual([200, 2]);
  expect(await keep(anna, [one, newGuid()])).toEqual([200, 1]);
  expect((await expiring(anna)).jobs).toBe(0);
  // a year later
  const { db } = portal.platform;
  await sql`update slot set created_on = created_on - interval '365 days'`.execute(db);
  await deleteExpiredSlots(db, 30, 100);
  const names = await namesOf('');
  expect(names).toContain('first.bin');
  expect(names).toContain('four.bin');
  expect(names).not.toContain('new.bin');
});
