/** Opens and closes slots for client applications, and finds the slots that a call names. */
import { Refusal } from '@recodery/contract/refusal';
import type { FileSlot } from '@recodery/contract/encoding-api/routes';
import type { Family } from '@recodery/contract/families/registry';
import type { ClientCaller } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { refuseWhenTooManyOpen, type SlotState } from '../slots/open-slots.ts';
import { findSlot, lockSlot, setOpener, type Slot } from '../slots/slots.ts';
import { writeTime } from './operation-record.ts';

/**
 * A slot as a client application sees it: open only to the application whose limit it counts against. Programs clean up
 * by closing open slots, and must not close those of others.
 */
export function describeSlot(caller: ClientCaller, slot: SlotState): FileSlot {
  return {
    guid: slot.guid,
    isClosed: !isOpenTo(caller, slot),
    ownerCustomerCode: slot.userCode,
    createdOn: writeTime(slot.createdOn),
  };
}

function isOpenTo({ clientGuid }: ClientCaller, slot: SlotState): boolean {
  return slot.openedByClientGuid === clientGuid;
}

/** A slot of the family and of the client's organisation, open or closed. @throws {Refusal} NOT_FOUND */
export async function requireSlot(
  db: Db,
  { organisationId }: ClientCaller,
  family: Family,
  guid: string,
): Promise<Slot> {
  const slot = await findSlot(db, organisationId, guid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  return slot;
}

/** Refuses work in a slot that is closed to the caller. @throws {Refusal} NOT_FOUND, SLOT_CLOSED */
export async function requireOpenSlot(
  db: Db,
  caller: ClientCaller,
  family: Family,
  guid: string,
): Promise<void> {
  const slot = await requireSlot(db, caller, family, guid);
  if (!isOpenTo(caller, slot)) throw new Refusal('SLOT_CLOSED');
}

/** Closes a slot. Closing one that is closed to the caller changes nothing. @throws {Refusal} NOT_FOUND */
export async function closeSlot(
  db: Db,
  caller: ClientCaller,
  family: Family,
  guid: string,
): Promise<FileSlot> {
  await requireSlot(db, caller, family, guid);
  return db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, caller.organisationId, guid);
    if (!isOpenTo(caller, slot)) return describeSlot(caller, slot);
    await setOpener(trx, slot, null);
    return describeSlot(caller, { ...slot, openedByClientGuid: null });
  });
}

/**
 * Opens a slot, which counts against the caller's limit, and takes it over if another client has it open. Reopening an
 * open slot changes nothing.
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
  await requireSlot(db, caller, family, guid);
  return db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, guid);
    if (isOpenTo(caller, slot)) return describeSlot(caller, slot);
    await lockOrganisation(trx, organisationId);
    await refuseWhenTooManyOpen(trx, organisationId, clientGuid, mostOpenSlots);
    await setOpener(trx, slot, clientGuid);
    return describeSlot(caller, { ...slot, openedByClientGuid: clientGuid });
  });
}
