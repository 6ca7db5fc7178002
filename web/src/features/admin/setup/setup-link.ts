/** The setup link in the address: whether it can still be used, and the setup that uses it. */
import { readSetup, type SetupValues, setUp } from '@recodery/contract/admin/setup';
import { Refusal } from '@recodery/contract/refusal';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { beginSession } from '../../../api/session-id.ts';

const setupQuery = (token: string) =>
  queryOptions({
    queryKey: ['setup', token],
    // an address without a token is refused like one that was used
    queryFn: ({ signal }) => {
      if (token === '') throw new Refusal('SETUP_LINK_EXPIRED');
      return call(readSetup, { params: { token } }, { signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useOpenedLink(token: string) {
  return useQuery(setupQuery(token));
}

/** Whether a refusal says that the link cannot be used anymore. */
export function isLinkRefused(thrown: unknown): boolean {
  return thrown instanceof Refusal && thrown.code === 'SETUP_LINK_EXPIRED';
}

/** Sets up the installation, and opens the home page: the link in the address no longer works. */
export function useSetUp() {
  return useMutation({
    mutationFn: (values: SetupValues) => call(setUp, { body: values }),
    onSuccess: ({ session }) => {
      if (session !== null) beginSession(session.sessionID);
      location.replace(session === null ? '/login' : '/');
    },
  });
}
