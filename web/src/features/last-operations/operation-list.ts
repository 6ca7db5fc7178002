/** The last operations under the current customer code, in pages. */
import { listOperations } from '@recodery/contract/features/operations';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { streamIsUp } from '../../api/events/events.ts';

/** How many operations the home page shows at first, and how many each "See more" adds. */
const pageSize = { first: 6, next: 20 } as const;
/** Milliseconds between requests while an operation is running. While the stream reports it, requests only verify it. */
const polling = { running: 5000, checked: 10_000 } as const;

const sizeOf = (before: string | null): number =>
  before === null ? pageSize.first : pageSize.next;

/** Each page requests one operation more than it shows, to find out whether there are older ones. */
export const lastOperationsQuery = infiniteQueryOptions({
  // Keys that begin with `code` belong to the customer code and are removed with it.
  queryKey: ['code', 'last-operations'],
  initialPageParam: null as string | null,
  queryFn: ({ pageParam, signal }) => {
    const count = String(sizeOf(pageParam) + 1);
    const query = pageParam === null ? { count } : { count, before: pageParam };
    return call(listOperations, { query }, { signal });
  },
  getNextPageParam: (page, _, before) =>
    page.length > sizeOf(before) ? (page[sizeOf(before) - 1]?.guid ?? null) : null,
  select: ({ pages, pageParams }) => ({
    pageParams,
    pages: pages.map((page, index) => page.slice(0, sizeOf(pageParams[index] ?? null))),
  }),
  refetchInterval: ({ state }) => {
    const isWorking =
      state.data?.pages.flat().some(({ completedOn }) => completedOn === null) ?? false;
    if (!isWorking) return false;
    return streamIsUp() ? polling.checked : polling.running;
  },
});

/** The last operations, newest first. */
export function useLastOperations() {
  return useInfiniteQuery(lastOperationsQuery);
}
