/**
 * Deletes the slots of all organisations that are older than the retention, with the vehicle data in their files and
 * operations. Not used by requests.
 */
import { hideInNotifications } from '../notifications/delete-notifications.ts';
import { isSlotBusy } from '../operations/operations.ts';
import { forgetRequests } from '../operations/slot-operations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { forgetRead, nameHider } from '../recoding/erase-personal-data.ts';
import { forgetVehicle, listExpiredSlots, lockExpiredSlot } from '../slots/slot-expiry.ts';
import { hideInFileNames } from '../slots/files/stored-files.ts';

/**
 * Deletes at most `count` slots older than `days` without running operations; returns how many. The vehicle data is
 * removed at once from the slot, its files and its operations; the rows themselves stay for the log. Each slot has its
 * own transaction, so that a failure does not affect the others.
 * @throws {AggregateError} after the batch, the errors of slots that could not be deleted
 */
export async function deleteExpiredSlots(db: Db, days: number, batchSize: number): Promise<number> {
  const faults: unknown[] = [];
  let count = 0;
  for (const guid of await listExpiredSlots(db, days, batchSize)) {
    await deleteIfIdle(db, guid, days).then(
      (isDeleted) => {
        if (isDeleted) count += 1;
      },
      (error: unknown) => faults.push(error),
    );
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} slots stay`);
  return count;
}

/** Deletes one slot unless an operation runs on it; returns whether it did. */
function deleteIfIdle(db: Db, guid: string, days: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // checked again under the lock: the retention may have been raised, or an encode inserted since the query
    const slot = await lockExpiredSlot(trx, guid, days);
    if (slot === null || (await isSlotBusy(trx, slot.organisationId, guid))) return false;
    const hide = nameHider(slot);
    await forgetVehicle(trx, slot, hide);
    await hideInFileNames(trx, guid, hide);
    await hideInNotifications(trx, slot, hide);
    await forgetRequests(trx, guid, (json) => forgetRead(json, hide));
    return true;
  });
}
