/** The stage of an operation that the page follows. */
import type { Operation } from '@recodery/contract/features/operations';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { operationKey } from './follow-operation.ts';

/** Whether a followed operation waits until the decoding engine of its master device responds again. */
export function useIsWaitingForEngine(guid: string | null): boolean {
  const client = useQueryClient();
  // `useQuery` would replace the options of the query that follows the operation, and with them its request.
  const subscribe = useCallback(
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  );
  const isWaiting = (): boolean =>
    guid !== null &&
    client.getQueryData<Operation>(operationKey(guid))?.progress.stage === 'WAITING_FOR_ENGINE';
  return useSyncExternalStore(subscribe, isWaiting, isWaiting);
}
