/** Finds jobs: the slots of an organisation, newest first, by search and filters. Every query uses an index. */
import {
  type JobFilters,
  type JobSummary,
  type listJobs,
  mostCounted,
} from '@recodery/contract/features/jobs/jobs';
import type { QueryOf } from '@recodery/contract/api';
import type { Family, Workflow } from '@recodery/contract/families/registry';
import { type RawBuilder, sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { expiresBefore, expiryOf, warningTime } from '../slots/expiring-slots.ts';
import { findSlot } from '../slots/slots.ts';

/** Which jobs to list. */
export type JobQuestion = Partial<QueryOf<typeof listJobs>> & { readonly count: number };

/** What the list shows besides what the database contains. */
export interface ListRules {
  /** Days that jobs are kept if the organisation has not chosen. */
  readonly retentionDays: number;
  /** The name of a protocol, or null. */
  nameProtocol(id: number): string | null;
}

interface Row {
  readonly guid: string;
  readonly family: Family;
  readonly workflow: Workflow;
  readonly fileName: string;
  readonly createdOn: Date;
  readonly slaveSerialNumber: string | null;
  readonly vin: string | null;
  readonly protocolId: number | null;
  readonly protocolName: string | null;
  readonly engine: string | null;
  readonly hardware: string | null;
  readonly software: string | null;
  readonly userDisplayName: string | null;
  readonly isKept: boolean;
  readonly expiresOn: Date | null;
  readonly note: string | null;
  readonly customerLabel: string | null;
  readonly plate: string | null;
  readonly vehicleMake: string | null;
  readonly vehicleModel: string | null;
  readonly encodedFiles: number;
  readonly state: 'decoding' | 'decoded' | 'failed';
}

/** Other jobs of a vehicle on its page, at most. */
const mostOthers = 10;
/** Values of a filter, at most. */
const mostFilterValues = 500;

function conditions(
  organisationId: OrganisationId,
  ask: Omit<JobQuestion, 'count'>,
  { retentionDays }: Pick<ListRules, 'retentionDays'>,
): RawBuilder<unknown> {
  const { search, family, device, person, from, to, kept, expiring, before } = ask;
  const parts = [
    sql`organisation_guid = ${organisationId}`,
    sql`deleted_on is null`,
    ...(search?.trim() ? [sql`search @@ search_query(${organisationId}, ${search})`] : []),
    ...(family === undefined ? [] : [sql`family = ${family}`]),
    ...(device === undefined ? [] : [sql`slave_serial_number = ${device}`]),
    ...(person === undefined ? [] : [sql`account_guid = ${person}`]),
    ...(from === undefined ? [] : [sql`created_on >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`created_on < ${to}::timestamptz`]),
    ...(kept === true ? [sql`is_kept`] : []),
    ...(expiring === true
      ? [expiresBefore(organisationId, retentionDays, sql`now() + ${warningTime}`)]
      : []),
    ...(before === undefined
      ? []
      : [
          sql`(created_on, guid) < (
            select created_on, guid from slot
            where organisation_guid = ${organisationId} and guid = ${before})`,
        ]),
  ];
  return sql.join(parts, sql` and `);
}

/** The query for a page of jobs: selected from an index before anything is joined. */
export function pageOfJobs(
  organisationId: OrganisationId,
  ask: JobQuestion,
  rules: Pick<ListRules, 'retentionDays'>,
) {
  return selectJobs(conditions(organisationId, ask, rules), ask.count, rules);
}

function selectJobs(
  where: RawBuilder<unknown>,
  count: number,
  { retentionDays }: Pick<ListRules, 'retentionDays'>,
) {
  return sql<Row>`
    with page as materialized (
      select * from slot where ${where} order by created_on desc, guid desc limit ${count})
    select page.guid, page.family, page.workflow, page.read_file_name as "fileName",
      page.created_on as "createdOn", page.slave_serial_number as "slaveSerialNumber", page.vin,
      page.protocol_id as "protocolId", page.facts ->> 'protocolName' as "protocolName",
      page.facts #>> '{information,engine}' as engine, page.facts #>> '{information,hardware}' as hardware,
      page.facts #>> '{information,software}' as software,
      coalesce(account.display_name, client_application.name) as "userDisplayName",
      page.is_kept as "isKept", page.note,
      case when not page.is_kept then ${expiryOf(sql`page`, retentionDays)} end as "expiresOn", page.customer_label as "customerLabel", page.plate,
      page.vehicle_make as "vehicleMake", page.vehicle_model as "vehicleModel",
      (select count(*)::integer from stored_file where slot_guid = page.guid and role = 'encoded' and first_delivery_guid is null) as "encodedFiles",
      case when page.facts is not null then 'decoded'
        when exists (select from operation where slot_guid = page.guid and operation.status in ('waiting', 'running'))
        then 'decoding' else 'failed' end as state
    from page
      left join account on account.guid = page.account_guid
      left join client_application on client_application.guid = page.client_guid
    order by page.created_on desc, page.guid desc`;
}

function summarize({ nameProtocol }: ListRules) {
  return ({ guid, createdOn, expiresOn, protocolId, protocolName, ...line }: Row): JobSummary => ({
    ...line,
    expiresOn: expiresOn?.toISOString() ?? null,
    slotGUID: guid,
    createdOn: createdOn.toISOString(),
    protocolID: protocolId,
    protocolName: protocolName ?? (protocolId === null ? null : nameProtocol(protocolId)),
  });
}

/** A page of the organisation's jobs, newest first. */
export async function findJobs(
  db: Db,
  organisationId: OrganisationId,
  ask: JobQuestion,
  rules: ListRules,
): Promise<JobSummary[]> {
  const { rows } = await pageOfJobs(organisationId, ask, rules).execute(db);
  return rows.map(summarize(rules));
}

/** The query that counts the jobs of a search, but no more than it shows. */
export function countOfJobs(
  organisationId: OrganisationId,
  ask: Omit<JobQuestion, 'count'>,
  rules: Pick<ListRules, 'retentionDays'>,
) {
  return sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select from slot where ${conditions(organisationId, ask, rules)}
      -- as the list does: without an order, the planner may read the whole table for a common word
      order by created_on desc, guid desc
      limit ${mostCounted + 1}) as found`;
}

/** How many jobs a search and filters find, up to {@link mostCounted}. */
export async function countJobs(
  db: Db,
  organisationId: OrganisationId,
  ask: Omit<JobQuestion, 'count'>,
  rules: Pick<ListRules, 'retentionDays'>,
): Promise<{ jobs: number; hasMore: boolean }> {
  const { rows } = await countOfJobs(organisationId, ask, rules).execute(db);
  const found = rows[0]?.count ?? 0;
  return { jobs: Math.min(found, mostCounted), hasMore: found > mostCounted };
}

/** One job, or null. */
export async function findJob(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
  rules: ListRules,
): Promise<JobSummary | null> {
  const where = sql`organisation_guid = ${organisationId} and guid = ${guid} and deleted_on is null`;
  const { rows } = await selectJobs(where, 1, rules).execute(db);
  return rows.map(summarize(rules))[0] ?? null;
}

/** Other jobs of the same vehicle, newest first. */
export async function findOtherJobs(
  db: Db,
  organisationId: OrganisationId,
  { slotGUID, vin }: JobSummary,
  rules: ListRules,
): Promise<JobSummary[]> {
  if (vin === null || vin.trim() === '') return [];
  const where = sql`organisation_guid = ${organisationId} and vin = ${vin} and guid <> ${slotGUID}
    and deleted_on is null`;
  const { rows } = await selectJobs(where, mostOthers, rules).execute(db);
  return rows.map(summarize(rules));
}

/** Decoded jobs with the same read file, decoded before a job, newest first; null if the organisation has no such job. */
export async function findEarlierReads(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  rules: ListRules,
): Promise<JobSummary[] | null> {
  if ((await findSlot(db, organisationId, slotGuid)) === null) return null;
  const where = sql`organisation_guid = ${organisationId} and deleted_on is null and facts is not null
    and (created_on, guid) < (select created_on, guid from slot where guid = ${slotGuid})
    and guid = any(array(
      select same.slot_guid
      from stored_file as read
        join stored_file as same on same.organisation_guid = read.organisation_guid and same.sha256 = read.sha256
      where read.organisation_guid = ${organisationId} and read.slot_guid = ${slotGuid} and read.role = 'read'
        and same.role = 'read'))`;
  const { rows } = await selectJobs(where, mostOthers, rules).execute(db);
  return rows.map(summarize(rules));
}

/**
 * The slaves and accounts that have jobs. Each step of the recursion goes to the next value in the index, so that the cost
 * depends on the values, not on the jobs.
 */
export async function readJobFilters(db: Db, organisationId: OrganisationId): Promise<JobFilters> {
  const own = sql`organisation_guid = ${organisationId} and deleted_on is null`;
  const [devices, people] = await Promise.all([
    sql<{ value: string }>`
      with recursive step (value) as (
        select min(slave_serial_number) from slot where ${own}
        union all
        select (select min(slave_serial_number) from slot where ${own} and slave_serial_number > step.value)
        from step where step.value is not null)
      select value from step where value is not null limit ${mostFilterValues}`.execute(db),
    sql<{ guid: string; displayName: string }>`
      with recursive step (value) as (
        (select account_guid from slot where ${own} and account_guid is not null order by account_guid limit 1)
        union all
        select (select account_guid from slot where ${own} and account_guid > step.value order by account_guid limit 1)
        from step where step.value is not null)
      select account.guid, account.display_name as "displayName"
      from step join account on account.guid = step.value
      order by lower(account.display_name), account.guid limit ${mostFilterValues}`.execute(db),
  ]);
  return { devices: devices.rows.map(({ value }) => value), people: people.rows };
}
