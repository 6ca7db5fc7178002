/** An installation with a folder for backups, and its operator: the shared steps of the tests of backups. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zeroGuid } from '@recodery/contract/api';
import { sql } from 'kysely';
import { afterAll, expect } from 'vitest';
import { startTestPortal } from '../../fixtures/running-portal.ts';

export const path = '/api/admin/backups';
export const problem = { accept: 'application/problem+json', 'content-type': 'application/json' };
export const schedulePath = `/api/admin/backup-schedule/${zeroGuid}`;
export interface Backup {
  readonly guid: string;
  readonly fileName: string;
  readonly backupState: string;
  readonly origin: string;
  readonly who: string | null;
  readonly keys: string | null;
  readonly leaving: boolean;
  readonly error: string | null;
  readonly missing: number | null;
  readonly damaged: number | null;
  readonly restoreCommand: string;
  readonly sizeBytes: number | null;
  readonly verifiedOn: string | null;
}

export const patient = { timeout: 60_000, interval: 600 };

export const busy = ['waiting', 'running', 'verifying'];

export async function startBackups() {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-backups-'));
  const portal = await startTestPortal({ RECODERY_BACKUP_DIR: folder }, false);
  afterAll(async () => {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const olga = await portal.signIn('olga@demo.test');
  /** When all users last entered their password. */
  const confirm = (time: 'now()' | 'null') =>
    sql`update session set confirmed_on = ${sql.raw(time)}`.execute(portal.platform.db);
  await confirm('now()');
  async function list(): Promise<readonly Backup[]> {
    const { json } = await olga.get(path);
    return (json as { items: readonly Backup[] }).items;
  }
  /** Waits until no portal works on a backup. */
  async function settled(count: number): Promise<readonly Backup[]> {
    await expect
      .poll(async () => {
        const all = await list();
        return all.filter(({ backupState }) => !busy.includes(backupState)).length;
      }, patient)
      .toBe(count);
    return list();
  }
  async function create(): Promise<{ state: string; text: string }> {
    const { json } = await olga.post(`${path}/create`);
    return (json as { finding: { state: string; text: string } }).finding;
  }
  async function putSchedule(values: object, query: string) {
    const { json } = await olga.get(schedulePath);
    const { revision } = json as { revision: string };
    return olga.call('PUT', schedulePath + query, {
      headers: { ...problem, 'if-match': `"${revision}"` },
      body: JSON.stringify(values),
    });
  }
  /** Saves the schedule, and confirms what it asks. */
  async function saveSchedule(values: object): Promise<number> {
    const { status, text } = await putSchedule(values, '');
    const { details } = status === 400 ? JSON.parse(text) : {};
    const files = details?.facts?.files;
    if (files === undefined) return status;
    return (await putSchedule(values, `?confirm=${files}`)).status;
  }
  /** Makes a time of the schedule pass while no portal has looked. */
  async function missATime(): Promise<void> {
    await sql`update backup_schedule set changed_on = now() - interval '9 days', last_due = null`.execute(
      portal.platform.db,
    );
  }
  async function auditOf(action: string): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await sql<{ entry: Record<string, unknown> }>`
    select entry::jsonb as entry from (select entry from audit_waiting union all select entry from audit_entry) as one
    where entry::jsonb ->> 'action' = ${action}`.execute(portal.platform.db);
    return rows.map(({ entry }) => entry);
  }
  /** Makes a backup and waits until a portal has ended it. */
  async function make(): Promise<Backup> {
    const before = new Set((await list()).map(({ guid }) => guid));
    // one that is complete can still be removing older ones
    await expect.poll(create, patient).toMatchObject({ state: 'ok' });
    const added = async () =>
      (await list()).find(
        ({ guid, backupState }) => !before.has(guid) && !busy.includes(backupState),
      );
    await expect.poll(added, patient).toBeDefined();
    const made = await added();
    if (made === undefined) throw new Error('the backup has disappeared');
    return made;
  }
  /** Adds the row of a file that is not in the storage; returns its key. */
  async function fileRow(): Promise<string> {
    const key = 'originals/not-in-the-storage';
    await sql`
    insert into original (guid, protocol_id, hardware, software, name, size, sha256, storage_key)
    values (gen_random_uuid(), 1, 'hw', 'sw', 'lost.bin', 1, ${'0'.repeat(64)}, ${key})`.execute(
      portal.platform.db,
    );
    return key;
  }
  const namesIn = async () =>
    (await readdir(folder)).filter((name) => name !== 'by-hand.tar').sort();
  return {
    folder,
    portal,
    olga,
    confirm,
    list,
    settled,
    create,
    putSchedule,
    saveSchedule,
    missATime,
    auditOf,
    make,
    fileRow,
    namesIn,
  };
}
