/** The result of a sent encode that has finished: the page does not wait for it, and requests it afterward. */
import { getOperation } from '@recodery/contract/features/operations';
import type { EncodeResult } from '@recodery/contract/results';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

/** Null until the encode has succeeded and its result has arrived. */
export function useSentResult(operationGUID: string, hasSucceeded: boolean): EncodeResult | null {
  const { data = null } = useQuery({
    queryKey: ['code', 'sent', operationGUID],
    queryFn: async ({ signal }) => {
      const { result } = await call(getOperation, { params: { guid: operationGUID } }, { signal });
      return result !== null && 'receiptCode' in result ? result : null;
    },
    enabled: hasSucceeded,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
