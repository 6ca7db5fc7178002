/** The session of whoever is signed in: asked for once, kept by the query client, renewed by events. */
import type { Session } from '@recodery/contract/session';
import * as contract from '@recodery/contract/session';
import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { rememberCustomerCode } from '../../api/customer-code.ts';
import { tabChannel } from '../../api/other-tabs.ts';
import { beginLogout, cancelLogout, forgetSessionId, readSessionId } from '../../api/session-id.ts';

/** Which session is in force, told from tab to tab. */
export const sessionInTabs = tabChannel('recodery.session', contract.session);

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

/** True while this tab itself changes the customer code: then nobody needs to be told. */
let isSwitching = false;

/** Goes on under another customer code of the user; everything that was asked for under the old one is forgotten. */
export function useSwitchCustomerCode() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => {
      isSwitching = true;
      return call(contract.switchCustomerCode, { params: { sessionId: currentSessionId(), code } });
    },
    onSuccess: (session) => {
      takeSession(queries, session);
      sessionInTabs.tell(session);
    },
    onSettled: () => {
      isSwitching = false;
    },
  });
}

/**
 * Puts a session in force that a call, an event or another tab brought; a new customer code empties what belonged to
 * the old one. True where the code has changed by no doing of this tab.
 */
export function takeSession(queries: QueryClient, session: Session): boolean {
  const before = queries.getQueryData(sessionQuery.queryKey);
  queries.setQueryData(sessionQuery.queryKey, seen(session));
  if (before?.customerCode === session.customerCode) return false;
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] === 'code' });
  return before !== undefined && !isSwitching;
}

/** The session as the server has it now. */
export function readSession(): Promise<Session> {
  return call(contract.getSession, { params: { sessionId: currentSessionId() } });
}

/** Ends the session here and at the provider, and leaves the page. */
export function useLogout() {
  return useMutation({
    mutationFn: () => call(contract.logout, { params: { sessionId: currentSessionId() } }),
    onMutate: beginLogout,
    onError: cancelLogout,
    onSuccess: ({ signOutURL }) => {
      forgetSessionId();
      // Without a way to sign out at the provider, asking it at once would only sign in again.
      location.assign(signOutURL ?? '/login?signedOut=1');
    },
  });
}
