/** Reads the numbers of the overview. */
import { type Overview, overviewHours } from '@recodery/contract/admin/overview';
import { sql } from 'kysely';
import type { Db } from '../../postgres/tables/schema.ts';
import { isMaintenanceOn } from '../../service-status/maintenance.ts';
import { isRecent } from '../../service-status/portals.ts';
import { readUpdates } from '../../service-status/updates.ts';
import type { Disk } from '../../storage/disk-room.ts';

export interface OverviewDeps {
  readonly db: Db;
  readonly config: {
    readonly version: string;
    readonly smtpUrl: string | null;
    readonly updatesUrl: string | null;
  };
  readonly measureDisks: () => Promise<readonly Disk[]>;
  readonly countDamaged: (db: Db) => Promise<number>;
}

/** The number of rows with a recent report. */
async function countRecent(db: Db, table: 'portal_report' | 'worker_report'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .where(isRecent)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Hour {
  readonly from: Date;
  readonly succeeded: number;
  readonly failed: number;
}

/**
 * The lowest GUID of a row that was created in the last hours. GUIDs begin with the time of their creation, so that the
 * primary key finds the new ones among all rows of an installation.
 */
const guidBefore = (hours: number) => sql`(lpad(to_hex((extract(epoch from date_trunc('hour', now())
  - make_interval(hours => ${hours})) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** The operations of each hour. */
async function readHours(db: Db): Promise<readonly Hour[]> {
  const { rows } = await sql<Hour>`
    with hour as (
      select date_trunc('hour', now()) - make_interval(hours => n) as "from"
      from generate_series(0, ${overviewHours - 1}) as n
    ), recent as (
      select date_trunc('hour', created_on) as "from", status from operation
      where guid >= ${guidBefore(overviewHours)} and not is_background and status in ('succeeded', 'failed')
    )
    select hour."from", count(*) filter (where status = 'succeeded')::int as succeeded,
      count(*) filter (where status = 'failed')::int as failed
    from hour left join recent on recent."from" = hour."from"
    group by hour."from" order by hour."from"`.execute(db);
  return rows;
}

async function readQueue(db: Db): Promise<{ waiting: number; running: number }> {
  const { rows } = await sql<{ waiting: number; running: number }>`
    select count(*) filter (where status = 'waiting')::int as waiting,
      count(*) filter (where status = 'running')::int as running
    from operation where status in ('waiting', 'running') and not is_background`.execute(db);
  return rows[0] ?? { waiting: 0, running: 0 };
}

/**
 * Emails with files, and those about accounts. An email fails up to a day after its creation: its last attempt (`due_on`)
 * tells when, and its GUID bounds the search.
 */
async function readEmails(db: Db): Promise<Omit<Overview['email'], 'hasServer'>> {
  const { rows } = await sql<{ waiting: number; failed: number; lastError: string | null }>`
    with every as (
      select guid, status, due_on, last_error from mail
      where status = 'waiting' or guid >= ${guidBefore(overviewHours * 3)}
      union all select guid, status, due_on, last_error from account_mail
      where status = 'waiting' or guid >= ${guidBefore(overviewHours * 3)}
    ), present as (
      select * from every where status = 'waiting'
        or (status = 'failed' and due_on > now() - make_interval(hours => ${overviewHours})))
    select count(*) filter (where status = 'waiting')::int as waiting,
      count(*) filter (where status = 'failed')::int as failed,
      (array_agg(last_error order by guid desc)
        filter (where last_error is not null))[1] as "lastError"
    from present`.execute(db);
  return rows[0] ?? { waiting: 0, failed: 0, lastError: null };
}

/** The numbers of the whole installation. */
export async function readOverview(deps: OverviewDeps): Promise<Overview> {
  const { db, config, measureDisks, countDamaged } = deps;
  const hours = await readHours(db);
  const { bytes } = await db
    .selectFrom('organisation')
    .select(({ fn }) => fn.sum<string | null>('stored_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return {
    version: config.version,
    updates: await readUpdates(db, config),
    portals: await countRecent(db, 'portal_report'),
    workers: await countRecent(db, 'worker_report'),
    isMaintenance: await isMaintenanceOn(db),
    operations: {
      ...(await readQueue(db)),
      hours: hours.map(({ from, ...counts }) => ({ from: from.toISOString(), ...counts })),
    },
    email: { hasServer: config.smtpUrl !== null, ...(await readEmails(db)) },
    storage: {
      bytes: Number(bytes ?? 0),
      damaged: await countDamaged(db),
      disks: (await measureDisks()).map(({ free, total }) => ({ free, total })),
    },
  };
}
