/** Connections keep the plans of frequent statements, and a newer version can change their tables meanwhile. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, sealImage } from './families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

async function runCycle(): Promise<void> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, randomBytes(4096)));
  await encode(anna, { kessv2FileSlotGUID: kessv2SlotGUID }, 'reencode-decoded-file');
}

test('decodes and encodes continue after columns have been added to all tables', async () => {
  // each of the connections that the next cycle can use has plans
  for (let round = 0; round < 3; round += 1) await runCycle();
  const { db } = portal.platform;
  // at once, so that each uses another connection
  const kept = await Promise.all(
    Array.from({ length: 5 }, () => sql`select from pg_prepared_statements`.execute(db)),
  );
  expect(kept.flatMap(({ rows }) => rows)).not.toEqual([]);
  const tables = await db.introspection.getTables();
  for (const { name, isView } of tables) {
    if (!isView)
      await sql`alter table ${sql.table(name)} add column of_next_version text`.execute(db);
  }
  const attempts = () => db.selectFrom('operation').select(['attempt', 'status']).execute();
  await runCycle();
  expect(await attempts()).toEqual(
    Array.from({ length: 8 }, () => ({ attempt: 1, status: 'succeeded' })),
  );
});
