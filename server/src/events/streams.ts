/** The open streams of this portal by organisation, and how many a caller and an organisation can have. */
import { Throttled } from '../http/requests/throttled.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import type { Feed } from './read.ts';

/**
 * Streams of one session or client application at once in this portal. A browser needs one, however many tabs it has.
 */
const mostOfBearer = 20;
/** Streams of one organisation at once in this portal. */
const mostOfOrganisation = 200;
/** Seconds after which a caller with too many streams can try again; pages poll until then. */
const retryAfterSeconds = 60;

/** The open streams of an organisation. What is read with its id is sent to these streams alone. */
export interface Group {
  readonly organisationId: OrganisationId;
  readonly feeds: Set<Feed>;
}

export interface Streams {
  /** @throws {Throttled} TOO_MANY_EVENT_STREAMS */
  admit(caller: Caller): void;
  /** Adds a stream to those of its caller's organisation. */
  add(feed: Feed): Group;
  remove(feed: Feed): void;
  /** The groups that should receive an announcement about an organisation; null: all. */
  groupsOf(organisation: string | null): readonly Group[];
  listAll(): readonly Feed[];
}

/** Who opened a stream: the guid of their session or client application. */
export function bearerOf(caller: Caller): string {
  return caller.kind === 'client' ? caller.clientGuid : caller.sessionGuid;
}

/** Creates the list of open streams, which is empty. */
export function createStreams(): Streams {
  const groups = new Map<string, Group>();
  const bearers = new Map<string, number>();
  return {
    admit(caller) {
      const ofBearer = bearers.get(bearerOf(caller)) ?? 0;
      const ofOrganisation = groups.get(caller.organisationId)?.feeds.size ?? 0;
      if (ofBearer >= mostOfBearer || ofOrganisation >= mostOfOrganisation)
        throw new Throttled('TOO_MANY_EVENT_STREAMS', retryAfterSeconds);
    },
    add(feed) {
      const { organisationId } = feed.caller;
      const bearer = bearerOf(feed.caller);
      const group = groups.get(organisationId) ?? { organisationId, feeds: new Set() };
      groups.set(organisationId, group);
      group.feeds.add(feed);
      bearers.set(bearer, (bearers.get(bearer) ?? 0) + 1);
      return group;
    },
    remove(feed) {
      const { organisationId } = feed.caller;
      const bearer = bearerOf(feed.caller);
      const group = groups.get(organisationId);
      group?.feeds.delete(feed);
      if (group?.feeds.size === 0) groups.delete(organisationId);
      const others = (bearers.get(bearer) ?? 1) - 1;
      if (others === 0) bearers.delete(bearer);
      else bearers.set(bearer, others);
    },
    groupsOf(organisation) {
      if (organisation === null) return [...groups.values()];
      const group = groups.get(organisation);
      return group === undefined ? [] : [group];
    },
    listAll: () => [...groups.values()].flatMap(({ feeds }) => [...feeds]),
  };
}
