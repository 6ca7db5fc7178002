/** The client applications of the current customer code: fetched, added, revoked. */
import { addClient, listClients, revokeClient } from '@recodery/contract/features/clients';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { refetchSaved, settingsKey } from '../../api/events/saved-settings.ts';
import type { clientPayload } from './client-rules.ts';

const clientsQuery = queryOptions({
  queryKey: settingsKey('clients'),
  queryFn: ({ signal }) => call(listClients, {}, { signal }),
  staleTime: 0,
});

/** The client applications, newest first, including revoked ones. */
export function useClients() {
  return useQuery(clientsQuery);
}

/** Adds a client application. Its secrets are only in the response, which is therefore not kept. */
export function useAddClient() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof clientPayload>) => call(addClient, { body }),
    gcTime: 0,
    onSettled: () => refetchSaved(queries, 'clients'),
  });
}

/** Revokes a client application. */
export function useRevokeClient() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (guid: string) => call(revokeClient, { params: { guid } }),
    onSettled: () => refetchSaved(queries, 'clients'),
  });
}
