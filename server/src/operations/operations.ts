/** Owns the table operation, together with `claim`: the source of truth for every asynchronous decode and encode. */
import { Refusal } from '@recodery/contract/refusal';
import type { Family, OperationType, Workflow } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import type { Doer, OrganisationId } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import { lockUsage } from '../organisations/usage.ts';
import { isGuid } from '../config/guids.ts';
import { type Announcement, announcing } from '../postgres/announce.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import {
  nameOfWrite,
  type PendingRows,
  type PendingWrite,
  writeTogether,
} from '../postgres/write-together.ts';
import {
  type ActiveCounts,
  describeOperation,
  type JsonObject,
  mayStart,
  type OperationRow,
  type Stage,
} from './operation-rules.ts';
import {
  operationColumns,
  operationColumnsText,
  readOperationRow,
  type SelectedOperation,
} from './operation-row.ts';

/** A new operation: all values of its row. */
export interface NewOperation extends Doer {
  readonly guid: string;
  readonly family: Family;
  readonly workflow: Workflow;
  readonly type: OperationType;
  readonly slotGuid: string;
  readonly userFlow: 'D' | 'E';
  readonly contextData: string | null;
  readonly request: JsonObject;
  readonly stage: Stage;
  /** Maximum bytes of its result's files: they count against the storage quota until it has finished. */
  readonly reservedBytes: number;
  /** The data that a client application attached, and the URL of its callback; absent: nothing. */
  readonly userInfo?: string | null;
  readonly callbackUrl?: string | null;
  /** The base address of the Encoding API under which it is started; absent: through the portal's own API. */
  readonly baseAddress?: string | null;
  /** The connection to the engine that works on it; null: the built-in engine. */
  readonly connectionGuid: string | null;
  /**
   * The portal starts it automatically: it appears in no list, and does not count against the quota of operations.
   * Absent: false.
   */
  readonly isBackground?: boolean;
  /** Whether a tray starts it: no page takes it up, and it leaves a place of the quota free. Absent: false. */
  readonly isOfTray?: boolean;
}

const active = ['waiting', 'running'] as const;
/** Whether a row of the organisation is the caller's own. */
function isStartedBy({ accountGuid, clientGuid }: Doer) {
  return clientGuid === null
    ? sql<boolean>`account_guid = ${accountGuid}`
    : sql<boolean>`client_guid = ${clientGuid}`;
}

/**
 * The caller's own waiting and running operations that a page can take up, of one family or of all, oldest first: none
 * of a tray.
 */
export async function listOwnActive(
  db: Db,
  asker: Doer,
  family: Family | null = null,
): Promise<readonly OperationRow[]> {
  let query = db
    .selectFrom('operation')
    .selectAll()
    .where('organisation_guid', '=', asker.organisationId)
    .where(isStartedBy(asker))
    .where('is_background', '=', false)
    .where('is_of_tray', '=', false)
    .where('status', 'in', active);
  if (family !== null) query = query.where('family', '=', family);
  const rows = await query.orderBy('created_on').orderBy('guid').execute();
  return rows.map(readOperationRow);
}

/** The operation that a caller wants to start. */
interface Wanted {
  readonly family: Family;
  /** Whether a tray starts it; absent: false. */
  readonly isOfTray?: boolean;
}

/**
 * Refuses with API_ERROR_THROTTLING when the organisation's quota of parallel operations is full. `details` lists the
 * caller's own operations of that family, oldest first, and none for a tray. Operations of trays and of other users count
 * but are not shown. Unless the organisation is locked, this is only an early check, to avoid receiving a body that would
 * be refused.
 */
export async function refuseWhenFull(
  db: Db,
  asker: Doer,
  { family, isOfTray = false }: Wanted,
  parallelOperations: number,
  usage: ActiveCounts,
): Promise<void> {
  if (mayStart(usage, parallelOperations, isOfTray)) return;
  const own = isOfTray ? [] : await listOwnActive(db, asker, family);
  const now = new Date();
  throw new Refusal(
    'API_ERROR_THROTTLING',
    own.map((row) => describeOperation(row, now)),
  );
}

/** What is written with an operation, in one statement. */
export interface WrittenTogether {
  readonly others?: readonly PendingWrite[];
  /**
   * Writes what refers to the operation, and returns all columns of `inserted`, which names the operation's row. It returns
   * no row if the operation must not start.
   */
  readonly link?: ((inserted: string) => PendingRows<SelectedOperation>) | undefined;
}

/**
 * Inserts an operation as waiting, and announces it. `trx` must be a transaction: it keeps the organisation's row locked
 * until it ends, so that the quota also applies to concurrent starts. `usage`: what {@link lockUsage} has returned in it;
 * absent: the organisation is locked here. Refuses as {@link refuseWhenFull}, and with OPERATION_NOT_POSSIBLE if the link
 * returns no row.
 */
export async function insertOperation(
  trx: Db,
  operation: NewOperation,
  parallelOperations: number,
  usage?: ActiveCounts,
  { others = [], link }: WrittenTogether = {},
): Promise<OperationRow> {
  const { organisationId, isBackground } = operation;
  if (isBackground === true) await lockOrganisation(trx, organisationId);
  else {
    const counts = usage ?? (await lockUsage(trx, organisationId));
    await refuseWhenFull(trx, operation, operation, parallelOperations, counts);
  }
  const insert = operationInsert(trx, operation);
  const [row] =
    link === undefined
      ? await writeTogether(trx, others, insert)
      : await writeTogether(trx, [...others, insert], link(nameOfWrite(others.length)));
  if (row === undefined && link === undefined) throw new Error('the operation was not inserted');
  // the link found nothing that can be linked
  if (row === undefined) throw new Refusal('OPERATION_NOT_POSSIBLE');
  return readOperationRow(row);
}

/** The statement that inserts an operation as waiting, and announces it if a user waits for it. */
export function operationInsert(db: Db, operation: NewOperation) {
  const isAwaited = operation.isBackground !== true || operation.reservedBytes > 0;
  return db
    .insertInto('operation')
    .values({
      guid: operation.guid,
      organisation_guid: operation.organisationId,
      account_guid: operation.accountGuid,
      client_guid: operation.clientGuid,
      user_info: operation.userInfo ?? null,
      callback_url: operation.callbackUrl ?? null,
      base_address: operation.baseAddress ?? null,
      family: operation.family,
      workflow: operation.workflow,
      type: operation.type,
      slot_guid: operation.slotGuid,
      user_flow: operation.userFlow,
      context_data: operation.contextData,
      request: JSON.stringify(operation.request),
      stage: operation.stage,
      reserved_bytes: operation.reservedBytes,
      connection_guid: operation.connectionGuid,
      is_background: operation.isBackground ?? false,
      is_of_tray: operation.isOfTray ?? false,
    })
    .returning(operationColumns)
    .returning((isAwaited ? announcing(dueOf(operation)) : sql`null`).as('announced'));
}

/** The announcement that an operation waits for a worker. For a background operation it has no GUID: no page shows it. */
export function dueOf({
  guid,
  organisationId: organisation,
  connectionGuid,
  isBackground,
}: Pick<
  NewOperation,
  'guid' | 'organisationId' | 'connectionGuid' | 'isBackground'
>): Announcement {
  const kind = connectionGuid === null ? 'operation-due' : 'remote-operation-due';
  return { kind, guid: isBackground === true ? null : guid, organisation };
}

/** An operation of that organisation that users see, or null. `text` is any text that should be a guid. */
export async function findOperation(
  db: Db,
  organisationId: OrganisationId,
  text: string,
): Promise<OperationRow | null> {
  const row = await findAnyOperation(db, organisationId, text);
  return row?.isBackground === true ? null : row;
}

/** An operation of that organisation, including background operations, or null. */
export async function findAnyOperation(
  db: Db,
  organisationId: OrganisationId,
  text: string,
): Promise<OperationRow | null> {
  if (!isGuid(text)) return null;
  const { rows } = await sql<SelectedOperation>`
    select ${keepPlan} ${operationColumnsText} from operation
    where organisation_guid = ${organisationId} and guid = ${text.toLowerCase()}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : readOperationRow(row);
}

/** The operations on these slots that users see, oldest first. */
export async function listOperationsOfSlots(
  db: Db,
  organisationId: OrganisationId,
  slotGuids: readonly string[],
): Promise<readonly OperationRow[]> {
  const rows = await db
    .selectFrom('operation')
    .selectAll()
    .where('organisation_guid', '=', organisationId)
    .where(sql<boolean>`slot_guid = any(${slotGuids}::uuid[])`)
    .where('is_background', '=', false)
    .orderBy('created_on')
    .orderBy('guid')
    .execute();
  return rows.map(readOperationRow);
}

/** The organisation's recent operations, newest first; with `before`, only those older than that operation. */
export async function listLastOperations(
  db: Db,
  organisationId: OrganisationId,
  count: number,
  before: string | null = null,
): Promise<readonly OperationRow[]> {
  const own = db
    .selectFrom('operation')
    .selectAll()
    .where('organisation_guid', '=', organisationId)
    .where('is_background', '=', false);
  const older =
    before === null
      ? own
      : own.where(
          sql<boolean>`(created_on, guid) < (
            select created_on, guid from operation
            where organisation_guid = ${organisationId} and guid = ${before})`,
        );
  const rows = await older
    .orderBy('created_on', 'desc')
    .orderBy('guid', 'desc')
    .limit(count)
    .execute();
  return rows.map(readOperationRow);
}

/**
 * The caller's operations that are waiting or running, or finished in the last `seconds`, oldest first. One statement
 * reads both, so that an operation that finishes between two reads is not missed.
 */
export async function listOwnRecent(
  db: Db,
  asker: Doer,
  seconds: number,
): Promise<readonly OperationRow[]> {
  const own = db
    .selectFrom('operation')
    .selectAll()
    .where('organisation_guid', '=', asker.organisationId)
    .where('is_background', '=', false)
    .where(isStartedBy(asker));
  const rows = await own
    .where('status', 'in', active)
    .unionAll(own.where('completed_on', '>', sql<Date>`now() - make_interval(secs => ${seconds})`))
    .orderBy('created_on')
    .orderBy('guid')
    .execute();
  return rows.map(readOperationRow);
}

/** The slots of the operations at a vendor's engine that are waiting or running, besides `except`. */
export async function listSlotsInUse(
  db: Db,
  connectionGuid: string,
  except: string | null,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('operation')
    .where('connection_guid', '=', connectionGuid)
    .where('status', 'in', active)
    .where(sql<boolean>`guid is distinct from ${except}`)
    .select('slot_guid')
    .distinct()
    .execute();
  return rows.map(({ slot_guid }) => slot_guid);
}

/** When an operation of each connection ended last, by the connection's guid. */
export async function findLastRemoteEnds(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('operation')
    .where('connection_guid', 'is not', null)
    .where('completed_on', 'is not', null)
    .groupBy('connection_guid')
    .select('connection_guid')
    .select(({ fn }) => fn.max<Date>('completed_on').as('ended'))
    .execute();
  return new Map(rows.map(({ connection_guid, ended }) => [connection_guid ?? '', ended]));
}

/**
 * Whether an operation that users see is waiting or running on that slot; if so, its files must be kept. Background
 * operations use no files that users upload.
 */
export async function isSlotBusy(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('operation')
    .select('guid')
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .where('is_background', '=', false)
    .where('status', 'in', active)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these operations, of any organisation, are waiting or running. */
export async function findUnfinished(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('operation')
    .select('guid')
    .where(sql<boolean>`guid = any(${guids}::uuid[])`)
    .where('status', 'in', active)
    .execute();
  return new Set(rows.map(({ guid }) => guid));
}
