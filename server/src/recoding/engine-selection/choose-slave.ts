/** Chooses the slave of a read file where the maker's service needs its serial number, which the file does not show. */
import { Refusal } from '@recodery/contract/refusal';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import type { OrganisationId } from '../../organisations/caller.ts';
import { listActiveSlaves, type OwnedSlave } from '../../organisations/devices.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { findSlaveOfRead } from '../../slots/slots.ts';

/** A read file that was received. */
export interface ReadOfSlave {
  readonly organisationId: OrganisationId;
  readonly family: Family;
  readonly masterDeviceGuid: string | null;
  /** Of its content, 64 hexadecimal digits. */
  readonly sha256: string;
  /** The serial number that the caller chose; null: none. */
  readonly chosen: string | null;
}

/**
 * The slave of a read; null where the service does not need it. Without a choice, it is the only slave of the master, or the
 * one that was chosen for the same file before.
 * @throws {Refusal} SLAVE_NEEDED with those that can be chosen
 */
export async function chooseSlave(db: Db, read: ReadOfSlave): Promise<OwnedSlave | null> {
  const { organisationId, family, masterDeviceGuid, sha256, chosen } = read;
  if (definitionOf(family).asksForSlave !== true || masterDeviceGuid === null) return null;
  const slaves = await listActiveSlaves(db, masterDeviceGuid);
  const [first, ...others] = slaves;
  const wanted =
    chosen ??
    (others.length === 0 ? first?.serialNumber : await findSlaveOfRead(db, organisationId, sha256));
  const slave = slaves.find(({ serialNumber }) => serialNumber === wanted);
  if (slave === undefined)
    throw new Refusal('SLAVE_NEEDED', { slaves: slaves.map(({ serialNumber }) => serialNumber) });
  return slave;
}
