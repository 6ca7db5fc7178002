/** The webhooks of the current customer code and their deliveries: fetched, added, removed, sent again. */
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  testWebhook,
} from '@recodery/contract/features/webhooks';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { refetchSaved, settingsKey } from '../../api/events/saved-settings.ts';

const webhooksQuery = queryOptions({
  queryKey: settingsKey('webhooks'),
  queryFn: ({ signal }) => call(listWebhooks, {}, { signal }),
  staleTime: 0,
});

/** The endpoints, newest first. */
export function useWebhooks() {
  return useQuery(webhooksQuery);
}

/** Adds an endpoint. Its secret is only in the response, which is therefore not kept. */
export function useAddWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (url: string) => call(addWebhook, { body: { url } }),
    gcTime: 0,
    onSettled: () => refetchSaved(queries, 'webhooks'),
  });
}

/** Removes an endpoint. */
export function useRemoveWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (guid: string) => call(removeWebhook, { params: { guid } }),
    onSettled: () => refetchSaved(queries, 'webhooks'),
  });
}

/** Milliseconds between two requests: no event announces a delivery. */
const polling = { calm: 15_000, awaited: 2000 } as const;

/**
 * The attempts to deliver to an endpoint, or to the callback addresses of a client application, newest first.
 * `awaitedAfter`: the newest attempt when a message was sent again, or an empty text if there was none; until there is
 * a newer one, the list is requested more often.
 */
export function useDeliveries(guid: string, awaitedAfter: string | null) {
  return useQuery({
    queryKey: [...webhooksQuery.queryKey, guid, 'deliveries'],
    queryFn: ({ signal }) => call(listDeliveries, { params: { guid } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      awaitedAfter !== null && (state.data?.[0]?.guid ?? '') === awaitedAfter
        ? polling.awaited
        : polling.calm,
  });
}

/** Sends a test message to an endpoint. */
export function useTestWebhook() {
  return useMutation({
    mutationFn: (guid: string) => call(testWebhook, { params: { guid } }),
  });
}

/** Delivers the message of an attempt again. */
export function useReplay() {
  return useMutation({
    mutationFn: (guid: string) => call(replayDelivery, { params: { guid } }),
  });
}
