/** Sends a file that was encoded before, again or for the first time: a notification of its own, and its email. */
import { Refusal } from '@recodery/contract/refusal';
import { typesOf } from '@recodery/contract/families/registry';
import { newGuid } from '../config/guids.ts';
import type { FinishedOperation } from '../operations/operation-rules.ts';
import type { Doer } from '../organisations/caller.ts';
import { findParties } from '../organisations/devices.ts';
import { readNow } from '../postgres/read-now.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Slot } from '../slots/slots.ts';
import type { StoredFile } from '../slots/files/stored-files.ts';
import { type WriteDependencies, writeNotification } from './write-notification.ts';

/** What is sent to whom. */
export interface FileToShare {
  readonly sender: Doer;
  readonly slot: Slot;
  readonly file: Pick<StoredFile, 'guid' | 'name'>;
  readonly info: NonNullable<FinishedOperation['notificationInfo']>;
}

/** A file that has been sent: the GUID of its notification, and the organisation that receives it in the portal. */
export interface ShareResult {
  readonly guid: string;
  readonly receiverGuid: string | null;
}

/**
 * Sends a file, by the same rules as an encode that sends its result: the limit of emails, the private flag, and a link
 * that is valid for ten days from now. Its recipient is the workshop that the send dialog shows, the owner of the slave.
 * Its sender knows about it, so that the notification is not new for them. `trx` must be a transaction.
 * @throws {Refusal} BAD_REQUEST if no one would receive it
 */
export async function shareFile(
  deps: WriteDependencies,
  trx: Db,
  { sender, slot, file, info }: FileToShare,
): Promise<ShareResult> {
  const { family, workflow } = slot;
  const guid = newGuid();
  const { receiverGuid } = await writeNotification(deps, trx, {
    guid,
    operationType: typesOf(family).encode,
    family,
    slotGuid: slot.guid,
    workflow,
    completedOn: await readNow(trx),
    isSuccessful: true,
    errorName: null,
    errorDetail: null,
    internalCode: null,
    isKnown: true,
    isEncode: true,
    target: { kind: 'file', fileGuid: file.guid, fileName: file.name },
    notificationInfo: info,
    doer: sender,
    slot,
    ...(await findParties(trx, slot.organisationId, slot.slaveDeviceGuid)),
  });
  if (info.email === null && receiverGuid === null) throw new Refusal('BAD_REQUEST');
  return { guid, receiverGuid };
}
