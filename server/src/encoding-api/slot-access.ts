/** Opens and closes slots for client applications, and finds the slots that a call names. */
import { Refusal } from '@recodery/contract/errors';
import type { FileSlot } from '@recodery/contract/encoding-api/routes';
import type { Family } from '@recodery/contract/families/registry';
import type { ClientCaller } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/schema.ts';
import {
  findSlot,
  lockSlot,
  refuseWhenTooManyOpen,
  setOpener,
  type Slot,
  type SlotState,
} from '../slots/slots.ts';
import { writeTime } from './operation-record.ts';

/** A slot after a call that opened or closed it. */
function describeSlot(slot: SlotState): FileSlot {
  return {
    guid: slot.guid,
    isClosed: slot.openedByClientGuid === null,
    ownerCustomerCode: slot.userCode,
    createdOn: writeTime(slot.createdOn),
  };
}

/**
 * A slot as the list shows it: open only to the client application on whose limit it counts. Programs tidy up by closing
 * what is open, and must leave the slots of others alone.
 */
export function listSlot({ clientGuid }: ClientCaller, slot: SlotState): FileSlot {
  return { ...describeSlot(slot), isClosed: slot.openedByClientGuid !== clientGuid };
}

/** A slot of the family and of the client's organisation, open or closed. @throws {Refusal} NOT_FOUND */
export async function demandSlot(
  db: Db,
  { organisationId }: ClientCaller,
  family: Family,
  guid: string,
): Promise<Slot> {
  const slot = await findSlot(db, organisationId, guid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  return slot;
}

/** Refuses work in a closed slot. @throws {Refusal} NOT_FOUND, SLOT_CLOSED */
export async function demandOpenSlot(
  db: Db,
  caller: ClientCaller,
  family: Family,
  guid: string,
): Promise<void> {
  const slot = await demandSlot(db, caller, family, guid);
  if (slot.openedByClientGuid === null) throw new Refusal('SLOT_CLOSED');
}

/** Closes a slot, no matter which client opened it. Closing a closed slot changes nothing. */
export async function closeSlot(
  db: Db,
  caller: ClientCaller,
  family: Family,
  guid: string,
): Promise<FileSlot> {
  const slot = await demandSlot(db, caller, family, guid);
  await setOpener(db, slot, null);
  return describeSlot({ ...slot, openedByClientGuid: null });
}

/**
 * Opens a slot on the caller's limit. Reopening an open slot changes nothing.
 * @throws {Refusal} NOT_FOUND, TOO_MANY_OPEN_SLOTS
 */
export async function reopenSlot(
  db: Db,
  caller: ClientCaller,
  {
    family,
    guid,
    mostOpenSlots,
  }: { readonly family: Family; readonly guid: string; readonly mostOpenSlots: number },
): Promise<FileSlot> {
  const { organisationId, clientGuid } = caller;
  await demandSlot(db, caller, family, guid);
  return db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, guid);
    if (slot.openedByClientGuid !== null) return describeSlot(slot);
    await lockOrganisation(trx, organisationId);
    await refuseWhenTooManyOpen(trx, organisationId, clientGuid, mostOpenSlots);
    await setOpener(trx, slot, clientGuid);
    return describeSlot({ ...slot, openedByClientGuid: clientGuid });
  });
}
