/** Backups over HTTP: made on request and by the schedule, verified, kept, downloaded and removed. */
import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { claimRun, endRun, insertRun, noteRun } from '../../../src/backup/backup-runs.ts';
import { checkTar, openArchive } from '../../../src/backup/tar.ts';
import { checkLastBackup } from '../../../src/upkeep/last-backup.ts';
import { startTestPortal } from '../../fixtures/running-portal.ts';
import { startBackups, patient, path, problem, schedulePath } from './backup-workshop.ts';

const {
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
} = await startBackups();

// promise d3.care.backup-page
test('makes a requested backup in the background, reads it again, and records who wanted it', async () => {
  expect(await create()).toMatchObject({ state: 'ok' });
  const [made] = await settled(1);
  expect(made).toMatchObject({
    backupState: 'complete',
    origin: 'page',
    who: 'olga@demo.test',
    keys: 'included',
    verifiedOn: expect.any(String),
  });
  expect(await readdir(folder)).toEqual([made?.fileName]);
  expect(made?.restoreCommand).toContain(`recodery restore ${join(folder, made?.fileName ?? '')}`);
  expect(await auditOf('backup')).toEqual([
    expect.objectContaining({
      actor: { kind: 'user', name: 'olga@demo.test' },
      object: { file: made?.fileName, missing: 0, damaged: 0 },
      outcome: 'done',
    }),
  ]);
  const { db, config } = portal.platform;
  expect(await checkLastBackup(db, config)).toMatchObject([
    'ok',
    expect.stringContaining('day old'),
  ]);
});

// promise d3.care.backup-download
test('streams a backup to operators only, and records the download', async () => {
  const [made] = await list();
  const file = `${path}/${made?.guid}/file`;
  const { status, headers, bytes } = await olga.get(file);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain(made?.fileName);
  expect(Number(headers.get('content-length'))).toBe(bytes.byteLength);
  const copy = join(folder, 'copy');
  await writeFile(copy, bytes);
  const opened = await openArchive(copy);
  await checkTar(opened, copy);
  await opened.close();
  await rm(copy);
  // recorded once the handler has ended, while the file is still sent
  await expect
    .poll(() => auditOf('adminBackups.download'), patient)
    .toEqual([
      expect.objectContaining({
        outcome: 'done',
        object: expect.objectContaining({ file: made?.fileName }),
      }),
    ]);
  await confirm('null');
  expect(await olga.get(file)).toMatchObject({ status: 403, text: 'CONFIRM_ACCOUNT' });
  expect((await olga.call('DELETE', `${path}/${made?.guid}`)).text).toBe('CONFIRM_ACCOUNT');
  await confirm('now()');
  const anna = await portal.signIn('anna@demo.test');
  expect((await anna.get(file)).status).toBe(403);
});

// promise d3.care.backup-unverified
test('calls a file that no one has read again unverified, and a changed one broken', async () => {
  const [made] = await list();
  await writeFile(join(folder, 'by-hand.tar'), 'no backup');
  const found = (await list()).find(({ fileName }) => fileName === 'by-hand.tar');
  expect(found).toMatchObject({ backupState: 'unverified', origin: 'other', keys: null });
  const verify = (guid?: string) => olga.post(`${path}/${guid}/verify`);
  expect((await verify(found?.guid)).status).toBe(200);
  await truncate(join(folder, made?.fileName ?? ''), 4096);
  await settled(2);
  expect((await verify(made?.guid)).status).toBe(200);
  const states = (await settled(2)).map(({ fileName, backupState }) => [fileName, backupState]);
  expect(Object.fromEntries(states)).toEqual({
    'by-hand.tar': 'broken',
    [made?.fileName ?? '']: 'broken',
  });
  const { db, config } = portal.platform;
  expect(await checkLastBackup(db, config)).toMatchObject([
    'wrong',
    expect.stringContaining('failed'),
  ]);
  for (const { guid } of await list())
    expect((await olga.delete(`${path}/${guid}`)).status).toBe(204);
  expect(await readdir(folder)).toEqual([]);
  expect((await verify(found?.guid)).status).toBe(404);
});

// promise d3.care.backup-schedule
test('makes up for a missed time of the schedule once, and removes only its own oldest backups', async () => {
  await writeFile(join(folder, 'by-hand.tar'), 'not made by a portal');
  expect(await create()).toMatchObject({ state: 'ok' });
  const [first] = await settled(2);
  expect(await saveSchedule({ hour: '03:00', kept: 1 })).toBe(200);
  expect((await list()).filter(({ leaving }) => leaving)).toMatchObject([{ guid: first?.guid }]);
  await missATime();
  await expect
    .poll(
      async () =>
        (await list()).map(({ origin, backupState }) => `${origin} ${backupState}`).sort(),
      patient,
    )
    .toEqual(['other unverified', 'schedule complete']);
  expect(await auditOf('backup remove')).toEqual([
    expect.objectContaining({ actor: { kind: 'worker' }, object: { file: first?.fileName } }),
  ]);
  const { rows } =
    await sql`select from backup_schedule where last_due > now() - interval '1 day'`.execute(
      portal.platform.db,
    );
  expect(rows).toHaveLength(1);
  expect(await saveSchedule({ hour: null, kept: null })).toBe(200);
});

// promise d3.care.backup-unverified
test('calls a backup unverified if it could not be read again because of its folder, and verifies it later', async () => {
  const { db, config } = portal.platform;
  const made = (await list()).find(({ backupState }) => backupState === 'complete');
  const { guid, fileName } = made ?? { guid: '', fileName: '' };
  await rename(folder, `${folder}.away`);
  await sql`update backup_run set status = 'verifying' where file_name = ${fileName}`.execute(db);
  await settled(1);
  await rename(`${folder}.away`, folder);
  expect((await list()).find((one) => one.guid === guid)).toMatchObject({
    backupState: 'unverified',
    error: expect.stringContaining('does not exist'),
  });
  expect(await checkLastBackup(db, config)).toMatchObject([
    'warning',
    expect.stringContaining('could not be verified'),
  ]);
  expect((await olga.get(`${path}/${guid}/file`)).status).toBe(200);
  expect((await olga.post(`${path}/${guid}/verify`)).status).toBe(200);
  await expect
    .poll(async () => (await list()).find((one) => one.guid === guid), patient)
    .toMatchObject({ backupState: 'complete', error: null });
});

// promise d3.care.backup-schedule
test('counts only backups whose files exist, and keeps the newest that contains every file', async () => {
  const { db, config } = portal.platform;
  expect(await saveSchedule({ hour: null, kept: null })).toBe(200);
  const first = await make();
  const second = await make();
  for (const name of await namesIn()) if (name !== first.fileName) await rm(join(folder, name));
  expect(await saveSchedule({ hour: null, kept: 2 })).toBe(200);
  const third = await make();
  expect(await namesIn()).toEqual([first.fileName, third.fileName].sort());
  expect((await list()).find(({ guid }) => guid === second.guid)?.backupState).toBe('gone');

  const lossy = await fileRow();
  try {
    const [fourth, fifth] = [await make(), await make()];
    expect(fifth).toMatchObject({ backupState: 'lossy', missing: 1, damaged: 0 });
    expect(await namesIn()).toEqual([third, fourth, fifth].map(({ fileName }) => fileName).sort());
    expect(await auditOf('backup')).toContainEqual(
      expect.objectContaining({ object: { file: fifth.fileName, missing: 1, damaged: 0 } }),
    );
    expect(await checkLastBackup(db, config)).toMatchObject([
      'warning',
      expect.stringContaining('one file was missing or damaged'),
    ]);
  } finally {
    await sql`delete from original where storage_key = ${lossy}`.execute(db);
  }
  expect(await saveSchedule({ hour: null, kept: null })).toBe(200);
});

// promise d3.care.backup-schedule
test('a lower number of kept backups is confirmed with the number of files that it removes', async () => {
  expect(await saveSchedule({ hour: null, kept: null })).toBe(200);
  await make();
  const asked = await putSchedule({ kept: 1 }, '');
  const leaving = async () => (await list()).filter((one) => one.leaving);
  expect(await leaving()).toEqual([]);
  // another number than the one that was shown is asked about again
  for (const confirmed of ['true', '1000'])
    expect((await putSchedule({ kept: 1 }, `?confirm=${confirmed}`)).text).toContain(
      'REMOVES_NOT_CONFIRMED',
    );
  expect(await leaving()).toEqual([]);
  expect(await saveSchedule({ kept: 1 })).toBe(200);
  const files = (await leaving()).filter(({ sizeBytes }) => sizeBytes !== null).length;
  expect(files).toBeGreaterThan(0);
  const details = { fields: { kept: 'REMOVES_NOT_CONFIRMED' }, facts: { files: String(files) } };
  expect([asked.status, JSON.parse(asked.text)]).toMatchObject([400, { details }]);
  // unknown while the folder cannot be read: it can be back before the next backup
  expect(await saveSchedule({ kept: null })).toBe(200);
  await rename(folder, `${folder}.away`);
  const blind = await putSchedule({ kept: 1 }, '');
  await rename(`${folder}.away`, folder);
  const unknown = { fields: { kept: 'NO_FOLDER' } };
  expect([blind.status, JSON.parse(blind.text)]).toMatchObject([400, { details: unknown }]);
  expect(await saveSchedule({ kept: 1 })).toBe(200);
  // nothing more is removed
  for (const kept of [1, 2, null]) expect((await putSchedule({ kept }, '')).status).toBe(200);
});

// promise d3.care.backup-page
test('forgets backups without a file after 90 days, once another one has ended', async () => {
  const { db } = portal.platform;
  for (const [name, status, days] of [
    ['old.tar', 'complete', 91],
    ['old-failed.tar', 'failed', 91],
    ['recent.tar', 'complete', 89],
  ] as const)
    await sql`insert into backup_run (file_name, origin, status, requested_on)
      values (${name}, 'schedule', ${status}, now() - make_interval(days => ${days}))`.execute(db);
  const { fileName } = await make();
  await sql`update backup_run set requested_on = now() - interval '91 days'
    where file_name = ${fileName}`.execute(db);
  await make();
  const names = (await list()).map((one) => one.fileName);
  expect(names).toEqual(expect.arrayContaining(['recent.tar', fileName]));
  expect(names).not.toContain('old.tar');
  expect(names).not.toContain('old-failed.tar');
  await sql`delete from backup_run where file_name = 'recent.tar'`.execute(db);
});

// promise d3.care.backup-failure
test('shows why a backup of the schedule has failed, in the list, to doctor and in the audit trail', async () => {
  await rm(folder, { recursive: true });
  const { db, config } = portal.platform;
  expect(await create()).toMatchObject({ state: 'wrong', text: expect.stringContaining(folder) });
  expect(await saveSchedule({ hour: '00:00' })).toBe(200);
  await missATime();
  await expect
    .poll(async () => (await list()).map(({ error }) => error), patient)
    .toContainEqual(expect.stringContaining('does not exist'));
  expect(await auditOf('backup')).toContainEqual(
    expect.objectContaining({ actor: { kind: 'worker' }, outcome: 'failed' }),
  );
  expect(await checkLastBackup(db, config)).toMatchObject([
    'wrong',
    expect.stringContaining(folder),
  ]);
});

// promise d3.care.backup-folder
test('names the setting that is missing, and refuses a schedule without a folder', async () => {
  const other = await startTestPortal({}, false);
  try {
    const client = await other.signIn('olga@demo.test');
    const { text } = await client.post(`${path}/create`);
    expect(text).toContain('RECODERY_BACKUP_DIR');
    // left by a time with a folder: this portal makes no backup, and shows none as the next
    await sql`insert into backup_schedule (hour, kept, changed_on)
      values (3, null, now() - interval '9 days')`.execute(other.platform.db);
    const { json } = await client.get(schedulePath);
    expect(json).toMatchObject({ hour: '03:00', nextOn: null });
    const { revision, folder: named } = json as { revision: string; folder: string | null };
    expect(named).toBeNull();
    const saved = await client.call('PUT', schedulePath, {
      headers: { ...problem, 'if-match': `"${revision}"` },
      body: JSON.stringify({ hour: '04:00' }),
    });
    expect([saved.status, saved.text]).toEqual([400, expect.stringContaining('NO_FOLDER')]);
  } finally {
    await other.stop();
  }
});

// promise d3.care.backup-page
test('lets a portal that has lost a backup to another change nothing any more', async () => {
  // without a folder, so that it makes no backups itself
  const other = await startTestPortal({}, false);
  try {
    const { db } = other.platform;
    await insertRun(db, { fileName: 'taken.tar', origin: 'page', requestedBy: null });
    await claimRun(db, { owner: 'a' });
    expect(await claimRun(db, { owner: 'b' })).toBeNull();
    await sql`update backup_run set lease_until = now() - interval '1 second'`.execute(db);
    expect(await claimRun(db, { owner: 'b' })).toMatchObject({ fileName: 'taken.tar' });
    const taken = { fileName: 'taken.tar', owner: 'a' };
    expect(await noteRun(db, taken, { copied: 1 })).toBe(false);
    expect(await endRun(db, taken, { status: 'failed', isVerified: false })).toBe(false);
    expect(await noteRun(db, { ...taken, owner: 'b' }, { copied: 1 })).toBe(true);
  } finally {
    await other.stop();
  }
});
