/** The second factors of the user's own account: loaded, added, removed. */
import {
  addApp,
  addPasskey,
  confirmAccount,
  draftApp,
  draftPasskey,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
} from '@recodery/contract/admin/factors';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';

const factorsQuery = queryOptions({
  queryKey: ['account', 'factors'],
  queryFn: ({ signal }) => call(listFactors, {}, { signal }),
  staleTime: 0,
});

export function useFactors() {
  return useQuery(factorsQuery);
}

/** A change, after which the list is loaded again. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  });
}

/** Confirms the password. */
export const useConfirm = () =>
  useMutation({ mutationFn: (password: string) => call(confirmAccount, { body: { password } }) });

export const useDraftApp = () => useMutation({ mutationFn: () => call(draftApp) });

export const useAddApp = () =>
  useChange((body: { readonly draft: string; readonly code: string; readonly name: string }) =>
    call(addApp, { body }),
  );

export const useDraftPasskey = () =>
  useMutation({ mutationFn: async () => (await call(draftPasskey)).options });

/** Creates a passkey in the browser and adds it. Throws what the browser throws when the user cancels. */
export const useAddPasskey = () =>
  useChange(async ({ options, name }: { readonly options: string; readonly name: string }) => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const credential = await startRegistration({ optionsJSON: JSON.parse(options) });
    return call(addPasskey, { body: { credential: JSON.stringify(credential), name } });
  });

export const useRemoveFactor = () =>
  useChange((guid: string) => call(removeFactor, { params: { guid } }));

export const useRenewCodes = () =>
  useChange(async () => (await call(renewRecoveryCodes)).recoveryCodes ?? []);
