/** The session of the signed-in user: requested once, cached by the query client, updated by events. */
import type { Session } from '@recodery/contract/features/session';
import * as contract from '@recodery/contract/features/session';
import { timeZoneHeader } from '@recodery/contract/headers';
import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { rememberCustomerCode } from '../../api/customer-code.ts';
import { tabChannel } from '../../api/events/other-tabs.ts';
import { discardUnsaved } from '../../ui/dialogs/unsaved-work.ts';
import { beginLogout, cancelLogout, forgetSessionId, readSessionId } from '../../api/session-id.ts';

/** The current session, as tabs report it to each other. */
export const sessionInTabs = tabChannel('recodery.session', contract.session);

const sessionKey = ['session'] as const;

/** Only called when a user is signed in: the private routes have checked that. */
function currentSessionId(): string {
  return readSessionId() ?? '';
}

/** The session as the server currently has it. */
export function readSession(signal?: AbortSignal): Promise<Session> {
  return call(
    contract.getSession,
    { params: { sessionId: currentSessionId() } },
    // names of files show the local time
    { signal, headers: { [timeZoneHeader]: new Intl.DateTimeFormat().resolvedOptions().timeZone } },
  );
}

function seen(session: Session): Session {
  rememberCustomerCode(session.customerCode);
  return session;
}

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => seen(await readSession(signal)),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The session. Within the private routes it always exists. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** True while this tab itself changes the customer code: the user then needs no notice. */
let isSwitching = false;

/** Switches to another customer code of the user; all data cached under the old one is removed. */
export function useSwitchCustomerCode() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => {
      isSwitching = true;
      return call(contract.switchCustomerCode, { params: { sessionId: currentSessionId(), code } });
    },
    onSuccess: (session) => {
      takeSession(queries, session);
      sessionInTabs.publish(session);
    },
    onSettled: () => {
      isSwitching = false;
    },
  });
}

/**
 * Applies a session received from a call, an event or another tab; a new customer code removes the old code's data.
 * True if the code was changed, but not by this tab.
 */
export function takeSession(queries: QueryClient, session: Session): boolean {
  const before = queries.getQueryData(sessionQuery.queryKey);
  queries.setQueryData(sessionQuery.queryKey, seen(session));
  if (before?.customerCode === session.customerCode) return false;
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] === 'code' });
  return before !== undefined && !isSwitching;
}

/** Ends the session here and at the provider, and leaves the page. */
export function useLogout() {
  return useMutation({
    mutationFn: () => call(contract.logout, { params: { sessionId: currentSessionId() } }),
    onMutate: beginLogout,
    onError: cancelLogout,
    onSuccess: ({ signOutURL }) => {
      forgetSessionId();
      discardUnsaved();
      // If the provider has no sign-out address, going straight to its sign-in would sign the user in again.
      location.assign(signOutURL ?? '/login?signedOut=1');
    },
  });
}
