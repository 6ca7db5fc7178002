/** What `recodery doctor` knows about backups: how old the last one of `recodery backup` is, from the audit trail. */
import { sql } from 'kysely';
import { findFolderFault } from '../backup/backup-folder.ts';
import { listRuns, readSchedule } from '../backup/backup-runs.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Days after which a backup is too old; typically one is made every night. */
const mostDays = 7;
/** Days for which entries are searched. */
const searchedDays = 35;

/** Why the newest backup that a portal has made cannot be used; null: it can, or there is none. */
async function findFailure(db: Db): Promise<string | null> {
  const runs = await listRuns(db);
  const newest = runs.find(
    ({ status, origin }) =>
      origin !== 'other' && (status === 'complete' || status === 'broken' || status === 'failed'),
  );
  return newest === undefined || newest.status === 'complete' ? null : newest.error;
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
  const failure = await findFailure(db);
  if (failure !== null) return ['wrong', `The last backup has failed: ${failure}`];
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
    return [
      'warning',
      `"recodery backup" has made no backup in the last ${searchedDays} days. Run it every night, or turn on the schedule in the browser, unless other tools back up the database and the files.`,
    ];
  }
  const age = days < 1 ? 'less than a day' : days === 1 ? 'one day' : `${days} days`;
  return days > mostDays
    ? ['warning', `The last backup is ${age} old. Run "recodery backup" every night.`]
    : ['ok', `The last backup is ${age} old.`];
}
