/** Prefills the send popup with the workshop that owns the slave, which receives what is sent. */
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import type { notificationDetails } from '@recodery/contract/features/recoding/recoding';
import type * as z from 'zod/mini';
import type { Caller } from '../organisations/caller.ts';
import { findOwnerOfSlave } from '../organisations/devices.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findSlot } from '../slots/slots.ts';

export interface NotificationDetailsDependencies {
  readonly db: Db;
}

/** Name and email address of the slave's workshop; both null when unknown. */
export async function readNotificationDetails(
  deps: NotificationDetailsDependencies,
  caller: Caller,
  family: Family,
  slotGuid: string,
): Promise<z.output<typeof notificationDetails>> {
  const slot = await findSlot(deps.db, caller.organisationId, slotGuid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  const owner = await findOwnerOfSlave(deps.db, slot);
  return {
    slaveOrganizationName: owner?.name ?? null,
    slaveOrganizationEmailAddress: owner?.email ?? null,
  };
}
