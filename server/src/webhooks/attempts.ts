/** Owns the table webhook_attempt: the result of each attempt to deliver a message, kept for ten days. */
import {
  type Delivery,
  deliveryDays,
  deliveryErrors,
  mostListedDeliveries,
} from '@recodery/contract/features/webhooks';
import { sql } from 'kysely';
import { isGuid, newGuid } from '../config/guids.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { deleteExpiredMessages } from './messages.ts';
import type { Posted } from './post.ts';

/** The result of an attempt. */
export interface AttemptResult {
  readonly posted: Posted;
  readonly attemptedOn: Date;
  readonly durationMs: number;
}

/** Records an attempt. */
export async function insertAttempt(
  trx: Db,
  messageGuid: string,
  { posted, attemptedOn, durationMs }: AttemptResult,
): Promise<void> {
  await trx
    .insertInto('webhook_attempt')
    .values({
      guid: newGuid(),
      message_guid: messageGuid,
      status: posted.status,
      error: posted.error,
      duration_ms: durationMs,
      attempted_on: attemptedOn,
    })
    .execute();
}

/**
 * The attempts for an endpoint, or for the callback addresses of a client application, newest first; null when the
 * organisation has no such receiver. `organisationId` null: of any organisation, for the operator.
 */
export async function listAttempts(
  db: Db,
  organisationId: OrganisationId | null,
  receiverGuid: string,
): Promise<Delivery[] | null> {
  if (!isGuid(receiverGuid) || !(await isReceiver(db, organisationId, receiverGuid))) return null;
  const rows = await db
    .selectFrom('webhook_attempt')
    .innerJoin('webhook_message', 'webhook_message.guid', 'webhook_attempt.message_guid')
    .where('webhook_attempt.receiver_guid', '=', receiverGuid)
    .select([
      'webhook_attempt.guid',
      'webhook_attempt.status',
      'webhook_attempt.error',
      'webhook_attempt.duration_ms',
      'webhook_attempt.attempted_on',
      'webhook_message.webhook_id',
      'webhook_message.type',
    ])
    .orderBy('webhook_attempt.attempted_on', 'desc')
    .orderBy('webhook_attempt.guid', 'desc')
    .limit(mostListedDeliveries)
    .execute();
  return rows.map((row) => ({
    guid: row.guid,
    webhookId: row.webhook_id,
    type: row.type,
    status: row.status,
    error: deliveryErrors.find((error) => error === row.error) ?? null,
    durationMs: row.duration_ms,
    attemptedOn: row.attempted_on.toISOString(),
  }));
}

async function isReceiver(
  db: Db,
  organisationId: OrganisationId | null,
  guid: string,
): Promise<boolean> {
  const found = await Promise.all(
    (['webhook_endpoint', 'client_application'] as const).map((table) =>
      db
        .selectFrom(table)
        .select('guid')
        .where('guid', '=', guid)
        .$if(organisationId !== null, (query) =>
          query.where('organisation_guid', '=', organisationId),
        )
        .executeTakeFirst(),
    ),
  );
  return found.some((row) => row !== undefined);
}

/** Deletes at most `count` attempts that have expired, and the messages that then have none; returns how many. */
export async function deleteExpiredAttempts(db: Db, count: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_attempt')
    .where('guid', 'in', (eb) =>
      eb
        .selectFrom('webhook_attempt')
        .select('guid')
        .where('attempted_on', '<', sql<Date>`now() - make_interval(days => ${deliveryDays})`)
        .limit(count),
    )
    .executeTakeFirst();
  await deleteExpiredMessages(db, deliveryDays, count);
  return Number(numDeletedRows);
}
