/** Records which devices wrote a read, before its contents are known. A third owner of the table slot. */
import type { Db } from '../postgres/tables/schema.ts';
import type { Slot } from './slots.ts';

/** The devices that wrote and opened a read; those that have been removed meanwhile are null. */
export type SlotOrigin = Pick<
  Slot,
  'masterDeviceGuid' | 'slaveDeviceGuid' | 'slaveSerialNumber' | 'slaveOwnerGuid'
>;

/** Records them; the slot is not decoded yet. */
export async function setOrigin(
  db: Db,
  slot: Pick<Slot, 'guid' | 'organisationId'>,
  origin: SlotOrigin,
): Promise<void> {
  await db
    .updateTable('slot')
    .set({
      master_device_guid: origin.masterDeviceGuid,
      slave_device_guid: origin.slaveDeviceGuid,
      slave_serial_number: origin.slaveSerialNumber,
      slave_owner_guid: origin.slaveOwnerGuid,
    })
    .where('guid', '=', slot.guid)
    .where('organisation_guid', '=', slot.organisationId)
    .where('deleted_on', 'is', null)
    .execute();
}
