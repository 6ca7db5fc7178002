/** The master devices of the current customer code with their engines. */
import type { AnswerOf } from '@recodery/contract/api';
import { listEngines } from '@recodery/contract/features/engines';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type MasterEngine = AnswerOf<typeof listEngines>[number];

const enginesQuery = queryOptions({
  // Keys that begin with `code` belong to the customer code and are removed with it.
  queryKey: ['code', 'engines'],
  queryFn: ({ signal }) => call(listEngines, {}, { signal }),
  staleTime: 0,
});

/** The master devices with their engines. */
export function useEngines() {
  return useQuery(enginesQuery);
}
