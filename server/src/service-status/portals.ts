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

/** Whether a report is from a process that is alive. */
export const isRecent: Expression<SqlBool> = sql<SqlBool>`
  reported_on > now() - make_interval(secs => ${aliveSeconds})`;

interface PortalReport {
  readonly portalGuid: string;
  readonly isolation: Isolation;
  /** The address of a proxy that forwards requests although it is not trusted; null: none was noticed. */
  readonly untrustedProxy: string | null;
}

/** Records that a portal is alive, and what it has noticed. */
export async function reportPortal(db: Db, report: PortalReport): Promise<void> {
  const { portalGuid, isolation, untrustedProxy } = report;
  const values = {
    isolation: describeIsolation(isolation),
    has_namespaces: isolation.namespaces !== null,
    is_sealed: isolation.isSealed,
    untrusted_proxy: untrustedProxy,
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
  /** Includes an untrusted proxy in the reports, and logs the first one. */
  noticeProxy(address: string): void;
  stop(): Promise<void>;
}

/** Reports at once and then at intervals, until it is stopped. */
export async function startReporting(
  { db, log }: { readonly db: Db; readonly log: Log },
  portal: Pick<PortalReport, 'portalGuid' | 'isolation'>,
): Promise<PortalReports> {
  let untrustedProxy: string | null = null;
  const report = () => reportPortal(db, { ...portal, untrustedProxy });
  await report();
  const repeating = startRepeating(
    'report portal',
    { first: reportInterval, every: reportInterval },
    () => report().catch((error: unknown) => log.warn({ error }, 'could not report portal status')),
  );
  return {
    noticeProxy(proxy) {
      if (untrustedProxy !== null) return;
      untrustedProxy = proxy;
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
  const rows = await db
    .selectFrom('portal_report')
    .select('untrusted_proxy')
    .distinct()
    .where(isRecent)
    .where('untrusted_proxy', 'is not', null)
    .orderBy('untrusted_proxy')
    .execute();
  return rows.flatMap(({ untrusted_proxy }) => untrusted_proxy ?? []);
}
