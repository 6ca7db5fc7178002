/** The acceptance of the terms of use, loaded with the dialog that asks for it. */
import { registerTerms } from '@recodery/contract/features/session';
import { Refusal } from '@recodery/contract/refusal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { termsQuery } from './terms.ts';

/**
 * Accepts a version of the terms of use. If the server refuses it because it is no longer the current one, `onOutdated`
 * loads that one, and the user is asked again.
 */
export function useAcceptTerms(version: string, onOutdated: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await call(registerTerms, { query: { version } });
        return true;
      } catch (thrown) {
        if (!(thrown instanceof Refusal && thrown.code === 'TERMS_CHANGED')) throw thrown;
        await onOutdated();
        return false;
      }
    },
    onSuccess: (isCurrent) => queries.setQueryData(termsQuery.queryKey, isCurrent),
  });
}
