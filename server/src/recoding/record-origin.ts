/** Records which slave wrote a read once its header proves it, whatever the rest of the file contains. */
import type { ReadOrigin } from '../engine/engine.ts';
import { lockDevices } from '../organisations/devices.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { setOrigin, type Slot } from '../slots/slots.ts';

/**
 * Records it at the slot: if the decode fails, its job, its notification and the log name the slave. `trx` must be a
 * transaction.
 */
export async function recordOrigin(
  trx: Db,
  slot: Pick<Slot, 'guid' | 'organisationId'>,
  { masterGuid, slaveGuid, slaveSerialNumber, slaveOwnerGuid, keyId }: ReadOrigin,
): Promise<void> {
  // a device may have been removed since the header was read
  const devices = await lockDevices(trx, { masterGuid, slaveGuid });
  await setOrigin(trx, slot, {
    masterDeviceGuid: devices.masterGuid,
    slaveDeviceGuid: devices.slaveGuid,
    slaveSerialNumber,
    slaveOwnerGuid,
    keyId,
  });
}
