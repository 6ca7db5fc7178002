/** Owns the table webhook_message: the outbox, from which messages are claimed like operations and emails. */
import { mostReplaysAnHour, webhookTypes, type WebhookType } from '@recodery/contract/webhooks';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import { Throttled } from '../http/throttled.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import { mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import { notify } from '../postgres/announce.ts';
import type { Db } from '../postgres/schema.ts';
import type { Claim } from '../queue/queue.ts';

/** Seconds that a claim lasts: a worker that has not recorded a result by then is considered dead. */
export const claimSeconds = 25;
/** Messages in delivery at once, in all workers, so that a slow receiver delays only its own. */
export const atOnce = { perReceiver: 4, perOrganisation: 16 } as const;

const [completed, received] = webhookTypes;

/** Who receives a message: an endpoint, or the callback address of a client application's operation. */
type Receiver =
  | { readonly endpointGuid: string; readonly clientGuid: null }
  | { readonly endpointGuid: null; readonly clientGuid: string };

/**
 * Writes the messages about a finished operation: to its callback address, to the endpoints of its organisation, and to
 * those of the organisation that received its file. Called in the transaction that ends the operation, after its
 * notification was written.
 */
export async function insertMessages(trx: Db, operation: OperationRow): Promise<void> {
  const { guid, organisationId, clientGuid, callbackUrl } = operation;
  const endpoints = await trx
    .selectFrom('webhook_endpoint')
    .leftJoin('notification', (join) =>
      join
        .onRef('notification.receiver_organisation_guid', '=', 'webhook_endpoint.organisation_guid')
        .on('notification.guid', '=', guid),
    )
    .select(['webhook_endpoint.guid', 'webhook_endpoint.organisation_guid'])
    .where(({ or, eb }) =>
      or([
        eb('webhook_endpoint.organisation_guid', '=', organisationId),
        eb('notification.guid', 'is not', null),
      ]),
    )
    .execute();
  const messages = endpoints.map((endpoint) => ({
    ...newIds(),
    organisation_guid: endpoint.organisation_guid,
    endpoint_guid: endpoint.guid,
    client_guid: null,
    operation_guid: guid,
    type: endpoint.organisation_guid === organisationId ? completed : received,
  }));
  const callback = {
    ...newIds(),
    organisation_guid: organisationId,
    endpoint_guid: null,
    client_guid: clientGuid,
    operation_guid: guid,
    type: completed,
  };
  const all = callbackUrl === null || clientGuid === null ? messages : [callback, ...messages];
  if (all.length === 0) return;
  await trx.insertInto('webhook_message').values(all).execute();
  await announceDue(trx);
}

function newIds() {
  return { guid: newGuid(), webhook_id: newGuid() };
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
    readonly operationGuid: string;
    /** The organisation whose operation it was. */
    readonly senderOrganisationId: OrganisationId;
  };

/**
 * Claims up to `count` due messages, the longest due first, within the limits of {@link atOnce}. A claim increments the
 * attempt and is also the lease.
 */
export async function claimMessages(db: Db, count: number): Promise<readonly ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    with receiver as (
      select organisation_guid, coalesce(endpoint_guid, client_guid) as guid,
        count(*) filter (where lease_until > now()) as busy
      from webhook_message
      where status = 'waiting'
      group by 1, 2
    ), organisation_load as (
      select organisation_guid, sum(busy) as busy from receiver group by 1
    ), due as (
      select one.guid, one.due_on, organisation_load.busy
          + row_number() over (partition by receiver.organisation_guid order by one.due_on) as place
      from receiver join organisation_load using (organisation_guid) cross join lateral (
        select guid, due_on from webhook_message
        where status = 'waiting' and organisation_guid = receiver.organisation_guid
          and coalesce(endpoint_guid, client_guid) = receiver.guid
          and due_on <= now() and (lease_until is null or lease_until <= now())
        order by due_on
        limit greatest(0, ${atOnce.perReceiver} - receiver.busy)
        for update skip locked) as one
    )
    update webhook_message as message
    set attempt = message.attempt + 1, lease_until = now() + make_interval(secs => ${claimSeconds})
    from operation
    where operation.guid = message.operation_guid
      and message.guid in (
        select guid from due where place <= ${atOnce.perOrganisation} order by due_on limit ${count})
    returning message.guid, message.attempt, message.webhook_id as "webhookId", message.type,
      message.created_on as "createdOn", message.organisation_guid as "organisationId",
      message.endpoint_guid as "endpointGuid", message.client_guid as "clientGuid",
      message.operation_guid as "operationGuid",
      operation.organisation_guid as "senderOrganisationId"`.execute(db);
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
    if (message === undefined) return false;
    if (organisationId !== null) await refuseWhenReplayedOften(trx, organisationId);
    await trx
      .insertInto('webhook_message')
      .values({ ...message, guid: newGuid() })
      .execute();
    await announceDue(trx);
    return true;
  });
}

/** The organisation's row stays locked, so that the limit also applies to concurrent replays. */
async function refuseWhenReplayedOften(trx: Db, organisationId: OrganisationId): Promise<void> {
  await lockOrganisation(trx, organisationId);
  const { count, freeIn } = await trx
    .selectFrom('webhook_message as replay')
    .where('organisation_guid', '=', organisationId)
    .where('created_on', '>', sql<Date>`now() - interval '1 hour'`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_message as first')
          .select('guid')
          .whereRef('first.organisation_guid', '=', 'replay.organisation_guid')
          .whereRef('first.webhook_id', '=', 'replay.webhook_id')
          .whereRef('first.created_on', '<', 'replay.created_on'),
      ),
    )
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      sql<number>`extract(epoch from min(created_on) + interval '1 hour' - now())::float`.as('freeIn'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostReplaysAnHour) throw new Throttled('TOO_MANY_REPLAYS', freeIn);
}

/** Deletes messages that have ended and have no attempts left; at most `count`. Returns how many. */
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
