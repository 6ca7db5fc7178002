/** The client applications of the current customer code: fetched, added, revoked. */
import { addClient, listClients, revokeClient } from '@recodery/contract/features/clients';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { payloadOf } from './client-rules.ts';

const clientsQuery = queryOptions({
  // Keys that begin with `code` belong to the customer code and are removed with it.
  queryKey: ['code', 'clients'],
  queryFn: ({ signal }) => call(listClients, {}, { signal }),
  staleTime: 0,
});

/** The client applications, newest first, including revoked ones. */
export function useClients() {
  return useQuery(clientsQuery);
}

/** Adds a client application. Its secrets are in the response only, so the response is not kept. */
export function useAddClient() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof payloadOf>) => call(addClient, { body }),
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: clientsQuery.queryKey }),
  });
}

/** Revokes a client application. */
export function useRevokeClient() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (guid: string) => call(revokeClient, { params: { guid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: clientsQuery.queryKey }),
  });
}
