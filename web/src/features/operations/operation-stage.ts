/** The stage of an operation that the page follows. */
import type { Operation } from '@recodery/contract/features/operations';
import { skipToken, useQuery } from '@tanstack/react-query';
import { operationKey } from './follow-operation.ts';

/** Whether a followed operation waits until the decoding engine of its master device responds again. */
export function useIsWaitingForEngine(guid: string | null): boolean {
  // only reads what following the operation has stored
  const { data } = useQuery<Operation>({ queryKey: operationKey(guid ?? ''), queryFn: skipToken });
  return data?.progress.stage === 'WAITING_FOR_ENGINE';
}
