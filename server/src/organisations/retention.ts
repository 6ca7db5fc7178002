/** How long an organisation keeps its jobs, files and trays: the days that it has chosen, or the operator's default. */
import { type RawBuilder, sql } from 'kysely';

/**
 * The retention as an interval, in a query that has the row of `organisation`. `defaultDays` applies if it has not
 * chosen.
 */
export function retentionInterval(defaultDays: number): RawBuilder<unknown> {
  return sql`make_interval(days => coalesce(organisation.retention_days, ${defaultDays}::integer))`;
}

/** The same in a query that has only the organisation's GUID, as a parameter or a column. */
export function retentionIntervalOf(
  organisation: RawBuilder<unknown>,
  defaultDays: number,
): RawBuilder<unknown> {
  return sql`(select ${retentionInterval(defaultDays)} from organisation where organisation.guid = ${organisation})`;
}
