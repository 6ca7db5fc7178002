/** Sends invitations, after which the list of people is loaded again. */
import { inviteUsers } from '@recodery/contract/admin/invitations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ask: { readonly emails: readonly string[]; readonly isManager: boolean }) =>
      call(inviteUsers, { body: { emails: [...ask.emails], isManager: ask.isManager } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['code', 'records', 'people'] }),
  });
}
