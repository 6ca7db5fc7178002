/** Owns the tables backup_run and backup_schedule: the backups that portals make, and when they make them. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';

/** What becomes of a backup. `complete`: it was read again after it was written. */
export type RunStatus = 'waiting' | 'running' | 'verifying' | 'complete' | 'broken' | 'failed';

/** A backup that a portal makes or has verified. */
export interface BackupRun {
  readonly fileName: string;
  /** `other`: another program has put the file into the folder. */
  readonly origin: 'page' | 'schedule' | 'other';
  /** The email address of the operator who requested it. */
  readonly requestedBy: string | null;
  readonly requestedOn: Date;
  readonly status: RunStatus;
  /** Files that were copied so far, and all. */
  readonly copied: number;
  readonly files: number;
  /** Files that were missing or had changed in the storage; null: not known. */
  readonly missing: number | null;
  readonly damaged: number | null;
  /** Whether it contains the installation secret; null: not known. */
  readonly hasSecret: boolean | null;
  readonly verifiedOn: Date | null;
  readonly error: string | null;
}

/** When backups are made, and how many are kept. */
export interface BackupSchedule {
  /** The hour of each day, in UTC; null: off. */
  readonly hour: number | null;
  /** Null: all. */
  readonly kept: number | null;
  /** Null: never. */
  readonly nextOn: Date | null;
}

/** Seconds after which another portal takes over a backup whose portal has disappeared. */
const leaseSeconds = 60;
const renewed = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`;

const columns = sql`file_name as "fileName", origin, requested_by as "requestedBy",
  requested_on as "requestedOn", status, copied, files, missing, damaged,
  has_secret as "hasSecret", verified_on as "verifiedOn", error`;

/** All of them, the newest first. */
export async function listRuns(db: Db): Promise<readonly BackupRun[]> {
  const { rows } = await sql<BackupRun>`
    select ${columns} from backup_run order by requested_on desc, file_name desc`.execute(db);
  return rows;
}

/** A backup to make. */
interface NewRun {
  readonly fileName: string;
  readonly origin: 'page' | 'schedule';
  readonly requestedBy: string | null;
}

/** Requests a backup. Returns false if one is waiting or running. */
export async function insertRun(
  db: Db,
  { fileName, origin, requestedBy }: NewRun,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into backup_run (file_name, origin, requested_by, status)
    values (${fileName}, ${origin}, ${requestedBy}, 'waiting') on conflict do nothing`.execute(db);
  return numAffectedRows > 0n;
}

/** Requests that a portal reads a file again; nothing happens while it does something with it. */
export async function requestVerification(db: Db, fileName: string): Promise<void> {
  await sql`
    insert into backup_run as known (file_name, origin, status) values (${fileName}, 'other', 'verifying')
    on conflict (file_name) do update set status = 'verifying', lease_until = null
    where known.status in ('complete', 'broken')`.execute(db);
}

/** A backup and the portal that works on it. */
interface Lease {
  readonly fileName: string;
  /** Letters, digits and hyphens. */
  readonly owner: string;
}

/** Takes a backup on which no portal works; null: there is none. */
export async function claimRun(db: Db, { owner }: Pick<Lease, 'owner'>): Promise<BackupRun | null> {
  const { rows } = await sql<BackupRun>`
    update backup_run set lease_until = ${renewed}, lease_owner = ${owner},
      status = case status when 'waiting' then 'running' else status end
    where file_name = (
      select file_name from backup_run
      where status in ('waiting', 'running', 'verifying') and coalesce(lease_until < now(), true)
      order by requested_on limit 1 for update skip locked)
    returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** What is known of a backup while a portal works on it, and after that. */
export type RunFacts = Partial<
  Pick<BackupRun, 'status' | 'copied' | 'files' | 'missing' | 'damaged' | 'hasSecret' | 'error'>
>;

/** How the work on a backup has ended. */
export interface RunEnd extends RunFacts {
  readonly status: 'complete' | 'broken' | 'failed';
  /** Whether it was read again. */
  readonly isVerified: boolean;
}

/** Stores facts and renews the lease. Returns false if another portal has the backup now. */
export async function noteRun(
  db: Db,
  { fileName, owner }: Lease,
  facts: RunFacts,
): Promise<boolean> {
  const { hasSecret, ...same } = facts;
  const { numUpdatedRows } = await db
    .updateTable('backup_run')
    .set({
      ...same,
      ...(hasSecret === undefined ? {} : { has_secret: hasSecret }),
      lease_until: renewed,
    })
    .where('file_name', '=', fileName)
    .where('lease_owner', '=', owner)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the work on a backup. Returns false if another portal has it now. */
export async function endRun(
  db: Db,
  lease: Lease,
  { isVerified, ...facts }: RunEnd,
): Promise<boolean> {
  await noteRun(db, lease, facts);
  const { numUpdatedRows } = await db
    .updateTable('backup_run')
    .set({ lease_until: null, verified_on: isVerified ? sql<Date>`now()` : null })
    .where('file_name', '=', lease.fileName)
    .where('lease_owner', '=', lease.owner)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives a backup back, so that the next portal continues with it. */
export async function releaseRun(db: Db, { fileName, owner }: Lease): Promise<void> {
  await sql`
    update backup_run set lease_until = null
    where file_name = ${fileName} and lease_owner = ${owner}`.execute(db);
}

/** Forgets a backup on which no portal works. Returns false if one does. */
export async function deleteRun(db: Db, fileName: string): Promise<boolean> {
  await sql`
    delete from backup_run where file_name = ${fileName}
      and status not in ('waiting', 'running', 'verifying')`.execute(db);
  const { rows } = await sql`select from backup_run where file_name = ${fileName}`.execute(db);
  return rows.length === 0;
}

/** Days for which operators see that a backup was made or has failed, if there is no file. */
const goneDays = 90;

/** Forgets old backups on which no portal works, unless their file is one of these. */
export async function deleteGoneRuns(db: Db, present: readonly string[]): Promise<void> {
  await sql`
    delete from backup_run where status in ('complete', 'broken', 'failed')
      and requested_on < now() - make_interval(days => ${goneDays})
      and file_name <> all(${present}::text[])`.execute(db);
}

/** The last time at which a backup was due. */
const due = sql`(
  select today - case when today > now() then interval '1 day' else interval '0' end
  from (select (date_trunc('day', now() at time zone 'UTC') + make_interval(hours => hour))
    at time zone 'UTC' as today) as one)`;

export async function readSchedule(db: Db): Promise<BackupSchedule> {
  const { rows } = await sql<BackupSchedule>`
    select hour, kept, case when hour is not null then ${due} + interval '1 day' end as "nextOn"
    from backup_schedule`.execute(db);
  return rows[0] ?? { hour: null, kept: null, nextOn: null };
}

export async function saveSchedule(
  db: Db,
  { hour, kept }: Pick<BackupSchedule, 'hour' | 'kept'>,
): Promise<void> {
  await sql`
    insert into backup_schedule as known (hour, kept) values (${hour}, ${kept})
    on conflict (only_row) do update set hour = ${hour}, kept = ${kept},
      changed_on = case when known.hour is distinct from ${hour} then now() else known.changed_on end`.execute(
    db,
  );
}

/**
 * Requests the backup of the schedule, once for each due time, whichever portal asks first; also later, if no portal ran
 * at that time or another backup was running. Returns false if none is due.
 */
export async function requestDueRun(db: Db, fileName: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      select from backup_schedule
      where hour is not null and ${due} > changed_on and coalesce(last_due < ${due}, true)
      for update`.execute(trx);
    if (rows.length === 0) return false;
    const isNew = await insertRun(trx, { fileName, origin: 'schedule', requestedBy: null });
    if (isNew) await sql`update backup_schedule set last_due = ${due}`.execute(trx);
    return isNew;
  });
}
