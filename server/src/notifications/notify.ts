/**
 * Creates the notification of a finished operation, and the email if one was requested, in the transaction that ends
 * it.
 */
import type { FinishedOperation, OperationRow } from '../operations/operation-rules.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findSlotWithParties } from '../slots/slot-parties.ts';
import { type Following, type WriteDependencies, writeNotification } from './write-notification.ts';

export interface NotifyDependencies extends WriteDependencies {
  describeFinished(operation: OperationRow): FinishedOperation;
}

/**
 * Creates the function that the worker calls when an operation has finished, within the transaction. It returns the rows of
 * `following`.
 */
export function createNotify(
  deps: NotifyDependencies,
): <R>(trx: Db, operation: OperationRow, following: Following<R>) => Promise<readonly R[]> {
  return async (trx, operation, following) => {
    const { guid, organisationId, slotGuid, family, workflow } = operation;
    const parties = await findSlotWithParties(trx, organisationId, slotGuid);
    const notice = {
      ...deps.describeFinished(operation),
      ...parties,
      guid,
      operationType: operation.type,
      family,
      slotGuid,
      workflow,
      completedOn: operation.completedOn ?? new Date(),
      isSuccessful: operation.status === 'succeeded',
      errorName: operation.errorName,
      errorDetail: operation.errorDetail,
      internalCode: operation.internalCode,
      doer: operation,
    };
    const { rows } = await writeNotification(deps, trx, notice, following);
    return rows;
  };
}
