/** Owns the table portal_report: which portals are alive, and what they know about themselves. */
import { type Expression, sql, type SqlBool } from 'kysely';
import { describeIsolation } from '../engine/built-in/isolation.ts';
import type { Isolation } from '../engine/built-in/sandbox-command.ts';
import type { Log } from '../config/log.ts';
import { startRepeating } from '../config/start-repeating.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Seconds after its last report for which a portal or worker counts as alive. */
export const aliveSeconds = 15;
/** Milliseconds between two reports. */
const reportInterval = 5000;
/** Untrusted proxies that a portal reports, and that it logs. */
const mostProxies = 8;

/** Whether a report is from a process that is alive. */
export const isRecent: Expression<SqlBool> = sql<SqlBool>`
  reported_on > now() - make_interval(secs => ${aliveSeconds})`;

interface PortalReport {
  readonly portalGuid: string;
  readonly isolation: Isolation;
  /** The addresses of proxies that forward requests although they are not trusted. */
  readonly untrustedProxies: readonly string[];
}

/** Records that a portal is alive, and what it has noticed. */
export async function reportPortal(db: Db, report: PortalReport): Promise<void> {
  const { portalGuid, isolation, untrustedProxies } = report;
  const values = {
    isolation: describeIsolation(isolation),
    has_namespaces: isolation.namespaces !== null,
    is_sealed: isolation.isSealed,
    untrusted_proxies: untrustedProxies,
  };
  await db
    .insertInto('portal_report')
    .values({ portal_guid: portalGuid, ...values })
    .onConflict((conflict) =>
      conflict.column('portal_guid').doUpdateSet({ ...values, reported_on: sql<Date>`now()` }),
    )
    .execute();
}

/** Removes a portal that stops, and all portals that have not reported for a day. */
async function removePortal(db: Db, portalGuid: string): Promise<void> {
  await db
    .deleteFrom('portal_report')
    .where((eb) =>
      eb.or([
        eb('portal_guid', '=', portalGuid),
        eb('reported_on', '<', sql<Date>`now() - interval '1 day'`),
      ]),
    )
    .execute();
}

/** The regular reports of a portal. */
export interface PortalReports {
  /** Includes an untrusted proxy in the reports, and logs each of the first ones. */
  noticeProxy(address: string): void;
  stop(): Promise<void>;
}

/** Reports at once and then at intervals, until it is stopped. */
export async function startReporting(
  { db, log }: { readonly db: Db; readonly log: Log },
  portal: Pick<PortalReport, 'portalGuid' | 'isolation'>,
): Promise<PortalReports> {
  // the last ones: anyone can send such a header, but a proxy sends it all the time
  const proxies = new Set<string>();
  let logged = 0;
  const report = () => reportPortal(db, { ...portal, untrustedProxies: [...proxies].toSorted() });
  await report();
  const repeating = startRepeating(
    'report portal',
    { first: reportInterval, every: reportInterval },
    () => report().catch((error: unknown) => log.warn({ error }, 'could not report portal status')),
  );
  return {
    noticeProxy(proxy) {
      const isKnown = proxies.delete(proxy);
      proxies.add(proxy);
      const [oldest = ''] = proxies;
      if (proxies.size > mostProxies) proxies.delete(oldest);
      if (isKnown || logged === mostProxies) return;
      logged += 1;
      log.warn(
        { proxy },
        'requests with X-Forwarded-For come from an address that is not trusted; if it is your proxy, all its users are throttled together: set RECODERY_TRUSTED_PROXIES',
      );
    },
    async stop() {
      // a report that is still on its way would register it again
      await repeating.stop();
      // if the database is unavailable, the report expires automatically
      await removePortal(db, portal.portalGuid).catch((error: unknown) =>
        log.warn({ error }, 'could not unregister the portal'),
      );
    },
  };
}

/** How long ago a portal reported, in seconds; null: never, so it uses another database. */
export async function findReportAge(db: Db, portalGuid: string): Promise<number | null> {
  const row = await db
    .selectFrom('portal_report')
    .select(sql<number>`extract(epoch from now() - reported_on)::float8`.as('age'))
    .where('portal_guid', '=', portalGuid)
    .executeTakeFirst();
  return row?.age ?? null;
}

/** The untrusted proxies that running portals have noticed. */
export async function listUntrustedProxies(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ proxy: string }>`
    select distinct proxy from portal_report
      cross join unnest(untrusted_proxies || array_remove(array[untrusted_proxy], null)) as proxy
    where ${isRecent} order by proxy`.execute(db);
  return rows.map(({ proxy }) => proxy);
}
