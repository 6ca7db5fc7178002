/** The worker's queue of webhooks: claims due messages, signs and sends them, and records each attempt. */
import { Webhook } from 'standardwebhooks';
import { livingClients, webhookPurpose } from '../clients/clients.ts';
import type { Clock } from '../config/clock.ts';
import type { Log } from '../config/log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { findOperation } from '../operations/operations.ts';
import type { Announce } from '../postgres/announce.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { webhookAttempts } from '../metrics/metrics.ts';
import { traced } from '../traces/traces.ts';
import { createSemaphore } from '../config/semaphore.ts';
import { type Runner, startQueue } from '../queue/queue.ts';
import { type Pauses, retryForADay } from '../queue/retry-rules.ts';
import { type AddressCheck, AddressRefused } from './addresses.ts';
import { type AttemptResult, insertAttempt } from './attempts.ts';
import { endpointPurpose } from './endpoints.ts';
import { type ClaimedMessage, claimMessages, endMessage, postponeMessage } from './messages.ts';
import { post, type Posted, type PostLimits } from './post.ts';

/** Milliseconds between two polls, and that deliveries in progress have when the worker stops. */
const times = { poll: 5000, drain: 3000 } as const;
/** Messages that this worker delivers at once: they mostly wait for the network, so the number can be high. */
const atOnce = 256;
/**
 * Concurrent database queries for messages in this worker: many messages fall due together, and would otherwise take
 * all connections and delay users.
 */
const inDatabase = { atOnce: 2 } as const;
/** Seconds between two attempts of a message. With the limits of an attempt, the second is within 30 s of the first. */
const pauses: Pauses = { first: 5, longest: 7200 };

/** What the message is about, as JSON. */
export type WebhookData = Readonly<Record<string, unknown>>;

export interface WebhookDependencies {
  readonly db: Db;
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  readonly clock: Clock;
  readonly addresses: Pick<AddressCheck, 'resolve'>;
  readonly limits: PostLimits;
  /** The operation as a message contains it; null when the recipient may no longer see it. */
  describe(message: ClaimedMessage, operation: OperationRow): Promise<WebhookData | null>;
}

/** Starts to deliver due messages. Failures are recorded and retried for a day. */
export function startWebhooks(dependencies: WebhookDependencies): Runner {
  const semaphore = createSemaphore(inDatabase);
  const deps: Deps = {
    ...dependencies,
    async ask(work) {
      // each takes only milliseconds, so that stopping does not interrupt it
      const leave = await semaphore.enter('');
      return work().finally(leave);
    },
  };
  return startQueue(deps, {
    noun: 'webhook',
    due: 'webhook-due',
    pollMs: times.poll,
    atOnce,
    drainMs: times.drain,
    claim: (count) => claimMessages(deps.db, count),
    run: (message, signal) => deliver(deps, message, signal),
  });
}

interface Deps extends WebhookDependencies {
  /** Runs work with the database within {@link inDatabase}. */
  ask<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes one attempt and records its result. */
async function deliver(deps: Deps, message: ClaimedMessage, signal: AbortSignal): Promise<void> {
  const { webhookId, attempt, organisationId: organisation } = message;
  const log = deps.log.child({ webhook: webhookId, organisation, attempt });
  const [attemptedOn, start] = [deps.clock.now(), performance.now()];
  const attributes = { 'recodery.webhook': webhookId, 'recodery.organisation': organisation };
  const posted = await traced('send webhook', attributes, () => send(deps, message, signal)).catch(
    (error: unknown): Posted => {
      if (error instanceof AddressRefused) return { status: null, error: error.error };
      log.error({ error }, 'could not send webhook');
      return { status: null, error: 'INTERNAL_ERROR' };
    },
  );
  if (posted === null) {
    await endMessage(deps.db, message, 'failed');
    return log.info(
      'webhook dropped: its receiver is gone or archived, or its content is no longer available to it',
    );
  }
  // stopped: it belongs to the next start, or to another worker
  if (signal.aborted) return void (await postponeMessage(deps.db, message, 0));
  const durationMs = Math.round(performance.now() - start);
  await deps.ask(() => record(deps, message, { posted, attemptedOn, durationMs }, log));
}

interface Ready {
  readonly url: URL;
  /** The purpose of the key that signs. */
  readonly purpose: string;
  readonly body: string;
}

/** The message to send, and its URL; null if its receiver is gone or archived, or its content is no longer available to it. */
async function prepare(deps: WebhookDependencies, message: ClaimedMessage): Promise<Ready | null> {
  const { db } = deps;
  const { senderOrganisationId, operationGuid, type } = message;
  if (operationGuid === null) return prepareTest(db, message);
  const operation = await findOperation(db, senderOrganisationId, operationGuid);
  if (operation === null) return null;
  const target = await findTarget(db, message, operation);
  const data = target === null ? null : await deps.describe(message, operation);
  if (target === null || data === null) return null;
  const timestamp = (operation.completedOn ?? message.createdOn).toISOString();
  const url = new URL(target.url);
  return { url, purpose: target.purpose, body: JSON.stringify({ type, timestamp, data }) };
}

/** A test message has the form of the others, and is about its endpoint. */
async function prepareTest(db: Db, message: ClaimedMessage): Promise<Ready | null> {
  const { type, endpointGuid } = message;
  const target = await findTarget(db, message, { callbackUrl: null });
  if (target === null) return null;
  const timestamp = message.createdOn.toISOString();
  const body = JSON.stringify({ type, timestamp, data: { webhookGUID: endpointGuid } });
  return { url: new URL(target.url), purpose: target.purpose, body };
}

async function findTarget(
  db: Db,
  { endpointGuid, clientGuid }: ClaimedMessage,
  { callbackUrl }: Pick<OperationRow, 'callbackUrl'>,
): Promise<{ readonly url: string; readonly purpose: string } | null> {
  if (endpointGuid !== null) {
    const row = await db
      .selectFrom('webhook_endpoint')
      .innerJoin('organisation', 'organisation.guid', 'webhook_endpoint.organisation_guid')
      .select('webhook_endpoint.url')
      .where('webhook_endpoint.guid', '=', endpointGuid)
      .where('organisation.is_archived', '=', false)
      .executeTakeFirst();
    return row === undefined ? null : { url: row.url, purpose: endpointPurpose(endpointGuid) };
  }
  const living = await livingClients(db)
    .where('client_application.guid', '=', clientGuid)
    .select('client_application.guid')
    .executeTakeFirst();
  if (living === undefined || callbackUrl === null) return null;
  return { url: callbackUrl, purpose: webhookPurpose(clientGuid) };
}

/** Sends the message; null when there is nothing to send. */
async function send(
  deps: Deps,
  message: ClaimedMessage,
  signal: AbortSignal,
): Promise<Posted | null> {
  const ready = await deps.ask(() => prepare(deps, message));
  if (ready === null) return null;
  const { url, purpose, body } = ready;
  const { webhookId } = message;
  const addresses = await deps.addresses.resolve(url);
  const { key } = await deps.secrets.getCurrentKey(purpose);
  const now = deps.clock.now();
  const signature = new Webhook(Buffer.from(key).toString('base64')).sign(webhookId, now, body);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Recodery',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signature,
  };
  return post({ url, addresses, headers, body }, signal, deps.limits);
}

async function record(
  deps: WebhookDependencies,
  message: ClaimedMessage,
  result: AttemptResult,
  log: Log,
): Promise<void> {
  const { status, error } = result.posted;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const retry = isDelivered
    ? null
    : retryForADay(pauses, message.attempt, message.createdOn, deps.clock.now());
  const isKept = await deps.db.transaction().execute(async (trx) => {
    const isOurs =
      retry?.decision === 'again'
        ? await postponeMessage(trx, message, retry.afterSeconds)
        : await endMessage(trx, message, isDelivered ? 'delivered' : 'failed');
    if (isOurs) await insertAttempt(trx, message.guid, result);
    return isOurs;
  });
  webhookAttempts.inc({
    outcome: isDelivered ? 'delivered' : retry?.decision === 'again' ? 'postponed' : 'failed',
  });
  // never the address: its query may be a secret
  const facts = { status, error: error ?? undefined, durationMs: result.durationMs };
  if (!isKept) log.info(facts, 'webhook sent; its receiver was removed during delivery');
  else if (isDelivered) log.info(facts, 'webhook delivered');
  else log.warn({ ...facts, retry }, 'could not deliver webhook');
}
