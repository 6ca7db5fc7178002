/** The notifications under the current customer code: fetched, marked, withdrawn. */
import {
  badgeCap,
  cursorBehind,
  listNotifications,
  markAsInteractedByReceiver,
  markAsInteractedBySender,
  markAsReadByReceiver,
  markAsReadBySender,
  type Notification,
  notificationPageSize,
  notificationPolling,
  revokeShare,
} from '@recodery/contract/features/notifications';
import {
  infiniteQueryOptions,
  keepPreviousData,
  type NetworkMode,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { keyOf } from './notification-rules.ts';

// Keys that begin with `code` belong to the customer code and are removed with it.
const allKey = ['code', 'notifications'] as const;

/** Requests only as many as the badge can count: any more would not change it. */
export const latestQuery = (language: string) =>
  queryOptions({
    // the server translates the messages, so each language has its own query
    queryKey: [...allKey, 'latest', language],
    queryFn: ({ signal }) =>
      call(listNotifications, { query: { count: String(badgeCap) } }, { signal }),
    refetchInterval: notificationPolling,
    placeholderData: keepPreviousData,
  });

/**
 * New notifications that are older than the latest ones: the badge counts them too. Requested only if the latest ones
 * are as many as were requested, so that there may be older ones.
 */
const olderNewQuery = (language: string, latest: readonly Notification[] | undefined) => {
  const last = latest?.length === badgeCap ? latest.at(-1) : undefined;
  const to = last && cursorBehind(last);
  return queryOptions({
    queryKey: [...allKey, 'older-new', language, to],
    queryFn: ({ signal }) =>
      call(
        listNotifications,
        { query: { count: String(badgeCap), new: 'true', ...(to === undefined ? {} : { to }) } },
        { signal },
      ),
    enabled: to !== undefined,
    refetchInterval: notificationPolling,
    placeholderData: keepPreviousData,
  });
};

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

function refetchAll(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: allKey });
}

/** The latest notifications, for bell and badge; polled every three minutes regardless of the stream. */
export function useLatestNotifications() {
  const { language } = useTexts();
  return useQuery(latestQuery(language));
}

/** New notifications that are older than the latest ones, as far as the badge can count them. */
export function useOlderNew(latest: readonly Notification[] | undefined): readonly Notification[] {
  const { language } = useTexts();
  const query = olderNewQuery(language, latest);
  const { data } = useQuery(query);
  return (query.enabled === true && data) || [];
}

/** Polling interval in milliseconds for a notification that the page waits for, when no hint arrives. */
const waitingPolling = 10_000;

/**
 * The sender's notification of one of the latest operations, or undefined until it has finished. `guid` null: no
 * request is sent. `hasEnded`: the page knows that it has finished; its notification then exists, or is not among the
 * latest.
 */
export function useOwnNotification(
  guid: string | null,
  hasEnded: boolean,
): Notification | undefined {
  const { language } = useTexts();
  const own = (all: readonly Notification[] | undefined): Notification | undefined =>
    all?.find((seen) => seen.isSent && seen.guid === guid);
  const { data } = useQuery({
    ...latestQuery(language),
    enabled: guid !== null,
    refetchInterval: ({ state }) =>
      hasEnded || own(state.data) ? notificationPolling : waitingPolling,
  });
  return own(data);
}

/** All notifications, in pages. */
export function useNotificationList() {
  const { language } = useTexts();
  return useInfiniteQuery(listQuery(language));
}

/** Reports that a notification was shown. */
export async function markRead({ guid, isReceived }: Notification): Promise<void> {
  await call(isReceived ? markAsReadByReceiver : markAsReadBySender, { params: { guid } });
}

/**
 * Marks notifications as acted on, one after the other. Without a network, it fails at once; with `online` it waits for
 * the network, and tries twice more: a browser reports a network a moment before requests succeed.
 */
export function useMarkInteracted(networkMode: NetworkMode = 'always') {
  const queries = useQueryClient();
  return useMutation({
    networkMode,
    retry: networkMode === 'online' ? 2 : 0,
    mutationFn: async (marked: readonly Notification[]) => {
      for (const { guid, isReceived } of marked) {
        const route = isReceived ? markAsInteractedByReceiver : markAsInteractedBySender;
        await call(route, { params: { guid } });
      }
    },
    onSettled: () => refetchAll(queries),
  });
}

/** Withdraws what was shared. */
export function useRevokeShare() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (guid: string) => call(revokeShare, { params: { guid } }),
    onSettled: () => refetchAll(queries),
  });
}

/**
 * The current notification, with a fresh address: the one in a list that has been open for an hour has expired. Null
 * when it no longer exists. The list returns only entries older than a given time, hence the millisecond.
 */
export async function readAgain(seen: Notification): Promise<Notification | null> {
  const to = new Date(Date.parse(seen.completedOn) + 1).toISOString();
  const query = { count: String(notificationPageSize), to };
  const same = (await call(listNotifications, { query })).find(
    (other) => keyOf(other) === keyOf(seen),
  );
  return same ?? null;
}
