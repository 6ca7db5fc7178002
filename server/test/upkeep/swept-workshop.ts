/** A workshop whose expired data is deleted when a test calls for it: the shared steps of the tests of the sweep. */
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { sweep, type SweepDependencies } from '../../src/upkeep/sweep.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';

export const nothing = {
  trays: 0,
  slots: 0,
  files: 0,
  misfits: 0,
  bytes: 0,
  rows: 0,
  notifications: 0,
  strays: 0,
  tokens: 0,
  keys: 0,
  webhookAttempts: 0,
  auditEntries: 0,
  accountEmails: 0,
};

export async function startSwept() {
  const portal = await startTestPortal({ RECODERY_RETENTION_DAYS: '30' });
  afterAll(() => portal.stop());
  const anna = await portal.signIn('anna@demo.test');
  const store = await openStorage(portal.platform.config);
  const dependencies = (days = 30): SweepDependencies => ({
    db: portal.platform.db,
    storage: store.storage,
    log: portal.platform.log,
    retentionDays: days,
    retentionBounds: { least: 10, most: 3650 },
    auditDays: 400,
  });
  const sweepNow = (days?: number) => sweep(dependencies(days));
  async function decodeOne(name = 'read.k2r') {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const image = new Uint8Array(1024).fill(1);
    return { image, ...(await decode(anna, sealImage(slave, 9000, image), name)) };
  }
  /** Makes a slot and everything that belongs to it older. */
  async function age(slot: string, time: string): Promise<void> {
    const { db } = portal.platform;
    const by = sql`${time}::interval`;
    await sql`update slot set created_on = created_on - ${by} where guid = ${slot}`.execute(db);
    await sql`
    update stored_file set created_on = created_on - ${by}, expires_on = expires_on - ${by}
    where slot_guid = ${slot}`.execute(db);
    await sql`
    update operation set created_on = created_on - ${by}, completed_on = completed_on - ${by}
    where slot_guid = ${slot}`.execute(db);
  }
  async function keysOf(slot: string): Promise<string[]> {
    const rows = await portal.platform.db
      .selectFrom('stored_file')
      .select('storage_key')
      .where('slot_guid', '=', slot)
      .orderBy('guid')
      .execute();
    return rows.map(({ storage_key }) => storage_key);
  }
  /** Which of these keys exist in storage. */
  async function stored(keys: readonly string[]): Promise<string[]> {
    const heads = await Promise.all(keys.map((key) => store.storage.head(key)));
    return keys.filter((_key, index) => heads[index] !== null);
  }
  async function countRows(slot: string) {
    const { db } = portal.platform;
    const { rows } = await sql<{ slots: number; files: number; operations: number }>`
    select (select count(*) from slot where guid = ${slot}) as slots,
      (select count(*) from stored_file where slot_guid = ${slot}) as files,
      (select count(*) from operation where slot_guid = ${slot}) as operations`.execute(db);
    return rows[0];
  }
  return { portal, anna, store, dependencies, sweepNow, decodeOne, age, keysOf, stored, countRows };
}
