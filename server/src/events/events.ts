/**
 * The events of all streams of this portal: current state, read again for each announcement, never the announcement
 * itself. A record is read once for all streams of an organisation, and only its own streams receive it.
 */
import type { ServiceStatus } from '@recodery/contract/features/service-status';
import type { Log } from '../config/log.ts';
import { named } from '../config/named-work.ts';
import type { Caller } from '../organisations/caller.ts';
import { type Announce, type Announcement, isOfOperation } from '../postgres/announce.ts';
import {
  endClosedSessions,
  type Feed,
  type ReadDependencies,
  readFor,
  sendRecent,
} from './read.ts';
import { bearerOf, createStreams, type Group, type Streams } from './streams.ts';
import { createTurns, type Turns } from './turns.ts';

/** Reads for events that run at once: they leave most of the database connections to calls. */
const readsAtOnce = 4;
/** Milliseconds between two checks of all sessions: expiry by age is not announced. */
const sessionInterval = 15_000;
/**
 * Milliseconds after which an operation that waits for a worker is read. The caller that started it has it from the response,
 * and most have ended by then, so that they are read once.
 */
const waitingMs = 100;

export interface EventDependencies extends ReadDependencies {
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly serviceStatus: { subscribe(listener: (status: ServiceStatus) => void): () => void };
}

/** The events of this portal's streams. */
export interface Events {
  /** @throws {Throttled} TOO_MANY_EVENT_STREAMS */
  admit(caller: Caller): void;
  /**
   * Feeds a stream until the returned function is called: first the caller's running operations and those that finished
   * in the last minute, the newest notification if it is as recent, and the session, then all announcements for their organisation.
   */
  open(stream: Pick<Feed, 'caller' | 'headers' | 'sink'>): () => void;
}

/** The state that the functions below share. */
interface Portal {
  readonly deps: EventDependencies;
  readonly streams: Streams;
  readonly turns: Turns;
  /** The announcements that are read later, by group and name. */
  readonly later: Map<Group, Map<string, NodeJS.Timeout>>;
}

/** Creates the events of a portal. While no stream is open, it subscribes to nothing. */
export function createEvents(deps: EventDependencies): Events {
  const streams = createStreams();
  const portal: Portal = { deps, streams, turns: createTurns(readsAtOnce), later: new Map() };
  let unsubscribe: (() => void) | null = null;
  return {
    admit: (caller) => streams.admit(caller),
    open(stream) {
      const feed: Feed = { ...stream, isNew: true };
      const group = streams.add(feed);
      // before it reads, so that no change is missed
      unsubscribe ??= subscribe(portal);
      greet(portal, group, feed);
      return () => {
        streams.remove(feed);
        if (streams.listAll().length > 0) return;
        unsubscribe?.();
        unsubscribe = null;
      };
    },
  };
}

/** Subscribes to announcements for all streams. */
function subscribe(portal: Portal): () => void {
  const { deps, streams } = portal;
  const timer = setInterval(() => checkSessions(portal), sessionInterval);
  const ends = [
    deps.announce.subscribe(
      (hint) => follow(portal, hint),
      () => seeAgain(portal),
    ),
    deps.serviceStatus.subscribe((status) => {
      for (const { sink } of streams.listAll()) sink.send('service-status', status);
    }),
  ];
  return () => {
    clearInterval(timer);
    for (const timers of portal.later.values())
      for (const one of timers.values()) clearTimeout(one);
    portal.later.clear();
    for (const end of ends) end();
  };
}

/** Runs a read in its turn; if it fails, its streams end, and reconnecting browsers receive all state again. */
function read(
  { deps, turns }: Portal,
  group: object,
  name: string,
  list: () => readonly Feed[],
  work: (feeds: readonly Feed[]) => Promise<void>,
): void {
  turns.add(group, name, () =>
    named(`event ${name.split(' ')[0]}`, () => work(list())).catch((error: unknown) => {
      deps.log.warn({ error }, 'could not read an event');
      for (const { sink } of list()) sink.end();
    }),
  );
}

function follow(portal: Portal, hint: Announcement): void {
  for (const group of portal.streams.groupsOf(hint.organisation)) {
    const list = () => [...group.feeds].filter((feed) => concerns(hint, feed));
    const readIt = (): void => {
      if (list().length === 0) return;
      read(portal, group, nameOf(hint), list, (feeds) =>
        readFor(portal.deps, group.organisationId, feeds, hint),
      );
    };
    if (list().length > 0) readNowOrLater(portal, group, hint, readIt);
  }
}

/** Reads an operation that waits for a worker after {@link waitingMs}, unless it has changed again until then. */
function readNowOrLater(
  { later }: Portal,
  group: Group,
  hint: Announcement,
  readIt: () => void,
): void {
  const timers = later.get(group) ?? new Map<string, NodeJS.Timeout>();
  const name = nameOf(hint);
  clearTimeout(timers.get(name));
  const end = (): void => {
    timers.delete(name);
    if (timers.size === 0) later.delete(group);
    readIt();
  };
  if (hint.kind === 'operation' || !isOfOperation(hint.kind)) return end();
  later.set(group, timers.set(name, setTimeout(end, waitingMs)));
}

/** Whether a stream should receive an announcement to its organisation. */
function concerns({ kind, guid }: Announcement, { caller }: Feed): boolean {
  // rights and devices may have changed: for every session of the organisation, or only for this one
  if (kind === 'session') return guid === null || guid === bearerOf(caller);
  return caller.hasPortalAccess || kind === 'message';
}

/** The object of an announcement: two announcements about the same object need only one read. */
function nameOf({ kind, guid }: Announcement): string {
  return `${isOfOperation(kind) ? 'operation' : kind} ${guid}`;
}

/**
 * Sends the recent operations and the session to the new streams of a caller; streams of one caller that open together
 * share the read.
 */
function greet(portal: Portal, group: Group, { caller: { accountGuid, clientGuid } }: Feed): void {
  const list = () =>
    [...group.feeds].filter(
      ({ isNew, caller }) =>
        isNew && caller.accountGuid === accountGuid && caller.clientGuid === clientGuid,
    );
  read(portal, group, `recent ${accountGuid ?? clientGuid}`, list, (feeds) =>
    sendRecent(portal.deps, feeds),
  );
}

/** Checks the sessions and greets every stream again, because announcements may have been missed. */
function seeAgain(portal: Portal): void {
  checkSessions(portal);
  for (const group of portal.streams.groupsOf(null)) {
    for (const feed of group.feeds) {
      feed.isNew = true;
      greet(portal, group, feed);
    }
  }
}

function checkSessions(portal: Portal): void {
  const { deps, streams } = portal;
  read(
    portal,
    streams,
    'sessions',
    () => streams.listAll(),
    (feeds) => endClosedSessions(deps, feeds),
  );
}
