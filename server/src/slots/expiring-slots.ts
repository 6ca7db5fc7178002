/** The slots that the retention deletes soon. */
import { warningDays } from '@recodery/contract/features/jobs/kept-jobs';
import { type ExpiringJobs, mostNamed } from '@recodery/contract/features/jobs/kept-jobs';
import { type RawBuilder, sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { retentionIntervalOf } from '../organisations/retention.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** How long before the deletion of a slot its organisation is warned. */
export const warningTime = sql`make_interval(days => ${sql.lit(warningDays)})`;

/** When a slot that is not kept is deleted, in a query in which `slot` is its row. */
export function expiryOf(slot: RawBuilder<unknown>, defaultDays: number): RawBuilder<unknown> {
  const retention = retentionIntervalOf(sql`${slot}.organisation_guid`, defaultDays);
  return sql`greatest(greatest(${slot}.created_on, ${slot}.retained_since) + ${retention}, ${slot}.kept_until)`;
}

/**
 * Whether a slot of an organisation is not kept and is deleted up to `time`. Its creation is compared separately, so that
 * an index finds the old ones.
 */
export function expiresBefore(
  organisationId: OrganisationId,
  defaultDays: number,
  time: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const retention = retentionIntervalOf(sql`${organisationId}`, defaultDays);
  return sql`not is_kept and slot.created_on <= ${time} - ${retention}
    and ${expiryOf(sql`slot`, defaultDays)} <= ${time}`;
}

/** The slots of an organisation that the retention deletes within the time of the warning. */
export async function readExpiring(
  db: Db,
  organisationId: OrganisationId,
  defaultDays: number,
): Promise<ExpiringJobs> {
  const { rows } = await sql<{
    guid: string;
    fileName: string;
    expiresOn: Date;
    lastOn: Date;
    jobs: number;
  }>`
    with expiring as (
      select guid, read_file_name, ${expiryOf(sql`slot`, defaultDays)} as expires_on
      from slot
      where organisation_guid = ${organisationId} and deleted_on is null
        and ${expiresBefore(organisationId, defaultDays, sql`now() + ${warningTime}`)})
    select guid, read_file_name as "fileName", expires_on as "expiresOn",
      max(expires_on) over () as "lastOn", (count(*) over ())::integer as jobs
    from expiring order by expires_on, guid limit ${mostNamed}`.execute(db);
  const first = rows.map(({ guid, fileName, expiresOn }) => ({
    slotGUID: guid,
    fileName,
    expiresOn: expiresOn.toISOString(),
  }));
  return {
    jobs: rows[0]?.jobs ?? 0,
    firstOn: first[0]?.expiresOn ?? null,
    lastOn: rows[0]?.lastOn.toISOString() ?? null,
    first,
  };
}
