/** The user's own account and sessions: loaded, changed, ended. */
import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  getAccount,
  listSessions,
  type OwnAccount,
  updateAccount,
} from '@recodery/contract/admin/account';
import { Refusal } from '@recodery/contract/refusal';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call(getAccount, {}, { signal }),
});
const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => call(listSessions, {}, { signal }),
  staleTime: 0,
});

export function useAccount() {
  return useQuery(accountQuery);
}

export function useOwnSessions() {
  return useQuery(sessionsQuery);
}

export function useUpdateAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<OwnAccount, 'name' | 'culture'>) => call(updateAccount, { body }),
    onSuccess: (account) => queries.setQueryData(accountQuery.queryKey, account),
  });
}

/** Changes the password, which ends all other sessions of the user. */
export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly oldPassword: string; readonly newPassword: string }) =>
      call(changePassword, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Ends one of the user's sessions; null: all but this one. A session that has already ended is no error. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (guid: string | null): Promise<void> => {
      if (guid === null) return call(endOtherSessions);
      await call(endOwnSession, { params: { guid } }).catch((thrown: unknown) => {
        if (!(thrown instanceof Refusal && thrown.code === 'NOT_FOUND')) throw thrown;
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
