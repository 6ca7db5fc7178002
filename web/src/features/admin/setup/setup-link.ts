/** The setup link in the address: whether it can still be used, and the setup that uses it. */
import {
  draftSetupPasskey,
  readSetup,
  type SetupValues,
  setUp,
  testSetupEmail,
} from '@recodery/contract/admin/setup';
import { Refusal } from '@recodery/contract/refusal';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { beginSession } from '../../../api/session-id.ts';
import { deviceName } from '../account/device-name.ts';
import { rememberSetUp } from './next-steps.ts';

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

export interface AskedSetup {
  readonly values: SetupValues;
  readonly withPasskey: boolean;
}

/** Creates the passkey of the operator in the browser. Throws what the browser throws when the user cancels. */
async function createPasskey({ token, operator: { email, name } }: SetupValues) {
  const draft = await call(draftSetupPasskey, { params: { token }, body: { email, name } });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const credential = await startRegistration({ optionsJSON: JSON.parse(draft.options) });
  return { credential: JSON.stringify(credential), name: deviceName(navigator.userAgent) };
}

/**
 * Sets up the installation. The page then shows the recovery codes, if there are any, and opens the home page: the link
 * in the address no longer works.
 */
export function useSetUp() {
  return useMutation({
    mutationFn: async ({ values, withPasskey }: AskedSetup) => {
      const passkey = withPasskey ? await createPasskey(values) : null;
      return call(setUp, { body: { ...values, operator: { ...values.operator, passkey } } });
    },
    onSuccess: ({ session, recoveryCodes }, { values }) => {
      if (session !== null) {
        beginSession(session.sessionID);
        rememberSetUp(values.slaves.length > 0);
      }
      if (recoveryCodes === null) leaveSetup(session !== null);
    },
  });
}

/** Opens the home page, or the sign-in. */
export function leaveSetup(isSignedIn: boolean): void {
  location.replace(isSignedIn ? '/' : '/login');
}

export function useTestEmail(token: string) {
  return useMutation({
    mutationFn: (body: { readonly to: string; readonly culture: string }) =>
      call(testSetupEmail, { params: { token }, body }),
  });
}
