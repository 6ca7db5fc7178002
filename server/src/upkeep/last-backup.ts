/** What `recodery doctor` knows about backups: how old the last one of `recodery backup` is, from the audit trail. */
import { sql } from 'kysely';
import { findFolderFault } from '../backup/backup-folder.ts';
import { type BackupRun, listRuns, readSchedule } from '../backup/backup-runs.ts';
import { lossesOf } from '../backup/kept-backups.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Days after which a backup is too old; typically one is made every night. */
const mostDays = 7;
/** Days for which entries are searched. */
const searchedDays = 35;

/** What is wrong with a backup; null: nothing. */
function describeFault(run: BackupRun): readonly ['warning' | 'wrong', string] | null {
  const { status, error, fileName, verifiedOn } = run;
  if (status !== 'complete') return ['wrong', `The last backup has failed: ${error ?? ''}`];
  if (error !== null && verifiedOn !== null) return ['warning', error];
  if (error !== null)
    return ['warning', `The last backup, ${fileName}, could not be verified: ${error}`];
  const losses = lossesOf(run);
  if (losses === 0) return null;
  const files = losses === 1 ? 'one file was' : `${losses} files were`;
  return [
    'warning',
    `In the last backup, ${fileName}, ${files} missing or damaged. Run "recodery doctor --deep" to list them.`,
  ];
}

/** What is wrong with the newest backup that a portal has made; null: nothing, or there is none. */
async function findFault(db: Db): Promise<readonly ['warning' | 'wrong', string] | null> {
  const newest = (await listRuns(db)).find(
    ({ status, origin }) =>
      origin !== 'other' && (status === 'complete' || status === 'broken' || status === 'failed'),
  );
  return newest === undefined ? null : describeFault(newest);
}

/**
 * Checks the folder for the portal's backups, the newest of these, and the age of the last backup. A restored
 * installation has the backup that it was restored from.
 */
export async function checkLastBackup(
  db: Db,
  { backupDir }: Pick<Config, 'backupDir'>,
): Promise<readonly ['ok' | 'warning' | 'wrong', string]> {
  const { hour } = await readSchedule(db);
  const fault = backupDir === null ? null : await findFolderFault(backupDir);
  if (fault !== null) return ['wrong', fault];
  if (hour !== null && backupDir === null)
    return ['warning', `The backup schedule is on, but this process has no RECODERY_BACKUP_DIR.`];
  const found = await findFault(db);
  if (found !== null) return found;
  const { rows } = await sql<{ days: number | null }>`
    with candidate as materialized (
      select entry from audit_entry
        where recorded_on > now() - make_interval(days => ${searchedDays})
          and entry ~ '"action": "(backup|restore)"'
      union all
      select entry from audit_waiting where entry ~ '"action": "(backup|restore)"'
    ), made as (
      select coalesce(entry::jsonb #>> '{object,takenOn}', entry::jsonb ->> 'on')::timestamptz as on_time
      from candidate
      where entry::jsonb ->> 'action' in ('backup', 'restore') and entry::jsonb ->> 'outcome' = 'done'
    )
    select floor(extract(epoch from now() - max(on_time)) / 86400)::integer as days from made`.execute(
    db,
  );
  const days = rows[0]?.days ?? null;
  if (days === null) {
    if (hour !== null)
      return [
        'warning',
        `The schedule has made no backup in the last ${searchedDays} days. Check that a portal with RECODERY_BACKUP_DIR runs at that time.`,
      ];
    return [
      'warning',
      `"recodery backup" has made no backup in the last ${searchedDays} days. Run it every night, or turn on the schedule in the browser, unless other tools back up the database and the files.`,
    ];
  }
  const age = days < 1 ? 'less than a day' : days === 1 ? 'one day' : `${days} days`;
  const advice =
    hour === null
      ? 'Run "recodery backup" every night, or turn on the schedule in the browser.'
      : 'The schedule is on: check that a portal with RECODERY_BACKUP_DIR runs at that time.';
  return days > mostDays
    ? ['warning', `The last backup is ${age} old. ${advice}`]
    : ['ok', `The last backup is ${age} old.`];
}
