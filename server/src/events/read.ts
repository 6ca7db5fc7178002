/** Reads what an announcement refers to, once for many streams, and sends to each what its caller may see. */
import { setImmediate } from 'node:timers/promises';
import type { EventName, Operation } from '@recodery/contract/features/operations';
import type { Session } from '@recodery/contract/features/session';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { OperationRow } from '../operations/operation-rules.ts';
import { findOperation, listOwnRecent } from '../operations/operations.ts';
import { readAs } from '../operations/routes.ts';
import type { Caller, OrganisationId, Person } from '../organisations/caller.ts';
import { type Announcement, isOfOperation } from '../postgres/announce.ts';
import type { Database } from '../postgres/tables/schema.ts';

/** Seconds for which a finished operation, and the newest notification, are sent to new streams. */
const recentSeconds = 60;

/** The destination of events: one stream of one browser. */
export interface EventSink {
  send(event: EventName, record: unknown): void;
  /** Ends the stream; the browser reconnects, or learns that its session has ended. */
  end(): void;
}

/** The subscriber of a stream: the caller, and the headers of their request, which determine the language. */
export interface Subscriber<C extends Caller = Caller> {
  readonly caller: C;
  readonly headers: FastifyRequest['headers'];
}

/** An open stream. */
export interface Feed extends Subscriber {
  readonly sink: EventSink;
  /** Whether its session and the recent operations are still to be sent. */
  isNew: boolean;
}

/**
 * Reads the record that an announcement refers to, once for all subscribers, who belong to that organisation.
 * Subscribers that should not receive it are not in the result.
 */
export type RecordReader = <S extends Subscriber>(
  organisationId: OrganisationId,
  subscribers: readonly S[],
  guid: string | null,
) => Promise<ReadonlyMap<S, unknown>>;

/** The properties of an open session that its streams depend on. */
export type OpenSession = Pick<Person, 'customerCode' | 'hasPortalAccess'>;

export interface ReadDependencies {
  readonly db: Kysely<Database>;
  presentOperation(operation: OperationRow): Promise<Operation>;
  /** Those of the sessions that are open, by their guid. */
  findOpenSessions(sessionGuids: readonly string[]): Promise<ReadonlyMap<string, OpenSession>>;
  /** The record of an open session for its user; null if it has ended. */
  readSession(user: Subscriber<Person>): Promise<Session | null>;
  /** The language of a session's record if its account has chosen none. */
  languageOf(headers: Subscriber['headers']): string;
  /** Those of the client applications that can still call. */
  findLivingClients(clientGuids: readonly string[]): Promise<ReadonlySet<string>>;
  /** How other features read the records of their announcements. */
  readonly readers: Readonly<Partial<Record<'notification' | 'message' | 'draft', RecordReader>>>;
  /** The newest notification of a caller that is at most so many seconds old, for each of their streams. */
  readNewestNotification<S extends Subscriber>(
    subscribers: readonly S[],
    seconds: number,
  ): Promise<ReadonlyMap<S, unknown>>;
}

/** Sends after which calls get their turn. */
const sendsAtOnce = 5;

/** Gives each stream its part; many streams do not delay calls. */
async function sendEach<T>(parts: Iterable<T>, send: (part: T) => void): Promise<void> {
  let count = 0;
  for (const part of parts) {
    send(part);
    count += 1;
    if (count % sendsAtOnce === 0) await setImmediate();
  }
}

/**
 * Sends to new streams of one caller the running and just finished operations, the newest notification, so that a page
 * which has just read the list learns of a newer one, and then their sessions, which may have changed in the same way.
 */
export async function sendRecent(deps: ReadDependencies, feeds: readonly Feed[]): Promise<void> {
  for (const feed of feeds) feed.isNew = false;
  const readers = feeds.filter(({ caller }) => caller.hasPortalAccess);
  const [first] = readers;
  const rows = first ? await listOwnRecent(deps.db, first.caller, recentSeconds) : [];
  for (const row of rows) {
    const operation = await deps.presentOperation(row);
    await sendEach(readers, ({ sink }) => sink.send('operation', operation));
  }
  const newest = await deps.readNewestNotification(readers, recentSeconds);
  await sendEach(newest, ([{ sink }, record]) => sink.send('notification', record));
  await sendSessions(deps, feeds);
}

/** Reads what an announcement refers to, and sends it to the streams, all of that organisation. */
export async function readFor(
  deps: ReadDependencies,
  organisationId: OrganisationId,
  feeds: readonly Feed[],
  { kind, guid }: Announcement,
): Promise<void> {
  if (isOfOperation(kind)) {
    if (guid !== null) await sendOperation(deps, organisationId, feeds, guid);
  } else if (kind === 'session') {
    await sendSessions(deps, feeds);
    await endClosedSessions(deps, feeds);
  } else if (kind === 'notification' || kind === 'message' || kind === 'draft') {
    const records = await deps.readers[kind]?.(organisationId, feeds, guid);
    await sendEach(records ?? [], ([{ sink }, record]) => sink.send(kind, record));
  }
}

async function sendOperation(
  deps: ReadDependencies,
  organisationId: OrganisationId,
  feeds: readonly Feed[],
  guid: string,
): Promise<void> {
  const row = await findOperation(deps.db, organisationId, guid);
  if (row === null) return;
  // at most two: with and without what its caller has attached
  const records = new Map<string | null, Operation>();
  for (const { caller } of feeds) {
    const seen = readAs(caller, row);
    if (records.has(seen.contextData)) continue;
    records.set(seen.contextData, await deps.presentOperation(seen));
  }
  await sendEach(feeds, ({ caller, sink }) =>
    sink.send('operation', records.get(readAs(caller, row).contextData)),
  );
}

/** Sends their sessions to the streams of people. */
async function sendSessions(deps: ReadDependencies, feeds: readonly Feed[]): Promise<void> {
  const records = new Map<string, Promise<Session | null>>();
  for (const { caller, headers, sink } of feeds) {
    if (caller.kind === 'client') continue;
    const name = `${caller.sessionGuid} ${deps.languageOf(headers)}`;
    const reading = records.get(name) ?? deps.readSession({ caller, headers });
    records.set(name, reading);
    const record = await reading;
    if (record !== null) sink.send('session', record);
  }
}

/**
 * Ends the streams whose session or client application has ended, and those whose session has changed its customer code
 * or access: the browser reconnects as another caller.
 */
export async function endClosedSessions(
  deps: Pick<ReadDependencies, 'findOpenSessions' | 'findLivingClients'>,
  feeds: readonly Feed[],
): Promise<void> {
  const callers = feeds.map(({ caller }) => caller);
  const sessions = callers.flatMap((one) => (one.kind === 'person' ? [one.sessionGuid] : []));
  const clients = callers.flatMap((one) => (one.kind === 'client' ? [one.clientGuid] : []));
  const [open, living] = await Promise.all([
    deps.findOpenSessions([...new Set(sessions)]),
    deps.findLivingClients([...new Set(clients)]),
  ]);
  for (const { caller, sink } of feeds) {
    if (caller.kind === 'client') {
      if (!living.has(caller.clientGuid)) sink.end();
      continue;
    }
    const found = open.get(caller.sessionGuid);
    const isSame =
      found?.customerCode === caller.customerCode &&
      found.hasPortalAccess === caller.hasPortalAccess;
    if (!isSame) sink.end();
  }
}
