/** Owns the table webhook_message: the outbox, from which messages are claimed like operations and emails. */
import {
  mostReplaysAnHour,
  webhookTypes,
  type WebhookType,
} from '@recodery/contract/features/webhooks';
import { type Insertable, type Selectable, sql } from 'kysely';
import { isGuid, newGuid } from '../config/guids.ts';
import { Throttled } from '../http/requests/throttled.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import { mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import { notify } from '../postgres/announce.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import type { Claim } from '../queue/queue.ts';

/** Seconds that a claim lasts: a worker that has not recorded a result by then is considered dead. */
export const webhookLeaseSeconds = 25;
/**
 * Messages in delivery at once, in all workers, so that a slow receiver delays only its own: to one host; for one
 * organisation, without counting receivers that have no other delivery; and for one organisation in total.
 */
const atOnce = { perHost: 4, perOrganisation: 32, withFirst: 128 } as const;

const [completed, received, test, sealed] = webhookTypes;

/** Who receives a message: an endpoint, or the callback address of a client application's operation. */
type Receiver =
  | { readonly endpointGuid: string; readonly clientGuid: null }
  | { readonly endpointGuid: null; readonly clientGuid: string };

/** The endpoint of an organisation. */
type EndpointRow = Pick<Selectable<Database['webhook_endpoint']>, 'guid' | 'organisation_guid'>;

/** The endpoints of these organisations, locked until the transaction ends. */
export function selectEndpoints(trx: Db, organisationGuids: readonly (string | null)[]) {
  return (
    trx
      .selectFrom('webhook_endpoint')
      .select(['guid', 'organisation_guid'])
      .where(sql<boolean>`organisation_guid = any(${organisationGuids}::uuid[])`)
      // no endpoint is removed before its message is inserted, which would fail the operation
      .forKeyShare()
  );
}

/**
 * Writes the messages about a finished operation: to its callback address, and to the endpoints of its organisation and of
 * the organisation that received its file. Called in the transaction that ends the operation.
 */
export async function insertMessages(
  trx: Db,
  operation: OperationRow,
  endpoints: readonly EndpointRow[],
): Promise<void> {
  const { guid, organisationId, clientGuid, callbackUrl } = operation;
  const messages: NewMessage[] = endpoints.map((endpoint) => ({
    organisation_guid: endpoint.organisation_guid,
    endpoint_guid: endpoint.guid,
    type: endpoint.organisation_guid === organisationId ? completed : received,
  }));
  if (callbackUrl !== null && clientGuid !== null)
    messages.unshift({
      organisation_guid: organisationId,
      client_guid: clientGuid,
      type: completed,
    });
  await insertAll(trx, guid, messages);
}

/** Writes the messages about a file that was sealed again, to the endpoints of its organisation, in the transaction that ends the operation. */
export async function insertSealedMessages(
  trx: Db,
  { guid, organisationId }: OperationRow,
): Promise<void> {
  await insertAll(trx, guid, await messagesTo(trx, organisationId, sealed));
}

/** A message to each endpoint of an organisation. */
async function messagesTo(
  trx: Db,
  organisationGuid: string,
  type: WebhookType,
): Promise<readonly NewMessage[]> {
  const endpoints = await selectEndpoints(trx, [organisationGuid]).execute();
  return endpoints.map(({ guid, organisation_guid }) => ({
    organisation_guid,
    endpoint_guid: guid,
    type,
  }));
}

/**
 * Writes the messages about a file that is sent after its operation has ended, to the endpoints of the organisation that
 * receives it.
 */
export async function insertReceivedMessages(
  trx: Db,
  operationGuid: string,
  receiverGuid: string,
): Promise<void> {
  await insertAll(trx, operationGuid, await messagesTo(trx, receiverGuid, received));
}

/** A message to an endpoint or, with `client_guid`, to the callback address of a client application's operation. */
type NewMessage = Pick<Insertable<Database['webhook_message']>, 'organisation_guid' | 'type'> &
  ({ readonly endpoint_guid: string } | { readonly client_guid: string });

async function insertAll(
  trx: Db,
  operationGuid: string | null,
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => ({
    guid: newGuid(),
    webhook_id: newGuid(),
    endpoint_guid: null,
    client_guid: null,
    operation_guid: operationGuid,
    ...message,
  }));
  await trx.insertInto('webhook_message').values(rows).execute();
  await announceDue(trx);
}

/**
 * Writes a test message to an endpoint. False when the organisation has no such endpoint.
 * @throws {Refusal} TOO_MANY_REPLAYS
 */
export async function insertTest(
  db: Db,
  organisationId: OrganisationId,
  endpointGuid: string,
): Promise<boolean> {
  if (!isGuid(endpointGuid)) return false;
  return db.transaction().execute(async (trx) => {
    const endpoint = await trx
      .selectFrom('webhook_endpoint')
      .select('guid')
      .where('guid', '=', endpointGuid)
      .where('organisation_guid', '=', organisationId)
      .forKeyShare()
      .executeTakeFirst();
    if (endpoint === undefined) return false;
    await refuseWhenReplayedOften(trx, organisationId);
    const message = { organisation_guid: organisationId, endpoint_guid: endpoint.guid, type: test };
    await insertAll(trx, null, [message]);
    return true;
  });
}

function announceDue(db: Db): Promise<void> {
  return notify(db, { kind: 'webhook-due', guid: null, organisation: null });
}

/** A claimed message. */
export type ClaimedMessage = Claim &
  Receiver & {
    readonly webhookId: string;
    readonly type: WebhookType;
    readonly createdOn: Date;
    /** The receiving organisation. */
    readonly organisationId: OrganisationId;
    /** Null: a test message. */
    readonly operationGuid: string | null;
    /** The organisation that the operation belongs to, or that has asked for the test. */
    readonly senderOrganisationId: OrganisationId;
  };

/**
 * Claims up to `count` due messages within the limits of {@link atOnce}: one of each receiver before a second one of
 * any other, and the same for organisations, so that receivers that hang do not delay the others. A claim increments
 * the attempt and is also the lease.
 */
export async function claimMessages(db: Db, count: number): Promise<readonly ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    with current as (
      select message.guid, message.organisation_guid as organisation, message.due_on,
        coalesce(message.endpoint_guid, message.client_guid) as receiver,
        -- the operations of a client call back to any host; an endpoint has one
        coalesce(lower(substring(operation.callback_url from '^[^:]+://([^/?#]*)')), '') as host,
        message.attempt <> 1 as is_no_first_retry,
        coalesce(message.lease_until > now(), false) as is_busy
      from webhook_message as message
      left join operation
        on message.client_guid is not null and operation.guid = message.operation_guid
      where message.status = 'waiting' and (message.due_on <= now() or message.lease_until > now())
    ), of_host as (
      select *, row_number() over (partition by organisation, receiver, host
        order by is_busy desc, is_no_first_retry, due_on) as host_place
      from current
    ), of_receiver as (
      select *, row_number() over (partition by organisation, receiver
        order by is_busy desc, host_place, is_no_first_retry, due_on) as receiver_place
      from of_host where host_place <= ${atOnce.perHost}
    ), of_organisation as (
      select *, row_number() over (partition by organisation
        order by is_busy desc, receiver_place, due_on) as place
      from of_receiver
    ), due as (
      select message.guid, message.operation_guid from webhook_message as message
      join of_organisation using (guid)
      where not is_busy and place <= case receiver_place
          when 1 then ${atOnce.withFirst}::int else ${atOnce.perOrganisation}::int end
        and message.status = 'waiting' and message.due_on <= now()
        and (message.lease_until is null or message.lease_until <= now())
      order by of_organisation.place, message.due_on
      limit ${count}
      for update of message skip locked
    )
    update webhook_message as message
    set attempt = message.attempt + 1, lease_until = now() + make_interval(secs => ${webhookLeaseSeconds})
    from due left join operation on operation.guid = due.operation_guid
    where message.guid = due.guid
    returning message.guid, message.attempt, message.webhook_id as "webhookId", message.type,
      message.created_on as "createdOn", message.organisation_guid as "organisationId",
      message.endpoint_guid as "endpointGuid", message.client_guid as "clientGuid",
      message.operation_guid as "operationGuid",
      coalesce(operation.organisation_guid, message.organisation_guid) as "senderOrganisationId"`.execute(
    db,
  );
  return rows.map((row) => ({
    ...row,
    // the row is the proof that its receiver may be told about the operation
    organisationId: mintOrganisationId(row.organisationId),
    senderOrganisationId: mintOrganisationId(row.senderOrganisationId),
  }));
}

function heldMessage(db: Db, hold: Claim) {
  return db
    .updateTable('webhook_message')
    .where('guid', '=', hold.guid)
    .where('attempt', '=', hold.attempt)
    .where('status', '=', 'waiting');
}

/** Records that a message was delivered, or never will be; false when it is no longer ours or was removed. */
export async function endMessage(
  db: Db,
  hold: Claim,
  status: 'delivered' | 'failed',
): Promise<boolean> {
  const { numUpdatedRows } = await heldMessage(db, hold)
    .set({ status, lease_until: null })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Schedules the next attempt; false when the message is no longer ours or was removed. */
export async function postponeMessage(db: Db, hold: Claim, afterSeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await heldMessage(db, hold)
    .set({ lease_until: null, due_on: sql`now() + make_interval(secs => ${afterSeconds})` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Delivers the message of an attempt again: as a new message with the same webhook-id, whether or not the first one was
 * delivered. False when there is no such attempt. `organisationId` null: of any organisation and without a limit, for
 * the operator.
 * @throws {Refusal} TOO_MANY_REPLAYS
 */
export async function replayMessage(
  db: Db,
  organisationId: OrganisationId | null,
  attemptGuid: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const message = await trx
      .selectFrom('webhook_attempt')
      .innerJoin('webhook_message', 'webhook_message.guid', 'webhook_attempt.message_guid')
      .where('webhook_attempt.guid', '=', attemptGuid)
      .$if(organisationId !== null, (query) =>
        query.where('webhook_message.organisation_guid', '=', organisationId),
      )
      .select([
        'webhook_message.webhook_id',
        'webhook_message.organisation_guid',
        'webhook_message.endpoint_guid',
        'webhook_message.client_guid',
        'webhook_message.operation_guid',
        'webhook_message.type',
      ])
      .executeTakeFirst();
    if (message === undefined || !(await lockEndpoint(trx, message.endpoint_guid))) return false;
    if (organisationId !== null) await refuseWhenReplayedOften(trx, organisationId);
    await trx
      .insertInto('webhook_message')
      .values({ ...message, guid: newGuid() })
      .execute();
    await announceDue(trx);
    return true;
  });
}

/** False if the endpoint has just been removed; otherwise it cannot be removed until the transaction ends. */
async function lockEndpoint(trx: Db, guid: string | null): Promise<boolean> {
  if (guid === null) return true;
  const locked = await trx
    .selectFrom('webhook_endpoint')
    .select('guid')
    .where('guid', '=', guid)
    .forKeyShare()
    .executeTakeFirst();
  return locked !== undefined;
}

/** Tests count as replays. The organisation's row stays locked, so that the limit also applies to concurrent ones. */
async function refuseWhenReplayedOften(trx: Db, organisationId: OrganisationId): Promise<void> {
  await lockOrganisation(trx, organisationId);
  const { count, freeIn } = await trx
    .selectFrom('webhook_message as replay')
    .where('organisation_guid', '=', organisationId)
    .where('created_on', '>', sql<Date>`now() - interval '1 hour'`)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('type', '=', test),
        exists(
          selectFrom('webhook_message as first')
            .select('guid')
            .whereRef('first.organisation_guid', '=', 'replay.organisation_guid')
            .whereRef('first.webhook_id', '=', 'replay.webhook_id')
            .whereRef('first.created_on', '<', 'replay.created_on'),
        ),
      ]),
    )
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      sql<number>`extract(epoch from min(created_on) + interval '1 hour' - now())::float`.as(
        'freeIn',
      ),
    ])
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostReplaysAnHour) throw new Throttled('TOO_MANY_REPLAYS', freeIn);
}

/** Deletes messages that are finished and have no attempts left; at most `count`. Returns how many. */
export async function deleteExpiredMessages(db: Db, days: number, count: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_message')
    .where('guid', 'in', (eb) =>
      eb
        .selectFrom('webhook_message')
        .select('guid')
        .where('status', '<>', 'waiting')
        .where('created_on', '<', sql<Date>`now() - make_interval(days => ${days})`)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_attempt')
                .select('guid')
                .whereRef('webhook_attempt.message_guid', '=', 'webhook_message.guid'),
            ),
          ),
        )
        .limit(count),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
