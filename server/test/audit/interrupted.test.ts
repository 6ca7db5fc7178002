/** A call's entry in the audit trail is there before the call changes anything: a lost database cannot separate them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendWaiting } from '../../src/audit/audit.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const action = 'jobs.putStorageSettings';
const change = (retentionDays: number) => anna.put('/api/storage-settings', { retentionDays });

async function listOutcomes(): Promise<readonly unknown[]> {
  const { db } = portal.platform;
  while ((await appendWaiting(db)) > 0);
  const found: unknown[] = [];
  for await (const { entry } of listAudit(db, { action }))
    found.push([entry.actor.name, entry.object, entry.outcome]);
  return found;
}

/** Has the database refuse to complete entries, as if it had been lost after the change. */
async function losing<T>(work: () => Promise<T>): Promise<T> {
  const { db } = portal.platform;
  await sql`create function lose() returns trigger language plpgsql as $$
    begin raise exception using errcode = '57P01'; end $$`.execute(db);
  await sql`create trigger lose before update on audit_waiting execute function lose()`.execute(db);
  return work().finally(() => sql`drop function lose cascade`.execute(db));
}

test('a change is in the audit trail although the database is lost right after it', async () => {
  const own = ['anna@demo.test', { fields: ['retentionDays'] }];
  expect((await change(91)).status).toBe(200);
  expect(await listOutcomes()).toEqual([[...own, 'done']]);

  await losing(() => change(92));
  // it could still be completed
  expect(await listOutcomes()).toHaveLength(1);
  await sql`update audit_waiting set announced_until = now() - interval '1 second'`.execute(
    portal.platform.db,
  );
  expect(await listOutcomes()).toEqual([
    [...own, 'done'],
    [...own, 'interrupted'],
  ]);

  // a refused change leaves only its own entry
  expect((await change(1)).status).toBe(400);
  expect((await listOutcomes()).at(-1)).toMatchObject({ 2: 'BAD_REQUEST' });
  const { rows } = await sql`select from audit_waiting`.execute(portal.platform.db);
  expect(rows).toEqual([]);
});
