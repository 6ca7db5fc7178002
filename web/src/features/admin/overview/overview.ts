/** Reads the numbers of the installation, again and again while they are shown, and its health. */
import { getChangelog, getHealth, getOverview } from '@recodery/contract/admin/overview';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

/** Milliseconds between two readings. */
const pause = 10_000;

export function useOverview() {
  return useQuery({
    queryKey: ['code', 'overview'],
    queryFn: ({ signal }) => call(getOverview, {}, { signal }),
    refetchInterval: pause,
    staleTime: 0,
  });
}

export function useChangelog() {
  return useQuery({
    queryKey: ['code', 'changelog'],
    queryFn: ({ signal }) => call(getChangelog, {}, { signal }),
  });
}

/** The checks reach engines and the mail server, so they run when the page opens, and when the user asks. */
export function useHealth() {
  return useQuery({
    queryKey: ['code', 'health'],
    queryFn: ({ signal }) => call(getHealth, {}, { signal }),
    refetchOnWindowFocus: false,
    staleTime: 0,
  });
}
