/** Routes for notifications: the list, the marks of sender and receiver, and revoking a share. */
import { Refusal } from '@recodery/contract/errors';
import {
  listNotifications,
  markAsInteractedByReceiver,
  markAsInteractedBySender,
  markAsReadByReceiver,
  markAsReadBySender,
  type Notification,
  revokeShare,
} from '@recodery/contract/notifications';
import type { Kysely } from 'kysely';
import type { Router } from '../http/serve.ts';
import type { Caller } from '../organisations/caller.ts';
import type { Database } from '../postgres/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { type DescribeDependencies, describeNotification } from './describe.ts';
import { readCursor } from './notification-rules.ts';
import {
  findNotification,
  listNotificationsOf,
  markNotification,
  revokeShareOf,
} from './notifications.ts';

type Headers = Parameters<typeof languageFor>[0];

export interface NotificationRouteDependencies extends DescribeDependencies {
  readonly db: Kysely<Database>;
  /** The culture that the caller's account has chosen, or null. */
  readCulture(caller: Caller): Promise<string | null>;
}

/** A notification's record as the list returns it, for the event stream; null when the caller has no access to it. */
export async function readNotification(
  deps: NotificationRouteDependencies,
  caller: Caller,
  guid: string,
  headers: Headers,
): Promise<Notification | null> {
  const seen = await findNotification(deps.db, caller, guid);
  if (seen === null) return null;
  const language = languageFor(headers, await deps.readCulture(caller));
  return describeNotification(deps, caller.organisationId, seen, language);
}

/** Registers the notification routes. */
export function serveNotifications(router: Router, deps: NotificationRouteDependencies): void {
  const { db } = deps;

  router.serve(listNotifications, async ({ caller, query, request }) => {
    const from = readCursor(query.to);
    if (from === null) throw new Refusal('BAD_REQUEST');
    const [culture, seen] = await Promise.all([
      deps.readCulture(caller),
      listNotificationsOf(db, caller, from, query.count),
    ]);
    const language = languageFor(request.headers, culture);
    return Promise.all(
      seen.map((one) => describeNotification(deps, caller.organisationId, one, language)),
    );
  });

  for (const [route, mark, part] of [
    [markAsReadBySender, 'read', 'sender'],
    [markAsInteractedBySender, 'interacted', 'sender'],
    [markAsReadByReceiver, 'read', 'receiver'],
    [markAsInteractedByReceiver, 'interacted', 'receiver'],
  ] as const) {
    router.serve(route, async ({ caller, params }) => {
      const isHis = await markNotification(db, caller, params.guid, mark, part);
      if (!isHis) throw new Refusal('NOT_FOUND');
      return undefined;
    });
  }

  router.serve(revokeShare, async ({ caller, params }) => {
    const isHis = await revokeShareOf(db, caller, params.guid);
    if (!isHis) throw new Refusal('NOT_FOUND');
    return undefined;
  });
}
