/** Whether the engine is available, and the portal's configuration. */
import {
  getConfig,
  getServiceStatus,
  statusPolling,
} from '@recodery/contract/features/service-status';
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(getConfig, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Links, company lines, limits. Loaded before the first page is rendered. */
export function useConfig() {
  return useSuspenseQuery(configQuery).data;
}

/** Loads the configuration again, because it has changed on the server. */
export function useReloadConfig(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: configQuery.queryKey });
}

/**
 * Polled every minute while the engine is available, four times a minute while it is not, with or without the stream.
 */
export const statusQuery = queryOptions({
  queryKey: ['service-status'],
  queryFn: ({ signal }) => call(getServiceStatus, {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.statusCode === 503 ? statusPolling.unavailable : statusPolling.available,
});

/** False while the engine is reported down; true also while its state is unknown. */
export function useEngineIsUp(): boolean {
  return useQuery(statusQuery).data?.statusCode !== 503;
}
