/** The last operations under the current customer code. */
import { listOperations, operation } from '@recodery/contract/operations';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { onEvent, streamIsUp } from '../../api/events.ts';

/** How many operations the home page shows. */
const shown = 6;
/** Milliseconds between two looks while something runs and no stream tells of it. */
const lookAgain = 5000;

const lastOperationsQuery = queryOptions({
  // What begins with `code` belongs to the customer code and is forgotten with it.
  queryKey: ['code', 'last-operations'],
  queryFn: ({ signal }) => call(listOperations, { query: { count: String(shown) } }, { signal }),
  refetchInterval: ({ state }) => {
    const isWorking = state.data?.some(({ completedOn }) => completedOn === null) ?? false;
    return isWorking && !streamIsUp() ? lookAgain : false;
  },
});

/** The last operations, newest first; an event about any operation asks for them anew. */
export function useLastOperations() {
  const queries = useQueryClient();
  useEffect(
    () =>
      onEvent('operation', operation, () => {
        void queries.invalidateQueries({ queryKey: lastOperationsQuery.queryKey });
      }),
    [queries],
  );
  return useQuery(lastOperationsQuery);
}
