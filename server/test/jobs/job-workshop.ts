/** A workshop that looks at its jobs: the shared steps of their tests. */
import { createHash } from 'node:crypto';
import { type Job, type JobSummary } from '@recodery/contract/features/jobs/jobs';
import { afterAll, expect } from 'vitest';
import { sql } from 'kysely';
import { sweep } from '../../src/upkeep/sweep.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Client } from '../fixtures/client.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';

export const image = new Uint8Array(4096).fill(7);

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function startJobs() {
  const portal = await startTestPortal({ RECODERY_RETENTION_DAYS: '30' });
  afterAll(() => portal.stop());
  const [anna, stranger] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('luca@demo.test'),
  ]);
  async function decodeWith(information: Readonly<Record<string, string>>, name: string) {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, image, { information });
    return { ...(await decode(anna, read, name)), read };
  }
  async function ask<T>(client: Client, path: string): Promise<T> {
    const answer = await client.get(path);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.json as T;
  }
  const jobOf = (slot: string) => ask<Job>(anna, `/api/jobs/${slot}`);
  const find = async (query: string, client = anna) =>
    (await ask<JobSummary[]>(client, `/api/jobs?${query}`)).map(({ fileName }) => fileName);
  async function sweepNow() {
    const { db, log, config } = portal.platform;
    const { storage } = await openStorage(config);
    const retentionBounds = { least: 10, most: 3650 };
    return sweep({ db, log, storage, retentionDays: 30, retentionBounds, auditDays: 400 });
  }
  async function age(slot: string, days: number): Promise<void> {
    const { db } = portal.platform;
    const by = sql`make_interval(days => ${days})`;
    await sql`update slot set created_on = created_on - ${by} where guid = ${slot}`.execute(db);
    await sql`update stored_file set created_on = created_on - ${by}, expires_on = expires_on - ${by}
    where slot_guid = ${slot}`.execute(db);
  }
  return { portal, anna, stranger, decodeWith, ask, jobOf, find, sweepNow, age };
}
