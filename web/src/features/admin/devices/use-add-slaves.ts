/** Checks and adds the slaves of a pasted list; the list of slaves is loaded again once they are added. */
import { addSlaves } from '@recodery/contract/admin/many-slaves';
import type { BodyOf } from '@recodery/contract/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

export function useAddSlaves() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof addSlaves>) => call(addSlaves, { body }),
    onSuccess: ({ added }) => {
      if (added > 0) void queries.invalidateQueries({ queryKey: ['code', 'records', 'slaves'] });
    },
  });
}
