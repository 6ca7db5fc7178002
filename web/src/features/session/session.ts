/** The session of whoever is signed in: asked for once, kept by the query client, renewed by events. */
import type { Session } from '@recodery/contract/session';
import * as contract from '@recodery/contract/session';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { rememberCustomerCode } from '../../api/customer-code.ts';
import { signInAddress } from '../../api/refused.ts';
import { forgetSessionId, readSessionId } from '../../api/session-id.ts';

export const sessionKey = ['session'] as const;

/** Only called where somebody is signed in: the private routes have looked. */
function currentSessionId(): string {
  return readSessionId() ?? '';
}

function seen(session: Session): Session {
  rememberCustomerCode(session.customerCode);
  return session;
}

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }) =>
    seen(
      await call(contract.getSession, { params: { sessionId: currentSessionId() } }, { signal }),
    ),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The session. Within the private routes it is always there. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Goes on under another customer code of the user; everything that was asked for under the old one is forgotten. */
export function useSwitchCustomerCode() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) =>
      call(contract.switchCustomerCode, { params: { sessionId: currentSessionId(), code } }),
    onSuccess: (session) => takeSession(queries, session),
  });
}

/** Puts a session in force that a call or an event brought; a new customer code empties what belonged to the old one. */
export function takeSession(queries: ReturnType<typeof useQueryClient>, session: Session): void {
  const before = queries.getQueryData(sessionQuery.queryKey);
  queries.setQueryData(sessionQuery.queryKey, seen(session));
  if (before?.customerCode === session.customerCode) return;
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] === 'code' });
}

/** Ends the session here and at the provider, and leaves the page. */
export function useLogout() {
  return useMutation({
    mutationFn: () => call(contract.logout, { params: { sessionId: currentSessionId() } }),
    onSuccess: ({ signOutURL }) => {
      forgetSessionId();
      location.assign(signOutURL ?? signInAddress('/'));
    },
  });
}
