/** Finds the devices that open a read file: the master that its header names, and that master's slave. */
import type { Family } from '@recodery/contract/families/registry';
import { buildOnce } from '../postgres/build-once.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { OrganisationId } from './caller.ts';
import {
  canBeKnown,
  type MasterDevice,
  mastersOf,
  readMaster,
  type SlaveDevice,
} from './devices.ts';
import type { Organisation } from './organisations.ts';

/** The creator in a read file's header, and the group under which to open it. */
export interface OpenerQuery {
  readonly family: Family;
  readonly masterSerial: string;
  readonly slaveSerial: string;
  readonly groupCode: string;
}

/** The devices that open a read file: its slave, that slave's master, and the workshop that owns the slave. */
export interface Opener {
  readonly slave: SlaveDevice;
  readonly master: MasterDevice;
  readonly owner: Organisation | null;
}

/**
 * Finds the devices that open a read file under the chosen group.
 *
 * Returns `wrong-master` when the organisation has no master of that serial number; `unknown-slave` when the slave is
 * not linked to that master or is revoked; the other group's code when the slave belongs to another group of the same
 * organisation, so that the page can offer the switch.
 */
export async function findSlaveForRead(
  db: Db,
  organisationId: OrganisationId,
  origin: OpenerQuery,
): Promise<Opener | 'wrong-master' | 'unknown-slave' | { readonly otherGroup: string }> {
  const opener = await findOpener(db, organisationId, origin);
  if (opener === null) return 'wrong-master';
  const { master, slave, owner } = opener;
  // such a master needs no slaves here: the page offers to switch to it
  if (master.connectionGuid !== null && master.groupCode !== origin.groupCode)
    return { otherGroup: master.groupCode };
  if (slave === null || slave.isRevoked) return 'unknown-slave';
  if (master.groupCode !== origin.groupCode) return { otherGroup: master.groupCode };
  return { slave, owner, master };
}

const selectOpener = buildOnce(
  (
    db: Db,
    organisationId: OrganisationId,
    family: Family,
    masterSerial: string,
    slaveSerial: string,
  ) =>
    mastersOf(db, organisationId)
      .modifyFront(keepPlan)
      .leftJoin('slave_device as slave', (join) =>
        join
          .onRef('slave.master_device_guid', '=', 'master_device.guid')
          .on('slave.serial_number', '=', slaveSerial),
      )
      .leftJoin('organisation as owner', 'owner.guid', 'slave.owner_guid')
      .where('master_device.family', '=', family)
      .where('master_device.serial_number', '=', masterSerial)
      .select([
        'slave.guid as slaveGuid',
        'slave.is_revoked as isRevoked',
        'slave.revoked_key_ids as revokedKeyIds',
        'slave.key_id as ownKeyId',
        'owner.guid as ownerGuid',
        'owner.customer_code as ownerCode',
        'owner.name as ownerName',
        'owner.email as ownerEmail',
        'owner.culture as ownerCulture',
      ]),
);

/** Instead of a serial number that no slave can have. */
const unknownSerial = '';

/** The organisation's master of a read, with its slave of that serial number and the slave's owner, if it has them. */
async function findOpener(
  db: Db,
  organisationId: OrganisationId,
  { family, masterSerial, slaveSerial }: OpenerQuery,
) {
  if (!canBeKnown(masterSerial)) return null;
  const isPossible = canBeKnown(slaveSerial);
  const asked = isPossible ? slaveSerial : unknownSerial;
  const [row] = await selectOpener(db, organisationId, family, masterSerial, asked);
  if (row === undefined) return null;
  const master = readMaster(row);
  const slave: SlaveDevice | null =
    row.slaveGuid === null || !isPossible
      ? null
      : {
          guid: row.slaveGuid,
          masterGuid: master.guid,
          family,
          serialNumber: slaveSerial,
          isRevoked: row.isRevoked === true,
          revokedKeyIds: row.revokedKeyIds ?? [],
          ownKeyId: row.ownKeyId,
        };
  const owner: Organisation | null =
    row.ownerGuid === null || !isPossible
      ? null
      : {
          guid: row.ownerGuid,
          customerCode: row.ownerCode ?? '',
          name: row.ownerName ?? '',
          email: row.ownerEmail,
          culture: row.ownerCulture ?? 'en-US',
        };
  return { master, slave, owner };
}
