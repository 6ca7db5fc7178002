/** Routes for notifications: the list, the marks of sender and recipient, and withdrawing a file. */
import { Refusal } from '@recodery/contract/refusal';
import {
  listNotifications,
  markAsInteractedByReceiver,
  markAsInteractedBySender,
  markAsReadByReceiver,
  markAsReadBySender,
  type Notification,
  revokeShare,
} from '@recodery/contract/features/notifications';
import type { Kysely } from 'kysely';
import type { Router } from '../http/serve.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { readCultures } from '../organisations/cultures.ts';
import type { Database } from '../postgres/tables/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { describeNotification, type DescribeNotificationDependencies } from './describe.ts';
import { listNotificationsOf } from './list-notifications.ts';
import { readCursor } from './notification-rules.ts';
import {
  findNotification,
  markNotification,
  revokeShareOf,
  type SeenNotification,
} from './notifications.ts';

type Headers = Parameters<typeof languageFor>[0];

export interface NotificationRouteDependencies extends DescribeNotificationDependencies {
  readonly db: Kysely<Database>;
}

/** Who reads a stream. */
interface Subscriber {
  readonly caller: Caller;
  readonly headers: Headers;
}

/**
 * A notification's record as the list returns it, for the event streams of an organisation: read once, and described
 * once for each user and language. Those who have no access to it are missing.
 */
export async function readNotification<S extends Subscriber>(
  deps: NotificationRouteDependencies,
  organisationId: OrganisationId,
  subscribers: readonly S[],
  guid: string,
): Promise<ReadonlyMap<S, Notification>> {
  const seenBy = await findNotification(deps.db, organisationId, guid);
  const viewers = subscribers.flatMap((subscriber) => {
    const seen = seenBy?.(subscriber.caller) ?? null;
    return seen === null ? [] : [{ subscriber, seen }];
  });
  return describeFor(deps, viewers);
}

/**
 * For the event streams of one caller, their newest notification as the list returns it; empty if it is older than
 * `seconds`.
 */
export async function readNewestNotification<S extends Subscriber>(
  deps: NotificationRouteDependencies,
  subscribers: readonly S[],
  seconds: number,
): Promise<ReadonlyMap<S, Notification>> {
  const [first] = subscribers;
  if (first === undefined) return new Map();
  const page = { from: 'newest', count: 1, isNew: false } as const;
  const [seen] = await listNotificationsOf(deps.db, first.caller, page);
  const since = deps.clock.now().getTime() - seconds * 1000;
  if (seen === undefined || seen.completedOn.getTime() < since) return new Map();
  return describeFor(
    deps,
    subscribers.map((subscriber) => ({ subscriber, seen })),
  );
}

/** Describes notifications in each subscriber's language. */
async function describeFor<S extends Subscriber>(
  deps: NotificationRouteDependencies,
  viewers: readonly { readonly subscriber: S; readonly seen: SeenNotification }[],
): Promise<ReadonlyMap<S, Notification>> {
  if (viewers.length === 0) return new Map();
  const cultures = await readCultures(
    deps.db,
    viewers.map(({ subscriber }) => subscriber.caller),
  );
  const described = new Map<string, Notification>();
  const records = new Map<S, Notification>();
  for (const { subscriber, seen } of viewers) {
    const language = languageFor(subscriber.headers, cultures.get(subscriber.caller) ?? null);
    const { caller } = subscriber;
    const name = `${seen.role} ${language.locale} ${caller.accountGuid ?? caller.clientGuid}`;
    const record =
      described.get(name) ?? (await describeNotification(deps, caller, seen, language));
    described.set(name, record);
    records.set(subscriber, record);
  }
  return records;
}

/** Registers the notification routes. */
export function serveNotifications(router: Router, deps: NotificationRouteDependencies): void {
  const { db } = deps;

  router.serve(listNotifications, async ({ caller, query, request }) => {
    const from = readCursor(query.to);
    if (from === null) throw new Refusal('BAD_REQUEST');
    const [cultures, seen] = await Promise.all([
      readCultures(db, [caller]),
      listNotificationsOf(db, caller, { from, count: query.count, isNew: query.new }),
    ]);
    const language = languageFor(request.headers, cultures.get(caller) ?? null);
    return Promise.all(seen.map((one) => describeNotification(deps, caller, one, language)));
  });

  for (const [route, mark, role] of [
    [markAsReadBySender, 'read', 'sender'],
    [markAsInteractedBySender, 'interacted', 'sender'],
    [markAsReadByReceiver, 'read', 'receiver'],
    [markAsInteractedByReceiver, 'interacted', 'receiver'],
  ] as const) {
    router.serve(route, async ({ caller, params }) => {
      const isTheirs = await markNotification(db, caller, params.guid, mark, role);
      if (!isTheirs) throw new Refusal('NOT_FOUND');
      return undefined;
    });
  }

  router.serve(revokeShare, async ({ caller, params }) => {
    const isTheirs = await revokeShareOf(db, caller, params.guid);
    if (!isTheirs) throw new Refusal('NOT_FOUND');
    return undefined;
  });
}
