/** The events that a caller's stream sends: current state, read again for each hint, never the hint itself. */
import type { EventName, Operation } from '@recodery/contract/operations';
import type { ServiceStatus } from '@recodery/contract/service-status';
import type { Session } from '@recodery/contract/session';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Caller, Person } from '../organisations/caller.ts';
import type { Announce, Announcement } from '../postgres/announce.ts';
import type { Log } from '../config/log.ts';
import type { Database } from '../postgres/schema.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { findOperation, listOwnRecent } from '../operations/operations.ts';

/** Seconds for which a finished operation is sent to new streams. */
const recentSeconds = 60;
/** Milliseconds between two session checks: expiry by age is not announced. */
const sessionInterval = 15_000;

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

/** Reads the record that an announcement refers to, for a subscriber; null: it does not concern them. */
export type ReadRecord = (subscriber: Subscriber, guid: string | null) => Promise<unknown>;

export interface EventDependencies {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly serviceStatus: { subscribe(listener: (status: ServiceStatus) => void): () => void };
  presentOperation(operation: OperationRow): Promise<Operation>;
  /** A user's session; null when it has ended. */
  readSession(user: Subscriber<Person>): Promise<Session | null>;
  /** Whether a client application can still call. */
  isClientLiving(clientGuid: string): Promise<boolean>;
  /** How other features read the records of their announcements. */
  readonly readers: Readonly<Partial<Record<'notification' | 'message', ReadRecord>>>;
}

/**
 * Feeds a stream until the returned function is called: first the caller's running operations and those that finished
 * in the last minute, then all announcements for their organisation. It subscribes before it reads, so that no change
 * is missed.
 */
export function feedEvents(
  deps: EventDependencies,
  subscriber: Subscriber,
  sink: EventSink,
): () => void {
  const feed: Feed = { deps, ...subscriber, sink };
  const queue = createQueue(deps.log, sink);
  const seeAgain = () => queue.add('all', () => sendRecent(feed));
  const recheckSession = () => queue.add('session', () => checkSession(feed, false));
  const timer = setInterval(recheckSession, sessionInterval);
  const ends = [
    deps.announce.subscribe((hint) => {
      if (concerns(feed, hint)) queue.add(nameOf(hint), () => follow(feed, hint));
    }, seeAgain),
    deps.serviceStatus.subscribe((status) => sink.send('service-status', status)),
  ];
  seeAgain();
  return () => {
    clearInterval(timer);
    queue.stop();
    for (const end of ends) end();
  };
}

interface Feed extends Subscriber {
  readonly deps: EventDependencies;
  readonly sink: EventSink;
}

function concerns({ caller }: Feed, { kind, guid, organisation }: Announcement): boolean {
  // rights and devices may have changed: every session of the organisation, or this one alone
  if (kind === 'session' && guid !== null)
    return caller.kind === 'person' && guid === caller.sessionGuid;
  if (!caller.hasPortalAccess && kind !== 'session' && kind !== 'message') return false;
  return organisation === null || organisation === caller.organisationId;
}

/** The object of an announcement: two announcements about the same object need only one read. */
function nameOf({ kind, guid }: Announcement): string {
  return `${kind === 'operation-due' ? 'operation' : kind} ${guid}`;
}

async function sendRecent({ deps, caller, sink }: Feed): Promise<void> {
  if (!caller.hasPortalAccess) return;
  for (const row of await listOwnRecent(deps.db, caller, recentSeconds)) {
    sink.send('operation', await deps.presentOperation(row));
  }
}

async function checkSession(feed: Feed, isAnnounced: boolean): Promise<void> {
  const { deps, caller, headers, sink } = feed;
  if (caller.kind === 'client') {
    if (!(await deps.isClientLiving(caller.clientGuid))) sink.end();
    return;
  }
  const found = await deps.readSession({ caller, headers });
  if (found !== null && isAnnounced) sink.send('session', found);
  // with another customer code or access, the browser reconnects as another caller
  const isSame =
    found?.customerCode === caller.customerCode && found.hasPortalAccess === caller.hasPortalAccess;
  if (!isSame) sink.end();
}

/** The reads that announcements have started. */
const readings = new WeakMap<Announcement, Promise<Operation | null>>();

/**
 * The operation that an announcement refers to. With many open pages its final state is read once for all of them: no
 * later state can follow, so no page can receive a stale one.
 */
async function readOperation(
  { deps, caller }: Feed,
  hint: Announcement,
): Promise<Operation | null> {
  const read = async (): Promise<Operation | null> => {
    const { guid } = hint;
    const row = guid === null ? null : await findOperation(deps.db, caller.organisationId, guid);
    return row === null ? null : deps.presentOperation(row);
  };
  // an organisation's records are never sent to another
  if (hint.organisation !== caller.organisationId) return read();
  const earlier = readings.get(hint);
  if (earlier !== undefined) {
    const known = await earlier;
    return known?.isCompleted === true ? known : read();
  }
  const reading = read();
  readings.set(hint, reading);
  return reading;
}

async function follow(feed: Feed, hint: Announcement): Promise<void> {
  const { deps, sink } = feed;
  const { kind, guid } = hint;
  // one that waits for a worker is announced as due: it is new, or was handed back
  if (kind === 'operation' || kind === 'operation-due') {
    const operation = await readOperation(feed, hint);
    if (operation !== null) sink.send('operation', operation);
  } else if (kind === 'session') {
    await checkSession(feed, true);
  } else if (kind === 'notification' || kind === 'message') {
    const record = await deps.readers[kind]?.(feed, guid);
    if (record != null) sink.send(kind, record);
  }
}

interface Queue {
  /** Runs `work` after everything added before; a call with the same name as a waiting one is dropped. */
  add(name: string, work: () => Promise<void>): void;
  stop(): void;
}

/** Keeps a stream's events in order, and reads repeated announcements only once. */
function createQueue(log: Log, sink: EventSink): Queue {
  const waiting = new Map<string, () => Promise<void>>();
  let isRunning = false;
  let isStopped = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (;;) {
      const [next] = waiting;
      if (next === undefined || isStopped) break;
      const [name, work] = next;
      waiting.delete(name);
      await work();
    }
    isRunning = false;
  }

  return {
    add(name, work) {
      waiting.set(name, work);
      if (isRunning || isStopped) return;
      run().catch((error: unknown) => {
        log.warn({ error }, 'could not read an event');
        // a reconnecting browser receives all state again
        sink.end();
      });
    },
    stop() {
      isStopped = true;
      waiting.clear();
    },
  };
}
