/** The jobs that the retention deletes soon: requested for the bell, and kept all at once. */
import {
  type ExpiringJobs,
  getExpiringJobs,
  keepJobs,
} from '@recodery/contract/features/jobs/kept-jobs';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { believedCustomerCode } from '../../api/customer-code.ts';

/** Milliseconds between two requests: jobs are deleted days later. */
const polling = 3_600_000;
// what changes jobs invalidates this too
const jobsKey = ['code', 'jobs'] as const;

/** The time up to which this browser has shown which jobs are deleted. */
const seenKey = (): string => `recodery.expiring-seen.${believedCustomerCode() ?? ''}`;

/** `isNew`: jobs are among them that this browser has not shown yet. */
export interface Expiring extends ExpiringJobs {
  readonly isNew: boolean;
}

const expiringQuery = queryOptions({
  queryKey: [...jobsKey, 'expiring'],
  queryFn: async ({ signal }): Promise<Expiring> => {
    const expiring = await call(getExpiringJobs, {}, { signal });
    return {
      ...expiring,
      isNew: (expiring.lastOn ?? '') > (localStorage.getItem(seenKey()) ?? ''),
    };
  },
  refetchInterval: polling,
});

/** The jobs that are deleted soon. */
export function useExpiringJobs() {
  return useQuery(expiringQuery);
}

/** Records that the jobs are shown: the badge no longer counts them. */
export function useSeeExpiring(): () => void {
  const queries = useQueryClient();
  return () => {
    const { queryKey } = expiringQuery;
    const lastOn = queries.getQueryData(queryKey)?.lastOn ?? null;
    if (lastOn === null) return;
    localStorage.setItem(seenKey(), lastOn);
    queries.setQueryData(queryKey, (expiring) => expiring && { ...expiring, isNew: false });
  };
}

/** Keeps all jobs that are deleted up to a time: those that the notice has shown. */
export function useKeepExpiring() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (expiringUntil: string) => call(keepJobs, { body: { expiringUntil } }),
    onSettled: () => queries.invalidateQueries({ queryKey: jobsKey }),
  });
}
