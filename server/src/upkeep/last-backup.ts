/** What `recodery doctor` knows about backups: how old the last one of `recodery backup` is, from the audit trail. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';

/** Days after which a backup is too old; typically one is made every night. */
const mostDays = 7;
/** Days for which entries are searched. */
const searchedDays = 35;

/** Checks the age of the last backup. A restored installation has the backup that it was restored from. */
export async function checkLastBackup(db: Db): Promise<readonly ['ok' | 'warning', string]> {
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
      `"recodery backup" has made no backup in the last ${searchedDays} days. Run it every night, unless other tools back up the database and the files.`,
    ];
  }
  const age = days < 1 ? 'less than a day' : days === 1 ? 'one day' : `${days} days`;
  return days > mostDays
    ? ['warning', `The last backup is ${age} old. Run "recodery backup" every night.`]
    : ['ok', `The last backup is ${age} old.`];
}
