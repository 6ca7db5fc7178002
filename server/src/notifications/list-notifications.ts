/** Lists notifications: a page costs the same, regardless of their number and senders. */
import { sql } from 'kysely';
import type { Doer } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Cursor, ViewerRole } from './notification-rules.ts';
import { readRow, seen, type SeenNotification } from './notifications.ts';

/** Newest first; at the same time, the greater guid first. */
function compare(one: SeenNotification, other: SeenNotification): number {
  const byTime = other.completedOn.getTime() - one.completedOn.getTime();
  return byTime !== 0 ? byTime : one.guid < other.guid ? 1 : -1;
}

/** Who sent a notification, as in the index of those received from the viewer's own organisation. */
const senderGuid = sql`coalesce(sender_account_guid, sender_client_guid, '00000000-0000-0000-0000-000000000000')`;

/**
 * The newest notifications of each colleague of the viewer, at most `count` each. The index scan skips from one
 * colleague to the next, because the viewer may have a million of their own.
 */
function newestOfColleagues(viewer: Doer, { from, count, isNew }: PageRequest) {
  const { organisationId, accountGuid, clientGuid } = viewer;
  const isWithin = isAfter(from);
  const ofOwn = sql`receiver_organisation_guid = ${organisationId}
    and (sender_organisation_guid = receiver_organisation_guid) is true ${isNew ? sql`and receiver_interacted_on is null` : sql``}`;
  return sql<boolean>`notification.guid in (
    with recursive colleague as (
      (select ${senderGuid} as sender from notification where ${ofOwn} order by 1 limit 1)
      union all
      select (
        select ${senderGuid} from notification where ${ofOwn} and ${senderGuid} > colleague.sender order by 1 limit 1)
      from colleague where colleague.sender is not null)
    select newest.guid from colleague cross join lateral (
      select guid from notification where ${ofOwn} and ${senderGuid} = colleague.sender and ${isWithin}
      order by completed_on desc, guid desc limit ${count}) newest
    where colleague.sender is distinct from coalesce(${accountGuid}::uuid, ${clientGuid}::uuid))`;
}

/** The condition for notifications after a cursor. */
function isAfter(from: Cursor | 'newest') {
  if (from === 'newest') return sql<boolean>`true`;
  return from.guid === null
    ? sql<boolean>`completed_on < ${from.time}`
    : sql<boolean>`(completed_on, notification.guid) < (${from.time}::timestamptz(3), ${from.guid}::uuid)`;
}

/** A page of the list. */
export interface PageRequest {
  readonly from: Cursor | 'newest';
  readonly count: number;
  /** Only those that the viewer has not acted on. */
  readonly isNew: boolean;
}

/**
 * The viewer's notifications, sent and received, newest first, at most `count`. Each source is read from its own index,
 * which has the list's order. They are merged here, so that the planner cannot choose to sort a million rows.
 */
export async function listNotificationsOf(
  db: Db,
  viewer: Doer,
  page: PageRequest,
): Promise<readonly SeenNotification[]> {
  const { from, count, isNew } = page;
  const read = async (role: ViewerRole, isOfSource: ReturnType<typeof sql<boolean>>) => {
    const all = seen(db, viewer, role).where(isOfSource).where(isAfter(from));
    const wanted = isNew ? all.where(`${role}_interacted_on`, 'is', null) : all;
    const rows = await wanted
      .orderBy('completed_on', 'desc')
      .orderBy('notification.guid', 'desc')
      .limit(count)
      .execute();
    return rows.map((row) => readRow(row, role));
  };
  const parts = await Promise.all([
    read('sender', sql<boolean>`true`),
    read('receiver', sql<boolean>`sender_organisation_guid <> receiver_organisation_guid`),
    read('receiver', newestOfColleagues(viewer, page)),
  ]);
  return parts.flat().toSorted(compare).slice(0, count);
}
