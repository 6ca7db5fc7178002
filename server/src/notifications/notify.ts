/**
 * Creates the notification of a finished operation, and the email if one was requested, in the transaction that ends
 * it.
 */
import type { FinishedOperation, OperationRow } from '../operations/operation-rules.ts';
import { findParties } from '../organisations/devices.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findSlot } from '../slots/slots.ts';
import { type WriteDependencies, writeNotification } from './write-notification.ts';

export interface NotifyDependencies extends WriteDependencies {
  describeFinished(operation: OperationRow): FinishedOperation;
}

/** Creates the function that the worker calls when an operation has finished, within the transaction. */
export function createNotify(
  deps: NotifyDependencies,
): (trx: Db, operation: OperationRow) => Promise<void> {
  return async (trx, operation) => {
    const { guid, organisationId, slotGuid, family, workflow } = operation;
    const slot = await findSlot(trx, organisationId, slotGuid);
    await writeNotification(deps, trx, {
      ...deps.describeFinished(operation),
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
      slot,
      ...(await findParties(trx, organisationId, slot?.slaveDeviceGuid ?? null)),
    });
  };
}
