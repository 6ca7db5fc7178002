/** The notifications under the current customer code: asked for, hinted at by the stream, marked, taken back. */
import {
  badgeCap,
  cursorBehind,
  listNotifications,
  markAsInteractedByReceiver,
  markAsInteractedBySender,
  markAsReadByReceiver,
  markAsReadBySender,
  type Notification,
  notification as notificationShape,
  notificationPageSize,
  notificationPolling,
  revokeShare,
} from '@recodery/contract/notifications';
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { onEvent } from '../../api/events.ts';
import { useTexts } from '../../i18n/texts.ts';
import { keyOf } from './notification-rules.ts';

// What begins with `code` belongs to the customer code and is forgotten with it.
const allKey = ['code', 'notifications'] as const;

/** As many as the badge may have to count: from one more on it would show the same. */
export const latestQuery = (language: string) =>
  queryOptions({
    // the server words the messages, so they are asked for in each language
    queryKey: [...allKey, 'latest', language],
    queryFn: ({ signal }) =>
      call(listNotifications, { query: { count: String(badgeCap) } }, { signal }),
    refetchInterval: notificationPolling,
    placeholderData: keepPreviousData,
  });

const listQuery = (language: string) =>
  infiniteQueryOptions({
    queryKey: [...allKey, 'list', language],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const count = String(notificationPageSize);
      const query = pageParam === null ? { count } : { count, to: pageParam };
      return call(listNotifications, { query }, { signal });
    },
    getNextPageParam: (page) => {
      const last = page.at(-1);
      return last === undefined || page.length < notificationPageSize ? null : cursorBehind(last);
    },
    refetchInterval: notificationPolling,
    placeholderData: keepPreviousData,
  });

function askAnew(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: allKey });
}

/** Asks anew at each event: it is only a hint. Gives back how to stop. */
export function subscribeToNotifications(queries: QueryClient): () => void {
  return onEvent('notification', notificationShape, () => askAnew(queries));
}

/** The latest notifications, for bell and badge; asked for every three minutes whatever the stream hints at. */
export function useLatestNotifications() {
  const queries = useQueryClient();
  const { language } = useTexts();
  useEffect(() => subscribeToNotifications(queries), [queries]);
  return useQuery(latestQuery(language));
}

/** Milliseconds between two questions for a notification that somebody waits for, where no hint comes. */
const impatience = 10_000;

/**
 * What the sender is told of one of the latest operations, or undefined until it has ended. The bell in the header hears
 * the hints for it too. `guid` null: nothing is asked.
 */
export function useOwnNotification(guid: string | null): Notification | undefined {
  const { language } = useTexts();
  const own = (all: readonly Notification[] | undefined): Notification | undefined =>
    all?.find((seen) => seen.isSent && seen.guid === guid);
  const { data } = useQuery({
    ...latestQuery(language),
    enabled: guid !== null,
    refetchInterval: ({ state }) => (own(state.data) ? notificationPolling : impatience),
  });
  return own(data);
}

/** All notifications, in pages. The bell in the header hears the hints for these too. */
export function useNotificationList() {
  const { language } = useTexts();
  return useInfiniteQuery(listQuery(language));
}

/** Says that a notification was shown. */
export async function markRead({ guid, isReceived }: Notification): Promise<void> {
  await call(isReceived ? markAsReadByReceiver : markAsReadBySender, { params: { guid } });
}

/** Marks notifications as acted on, one after the other. */
export function useMarkInteracted() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (marked: readonly Notification[]) => {
      for (const { guid, isReceived } of marked) {
        const route = isReceived ? markAsInteractedByReceiver : markAsInteractedBySender;
        await call(route, { params: { guid } });
      }
    },
    onSettled: () => askAnew(queries),
  });
}

/** Takes back what was shared. */
export function useRevokeShare() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (guid: string) => call(revokeShare, { params: { guid } }),
    onSettled: () => askAnew(queries),
  });
}

/**
 * The notification as it is now, with an address that was minted at this moment: the one in a list that has been open
 * for an hour is dead. Null when it is gone. The list gives only what is older than a time, hence the millisecond.
 */
export async function readAgain(seen: Notification): Promise<Notification | null> {
  const to = new Date(Date.parse(seen.completedOn) + 1).toISOString();
  const query = { count: String(notificationPageSize), to };
  const same = (await call(listNotifications, { query })).find(
    (other) => keyOf(other) === keyOf(seen),
  );
  return same ?? null;
}
