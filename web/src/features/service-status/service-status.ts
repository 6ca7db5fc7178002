/** Whether the engine answers, and the portal's own configuration. */
import {
  getConfig,
  getServiceStatus,
  serviceStatus,
  statusPolling,
} from '@recodery/contract/service-status';
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
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

const statusQuery = queryOptions({
  queryKey: ['service-status'],
  queryFn: ({ signal }) => call(getServiceStatus, {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.statusCode === 503 ? statusPolling.unavailable : statusPolling.available,
});

/** False while the engine is reported down; true also while nobody knows yet. */
export function useEngineIsUp(): boolean {
  const queries = useQueryClient();
  useEffect(
    () =>
      onEvent('service-status', serviceStatus, (status) =>
        queries.setQueryData(statusQuery.queryKey, status),
      ),
    [queries],
  );
  return useQuery(statusQuery).data?.statusCode !== 503;
}
