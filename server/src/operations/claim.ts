/** How workers share operations: claim under a lease, renew, hand back, finish. All times come from the database. */
import type { OperationType } from '@recodery/contract/families/registry';
import type { WrongSize } from '@recodery/contract/features/operations';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { type Announcement, announcing } from '../postgres/announce.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { type PendingWrite, writeTogether } from '../postgres/write-together.ts';
import type { Claim } from '../queue/queue.ts';
import type { JsonObject, OperationRow, Stage } from './operation-rules.ts';
import {
  operationColumns,
  operationColumnsText,
  readOperationRow,
  type SelectedOperation,
} from './operation-row.ts';

/** Seconds after which a claim expires unless it is renewed. */
export const leaseSeconds = 8;
/** Seconds after which a worker that reports every five has died. */
const reportSeconds = 15;
/** Seconds after which a restore kit is prepared although users keep the worker busy. */
const patientSeconds = 20;

/** The fault that an operation ends with; `internalCode` is its cause, for the page's text, the log and support. */
export interface OperationFault {
  readonly errorName: string;
  readonly detail: string | null;
  readonly internalCode: string;
  readonly sizes: WrongSize | null;
}

/** An operation that a worker has claimed. `isLast`: no other one was due. */
export type ClaimedOperation = OperationRow & { readonly isLast: boolean };

/**
 * Claims up to `count` due operations of the built-in engine, of the types that this worker supports, those that users
 * started first, oldest first: waiting operations, and those whose worker let its lease expire. The claim also
 * increments the attempt. A worker runs one operation of the background at a time, so that the next operation of a user
 * rarely has to wait for an engine. While it is not `isQuiet`, it leaves those that no user waits for, until they have
 * waited for long.
 *
 * A suspect, whose worker died, runs alone: a worker finishes what it has before it claims one. One of the busy workers
 * claims nothing else until then, so that a suspect is claimed at all. Operations that only ran next to the cause of a
 * death are therefore not affected again.
 */
export async function claimOperations(
  db: Db,
  workerGuid: string,
  types: readonly OperationType[],
  count: number,
  isQuiet = true,
): Promise<readonly ClaimedOperation[]> {
  const isWanted = sql`(${isQuiet} or not is_background or reserved_bytes > 0
    or created_on < now() - make_interval(secs => ${patientSeconds}))`;
  const isOurs = sql`${isDue} and type = any(${types}) and connection_guid is null and ${isWanted}`;
  return claimDue(
    db,
    workerGuid,
    isOurs,
    sql`with held as (
        select count(*) as operations, coalesce(bool_or(lost_workers <> '{}'), false) as suspect,
          coalesce(bool_or(is_background), false) as background
        from operation ${isHeldBy(workerGuid)} and connection_guid is null),
      suspect as (
        select guid from operation
        where ${isOurs} and ${isSuspect(workerGuid)} and (select operations = 0 from held)
        order by is_background, created_on
        limit 1
        for update skip locked),
      others as (
        select where not exists (select from suspect) and not (select suspect from held)
          and not (${mustWait(workerGuid, isOurs)}))
      select guid from suspect
      union all
      select guid from (
        select guid from operation
        where ${isOurs} and not is_background and not ${isSuspect(workerGuid)} and exists (select from others)
        order by created_on
        limit ${count}
        for update skip locked) own
      union all
      select guid from (
        select guid from operation
        where ${isOurs} and is_background and not ${isSuspect(workerGuid)} and exists (select from others)
          and not (select background from held)
        -- a user waits for a requested one, which alone reserves room
        order by reserved_bytes = 0, created_on
        limit 1
        for update skip locked) background
      limit ${count}`,
  );
}

/**
 * Claims due operations of vendors' engines in the same way, until this worker has up to `perConnection` of each
 * connection; none while this worker waits for a suspect of the built-in engine, or runs one.
 */
export async function claimRemoteOperations(
  db: Db,
  workerGuid: string,
  types: readonly OperationType[],
  perConnection: number,
): Promise<readonly ClaimedOperation[]> {
  const isBuiltIn = sql`${isDue} and type = any(${types}) and connection_guid is null`;
  return claimDue(
    db,
    workerGuid,
    sql`${isDue} and type = any(${types}) and connection_guid is not null`,
    sql`select due.guid from engine_connection cross join lateral (
        select guid from operation
        where ${isDue} and type = any(${types}) and connection_guid = engine_connection.guid
        order by is_background, created_on
        limit greatest(0, ${perConnection} - (
          select count(*) from operation held
          where held.connection_guid = engine_connection.guid and held.status = 'running'
            and held.worker_guid = ${workerGuid} and held.lease_until >= now()))
        for update skip locked) due
      where not (${mustWait(workerGuid, isBuiltIn)})
        and not exists (
          select from operation ${isHeldBy(workerGuid)} and connection_guid is null and lost_workers <> '{}')`,
  );
}

/** Whether an expired claim belonged to a worker that has neither stopped in an orderly way nor is this one. */
const isLost = (workerGuid: string) => sql`(status = 'running' and worker_guid <> ${workerGuid}
  and exists (select from worker_report where worker_report.worker_guid = operation.worker_guid))`;

/** Whether the process of a worker died while it worked on a due operation. */
const isSuspect = (workerGuid: string) => sql`(lost_workers <> '{}' or ${isLost(workerGuid)})`;

/**
 * Whether this worker must finish what it has, and claim nothing else, because a suspect of users among these operations
 * is due: the oldest of the workers that are alive. The one that died does not count, although its report is recent.
 */
const mustWait = (workerGuid: string, those: RawBuilder<unknown>) => {
  const suspects = sql`from operation where ${those} and not is_background and ${isSuspect(workerGuid)}`;
  return sql`exists (select ${suspects}) and not exists (
    select from worker_report older
    where older.reported_on > now() - make_interval(secs => ${reportSeconds})
      and older.worker_guid < ${workerGuid}
      and not exists (select ${suspects}
        and (worker_guid = older.worker_guid or older.worker_guid = any(lost_workers))))`;
};

/** The operations that this worker has claimed. */
const isHeldBy = (workerGuid: string) =>
  sql`where status = 'running' and worker_guid = ${workerGuid} and lease_until >= now()`;

const isDue = sql`status in ('waiting', 'running') and (lease_until is null or lease_until < now())`;

/** Claims the operations with these guids, which are among `those` that are due. */
async function claimDue(
  db: Db,
  workerGuid: string,
  those: RawBuilder<unknown>,
  guids: RawBuilder<unknown>,
): Promise<readonly ClaimedOperation[]> {
  // Raw SQL instead of Kysely's builder, because the locking subquery is easier to read this way. As an array it runs
  // once: in a join, PostgreSQL may run it for each row, and each run locks other rows.
  const { rows } = await sql<SelectedOperation & { is_last: boolean }>`
    with ${keepPlan} chosen as materialized (select array(${guids}) as guids)
    update operation
    set status = 'running', attempt = attempt + 1, worker_guid = ${workerGuid},
      lost_workers = case when ${isLost(workerGuid)} then lost_workers || worker_guid else lost_workers end,
      started_on = coalesce(started_on, now()), lease_until = now() + make_interval(secs => ${leaseSeconds})
    from chosen
    where guid = any(chosen.guids)
    returning ${operationColumnsText},
      not exists (select from operation where ${those} and guid <> all(chosen.guids)) as is_last`.execute(
    db,
  );
  return rows.map((row) => ({ ...readOperationRow(row), isLast: row.is_last }));
}

/**
 * Removes this worker from the operations that others have claimed because its lease expired: it was only paused, or
 * had no connection to the database.
 */
export async function withdrawLoss(db: Db, workerGuid: string): Promise<void> {
  await db
    .updateTable('operation')
    .set({ lost_workers: sql<string[]>`array_remove(lost_workers, ${workerGuid}::uuid)` })
    .where('status', 'in', ['waiting', 'running'])
    .where(sql<boolean>`${workerGuid}::uuid = any(lost_workers)`)
    .execute();
}

/** Renews the leases of the given claims and records their stage and progress (0..1); returns the guids still held. */
export async function renewLeases(
  db: Db,
  workerGuid: string,
  held: readonly (Claim & { readonly fraction: number; readonly stage: Stage })[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ guid: string }>`
    update operation
    set lease_until = now() + make_interval(secs => ${leaseSeconds}), fraction = held.fraction,
      stage = held.stage
    from unnest(${held.map(({ guid }) => guid)}::uuid[], ${held.map(({ attempt }) => attempt)}::integer[],
      ${held.map(({ fraction }) => fraction)}::real[], ${held.map(({ stage }) => stage)}::text[])
      as held (guid, attempt, fraction, stage)
    where operation.guid = held.guid and operation.attempt = held.attempt
      and operation.status = 'running' and operation.worker_guid = ${workerGuid}
    returning operation.guid`.execute(db);
  return new Set(rows.map(({ guid }) => guid));
}

function claimedRow(db: Db, claim: Claim) {
  return db
    .updateTable('operation')
    .where('guid', '=', claim.guid)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'running');
}

/** Returns an operation to the queue, due again after `afterSeconds`; false when the claim is lost. */
export async function release(db: Db, claim: Claim, afterSeconds = 0): Promise<boolean> {
  const { numUpdatedRows } = await claimedRow(db, claim)
    .set({
      status: 'waiting',
      worker_guid: null,
      lease_until:
        afterSeconds === 0 ? null : sql<Date>`now() + make_interval(secs => ${afterSeconds})`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores what the engine keeps with the operation, encrypted; false when the claim is lost. */
export async function saveOperationContext(
  db: Db,
  claim: Claim,
  sealed: Buffer | null,
): Promise<boolean> {
  const row = await claimedRow(db, claim)
    .set({ engine_context: sealed, remote: null })
    .returning('guid')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts an engine crash; returns the total, or null when the claim is lost. */
export async function countCrash(db: Db, claim: Claim): Promise<number | null> {
  const row = await claimedRow(db, claim)
    .set((eb) => ({ crashes: eb('crashes', '+', 1) }))
    .returning('crashes')
    .executeTakeFirst();
  return row?.crashes ?? null;
}

/** A claimed operation that ends. */
type Held = Claim & Pick<OperationRow, 'organisationId' | 'isBackground'>;

/** The announcement that an operation changed. */
export function changeOf({
  guid,
  organisationId: organisation,
}: Pick<OperationRow, 'guid' | 'organisationId'>): Announcement {
  return { kind: 'operation', guid, organisation };
}

const ended = {
  stage: 'COMPLETED',
  completed_on: sql<Date>`now()`,
  lease_until: null,
  worker_guid: null,
} as const;

/**
 * Ends an operation as succeeded, and announces it; `others` are written with it. `trx` must have locked it with `lockEnd`.
 */
export async function endWithResult(
  trx: Db,
  operation: Held,
  result: JsonObject,
  others: readonly PendingWrite[] = [],
): Promise<OperationRow> {
  const end = claimedRow(trx, operation)
    .set({ ...ended, status: 'succeeded', fraction: 1, result: JSON.stringify(result) })
    .returning(operationColumns)
    .returning(announcedEnd(operation));
  const [row] = await writeTogether(trx, others, end);
  if (row === undefined) throw new Error('the claim is lost');
  return readOperationRow(row);
}

/** No stream shows a background operation. */
function announcedEnd(operation: Held) {
  const announced = operation.isBackground ? sql`null` : announcing(changeOf(operation));
  return announced.as('announced');
}

/** Ends an operation with a fault, and announces it; null when the claim is lost. */
export async function endWithFault(
  trx: Db,
  operation: Held,
  fault: OperationFault,
): Promise<OperationRow | null> {
  const row = await claimedRow(trx, operation)
    .set({
      ...ended,
      status: 'failed',
      error_name: fault.errorName,
      error_detail: fault.detail,
      internal_code: fault.internalCode,
      error_sizes: fault.sizes === null ? null : JSON.stringify(fault.sizes),
    })
    .returning(operationColumns)
    .returning(announcedEnd(operation))
    .executeTakeFirst();
  return row === undefined ? null : readOperationRow(row);
}
