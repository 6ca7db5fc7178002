/** Deletes a job immediately: its files, and everything personal in the rows that the log still needs. */
import { Refusal } from '@recodery/contract/refusal';
import type { Kysely } from 'kysely';
import type { Log } from '../config/log.ts';
import { isSlotBusy } from '../operations/operations.ts';
import { cancelBackground, forgetRequests } from '../operations/slot-operations.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { forgetRead } from '../recoding/erase-personal-data.ts';
import { forgetVehicle } from '../slots/slot-expiry.ts';
import { findSlot, lockSlot } from '../slots/slots.ts';
import {
  deleteSlotFiles,
  findKeysInUse,
  hideInFileNames,
  markSwept,
} from '../slots/files/stored-files.ts';
import type { Storage } from '../storage/storage.ts';

export interface DeleteDependencies {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly storage: Pick<Storage, 'delete'>;
  /** Deletes the notifications of a slot with their emails and links. */
  forgetNotifications(trx: Db, organisationId: OrganisationId, slotGuid: string): Promise<void>;
  /** Empties what was attached to requests about a slot, in the responses kept for their repetition. */
  forgetAttached(trx: Db, slotGuid: string): Promise<void>;
}

/** Replaces every name: a file name can contain anything about a customer. */
const hide = (): string => '…';

/**
 * Deletes a job. Refuses with OPERATION_NOT_POSSIBLE while an operation waits or runs on it; work in the background is
 * canceled.
 */
export async function deleteJob(
  deps: DeleteDependencies,
  organisationId: OrganisationId,
  guid: string,
): Promise<void> {
  const { db, log, storage } = deps;
  if ((await findSlot(db, organisationId, guid)) === null) throw new Refusal('NOT_FOUND');
  const files = await db.transaction().execute(async (trx) => {
    await cancelBackground(trx, guid);
    const slot = await lockSlot(trx, organisationId, guid);
    if (await isSlotBusy(trx, organisationId, guid)) throw new Refusal('OPERATION_NOT_POSSIBLE');
    await deps.forgetNotifications(trx, organisationId, guid);
    await forgetVehicle(trx, slot, hide);
    const deleted = await deleteSlotFiles(trx, organisationId, guid);
    await hideInFileNames(trx, guid, hide);
    await forgetRequests(trx, guid, (json) => forgetRead(json, hide));
    await deps.forgetAttached(trx, slot.guid);
    return deleted;
  });
  // if this fails, the sweep deletes it later
  const keys = files.map(({ storageKey }) => storageKey);
  const kept = await findKeysInUse(db, keys);
  for (const file of files) {
    if (kept.has(file.storageKey)) continue;
    await storage.delete(file.storageKey).then(
      () => markSwept(db, [file.guid]),
      (error: unknown) => log.warn({ error }, 'could not delete a file of a deleted job'),
    );
  }
}
