/** Whether the engine answers, and the portal's own configuration. */
import {
  getConfig,
  getServiceStatus,
  serviceStatus,
  statusPolling,
} from '@recodery/contract/service-status';
import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { onEvent } from '../../api/events.ts';

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(getConfig, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Links, company lines, limits. Loaded before the first page is drawn. */
export function useConfig() {
  return useSuspenseQuery(configQuery).data;
}

/** Asked each minute while the engine answers, four times a minute while it does not, stream or no stream. */
export const statusQuery = queryOptions({
  queryKey: ['service-status'],
  queryFn: ({ signal }) => call(getServiceStatus, {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.statusCode === 503 ? statusPolling.unavailable : statusPolling.available,
});

/** Takes over what the stream tells of the engine. Gives back how to stop. */
export function hearStatus(queries: QueryClient): () => void {
  return onEvent('service-status', serviceStatus, (status) =>
    queries.setQueryData(statusQuery.queryKey, status),
  );
}

/** False while the engine is reported down; true also while nobody knows yet. */
export function useEngineIsUp(): boolean {
  return useQuery(statusQuery).data?.statusCode !== 503;
}
