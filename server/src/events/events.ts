/**
 * The events of all streams of this portal: current state, read again for each announcement, never the announcement
 * itself. A record is read once for all streams of an organisation, and only its own streams receive it.
 */
import type { Kysely } from 'kysely';
import type { ServiceStatus } from '@recodery/contract/service-status';
import type { Log } from '../config/log.ts';
import { Throttled } from '../http/throttled.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import type { Announce, Announcement } from '../postgres/announce.ts';
import type { Database } from '../postgres/schema.ts';
import {
  endClosedSessions,
  type Feed,
  type ReadDependencies,
  readFor,
  sendRecent,
} from './read.ts';
import { createTurns } from './turns.ts';

/** Streams of one session or client application at once in this portal. A browser needs one, whatever its tabs. */
const mostOfBearer = 20;
/** Streams of one organisation at once in this portal. */
const mostOfOrganisation = 200;
/** Seconds after which a caller with too many streams can try again; pages poll until then. */
const retryAfterSeconds = 60;
/** Reads for events that run at once: they leave most of the connections to the database to calls. */
const readsAtOnce = 4;
/** Milliseconds between two checks of all sessions: expiry by age is not announced. */
const sessionInterval = 15_000;

export interface EventDependencies extends ReadDependencies {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly serviceStatus: { subscribe(listener: (status: ServiceStatus) => void): () => void };
}

/** The streams of this portal. */
export interface Events {
  /** @throws {Throttled} TOO_MANY_EVENT_STREAMS */
  admit(caller: Caller): void;
  /**
   * Feeds a stream until the returned function is called: first the caller's running operations and those that finished
   * in the last minute, then all announcements for their organisation.
   */
  open(feed: Pick<Feed, 'caller' | 'headers' | 'sink'>): () => void;
}

/** The open streams of an organisation. What is read with its id is sent to these streams alone. */
interface Group {
  readonly organisationId: OrganisationId;
  readonly feeds: Set<Feed>;
}

/** Who opened a stream: the guid of their session or client application. */
function bearerOf(caller: Caller): string {
  return caller.kind === 'client' ? caller.clientGuid : caller.sessionGuid;
}

/** Whether an announcement that concerns the organisation of a stream also concerns the stream. */
function concerns({ kind, guid }: Announcement, { caller }: Feed): boolean {
  // rights and devices may have changed: every session of the organisation, or this one alone
  if (kind === 'session') return guid === null || guid === bearerOf(caller);
  return caller.hasPortalAccess || kind === 'message';
}

/** The object of an announcement: two announcements about the same object need only one read. */
function nameOf({ kind, guid }: Announcement): string {
  return `${kind === 'operation-due' ? 'operation' : kind} ${guid}`;
}

/** Creates the events of a portal. While no stream is open, it subscribes to nothing. */
export function createEvents(deps: EventDependencies): Events {
  const groups = new Map<string, Group>();
  const bearers = new Map<string, number>();
  const turns = createTurns(readsAtOnce);
  let unsubscribe: (() => void) | null = null;

  /** Runs a read in its turn; if it fails, its streams end, and reconnecting browsers receive all state again. */
  const read = (group: object, name: string, feeds: () => Feed[], work: () => Promise<void>) =>
    turns.add(group, name, () =>
      work().catch((error: unknown) => {
        deps.log.warn({ error }, 'could not read an event');
        for (const { sink } of feeds()) sink.end();
      }),
    );

  const groupsOf = ({ organisation }: Announcement): Iterable<Group> => {
    if (organisation === null) return groups.values();
    const group = groups.get(organisation);
    return group === undefined ? [] : [group];
  };

  const follow = (hint: Announcement): void => {
    for (const group of groupsOf(hint)) {
      const feeds = () => [...group.feeds].filter((feed) => concerns(hint, feed));
      if (feeds().length === 0) continue;
      const { organisationId } = group;
      read(group, nameOf(hint), feeds, () => readFor(deps, organisationId, feeds(), hint));
    }
  };

  const greet = (group: Group, { caller }: Feed): void => {
    const { accountGuid, clientGuid } = caller;
    const feeds = () =>
      [...group.feeds].filter(
        (feed) =>
          feed.isNew &&
          feed.caller.accountGuid === accountGuid &&
          feed.caller.clientGuid === clientGuid,
      );
    read(group, `recent ${accountGuid ?? clientGuid}`, feeds, () => sendRecent(deps, feeds()));
  };

  const listAll = () => [...groups.values()].flatMap(({ feeds }) => [...feeds]);
  const checkSessions = () =>
    read(groups, 'sessions', listAll, () => endClosedSessions(deps, listAll()));

  const subscribe = (): (() => void) => {
    const timer = setInterval(checkSessions, sessionInterval);
    const ends = [
      deps.announce.subscribe(follow, () => {
        checkSessions();
        for (const group of groups.values()) {
          for (const feed of group.feeds) {
            feed.isNew = true;
            greet(group, feed);
          }
        }
      }),
      deps.serviceStatus.subscribe((status) => {
        for (const { sink } of listAll()) sink.send('service-status', status);
      }),
    ];
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  };

  return {
    admit(caller) {
      const ofBearer = bearers.get(bearerOf(caller)) ?? 0;
      const ofOrganisation = groups.get(caller.organisationId)?.feeds.size ?? 0;
      if (ofBearer >= mostOfBearer || ofOrganisation >= mostOfOrganisation)
        throw new Throttled('TOO_MANY_EVENT_STREAMS', retryAfterSeconds);
    },
    open({ caller, headers, sink }) {
      const { organisationId } = caller;
      const bearer = bearerOf(caller);
      const feed: Feed = { caller, headers, sink, isNew: true };
      const group = groups.get(organisationId) ?? { organisationId, feeds: new Set() };
      groups.set(organisationId, group);
      group.feeds.add(feed);
      bearers.set(bearer, (bearers.get(bearer) ?? 0) + 1);
      // before it reads, so that no change is missed
      unsubscribe ??= subscribe();
      greet(group, feed);
      return () => {
        group.feeds.delete(feed);
        if (group.feeds.size === 0) groups.delete(organisationId);
        const others = (bearers.get(bearer) ?? 1) - 1;
        if (others === 0) bearers.delete(bearer);
        else bearers.set(bearer, others);
        if (groups.size > 0) return;
        unsubscribe?.();
        unsubscribe = null;
      };
    },
  };
}
