/**
 * Creates the notification of a finished operation, and the email if one was requested, in the transaction that ends
 * it.
 */
import type { FinishedOperation, OperationRow } from '../operations/operation-rules.ts';
import { findOwnerOfSlave } from '../organisations/devices.ts';
import { findOrganisation, type Organisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findSlot, type Slot } from '../slots/slots.ts';
import { vinHider } from '../texts/vin-rules.ts';
import { insertMail } from '../email/emails.ts';
import { cleanNote } from '../email/note-rules.ts';
import { downloadEnd } from './notification-rules.ts';
import { insertNotification, type NewNotification } from './notifications.ts';
import { createTokenHash } from '../email/link-token.ts';

export interface NotifyDependencies {
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  describeFinished(operation: OperationRow): FinishedOperation;
}

/** The data of a finished operation. */
interface NotificationSource {
  readonly operation: OperationRow;
  readonly finished: FinishedOperation;
  readonly sender: Organisation;
  readonly slot: Slot | null;
  /** The current owner of the slave; recorded, because the slave may change owners later. */
  readonly owner: Organisation | null;
}

/** Creates the function that the worker calls when an operation has finished, within the transaction. */
export function createNotify(
  deps: NotifyDependencies,
): (trx: Db, operation: OperationRow) => Promise<void> {
  return async (trx, operation) => {
    const ended = await gather(trx, operation, deps.describeFinished(operation));
    const notification = describeEnd(ended);
    await insertNotification(trx, notification);
    const email = ended.finished.notificationInfo?.email ?? null;
    if (email === null || !notification.isSuccessful || !ended.finished.isEncode) return;
    const { keyId, tokenHash } = await createTokenHash(deps.secrets, operation.guid);
    await insertMail(trx, {
      guid: operation.guid,
      organisationId: operation.organisationId,
      email,
      culture: ended.owner?.culture ?? ended.sender.culture,
      shareKeyId: keyId,
      tokenHash,
      expiresOn: downloadEnd(notification.completedOn),
    });
  };
}

async function gather(
  trx: Db,
  operation: OperationRow,
  finished: FinishedOperation,
): Promise<NotificationSource> {
  const { organisationId, slotGuid } = operation;
  const sender = await findOrganisation(trx, organisationId);
  if (sender === null) throw new Error(`there is no organisation ${organisationId}`);
  const slot = await findSlot(trx, organisationId, slotGuid);
  const slaveGuid = slot?.slaveDeviceGuid ?? null;
  const owner = slaveGuid === null ? null : await findOwnerOfSlave(trx, organisationId, slaveGuid);
  return { operation, finished, sender, slot, owner };
}

function describeEnd({
  operation,
  finished,
  sender,
  slot,
  owner,
}: NotificationSource): NewNotification {
  const { target, notificationInfo: info, isEncode } = finished;
  const isSuccessful = operation.status === 'succeeded';
  const isPrivate = info?.isPrivate ?? true;
  const isSent = isEncode && isSuccessful && (!isPrivate || info?.email != null);
  const name = isEncode && target !== null ? target.fileName : (slot?.readFileName ?? '');
  // hidden once, here: everything that reports on the operation later reads this row
  const hide = vinHider(slot?.vin ?? null);
  const note = isSent ? cleanNote(info?.message ?? null) : null;
  return {
    guid: operation.guid,
    senderOrganisationId: operation.organisationId,
    senderAccountGuid: operation.accountGuid,
    senderClientGuid: operation.clientGuid,
    senderName: sender.name,
    receiverOrganisationGuid: isSent && !isPrivate ? (owner?.guid ?? null) : null,
    receiverName: isSent ? (owner?.name ?? null) : null,
    operationType: operation.type,
    family: operation.family,
    slotGuid: operation.slotGuid,
    workflow: operation.workflow,
    completedOn: operation.completedOn ?? new Date(),
    isSuccessful,
    fileName: hide(name),
    slaveSerialNumber: slot?.slaveSerialNumber ?? null,
    target: target === null ? null : { ...target, fileName: hide(target.fileName) },
    errorName: operation.errorName,
    errorDetail: operation.errorDetail === null ? null : hide(operation.errorDetail),
    internalCode: operation.internalCode,
    isPrivate,
    note: note === null ? null : hide(note),
  };
}
