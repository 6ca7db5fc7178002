/** Reads group codes and devices: who owns which device, and which devices can open a read. */
import { derivePairKey } from '@recodery/codec/container/cipher';
import {
  builtInEngine,
  type Engine,
  type EngineKind,
  engineOf,
} from '@recodery/contract/features/engines';
import type { Family } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { DeviceCounts } from './access-rules.ts';
import type { OrganisationId } from './caller.ts';
import { type Organisation, publicColumns } from './organisations.ts';

/** A master device. Its secrets are stored separately, under {@link masterPurpose}. */
export interface Master {
  readonly guid: string;
  readonly family: Family;
  readonly serialNumber: string;
  readonly groupCode: string;
  readonly currentKeyId: number;
}

/** A master device with the engine that serves it. */
export interface ServedMaster extends Master {
  /** null: the built-in engine. */
  readonly connectionGuid: string | null;
  readonly engine: Engine;
  /** Its slaves that are not revoked. */
  readonly slaveCount: number;
}

/** A slave device, linked to one master. */
export interface Slave {
  readonly guid: string;
  readonly masterGuid: string;
  readonly family: Family;
  readonly serialNumber: string;
  readonly isRevoked: boolean;
  readonly revokedKeyIds: readonly number[];
}

/** The purpose under which a master device's secrets are stored. */
export function masterPurpose(masterGuid: string): string {
  return `master:${masterGuid}`;
}

function masters(db: Db, organisationId: OrganisationId) {
  return db
    .selectFrom('master_device')
    .innerJoin('group_code', 'group_code.guid', 'master_device.group_code_guid')
    .leftJoin('engine_connection', 'engine_connection.guid', 'master_device.connection_guid')
    .where('master_device.organisation_guid', '=', organisationId)
    .select([
      'master_device.guid as guid',
      'master_device.family as family',
      'master_device.serial_number as serialNumber',
      'group_code.code as groupCode',
      'master_device.current_key_id as currentKeyId',
      'master_device.connection_guid as connectionGuid',
      'engine_connection.name as engineName',
      'engine_connection.kind as engineKind',
    ])
    .select((eb) =>
      eb
        .selectFrom('slave_device')
        .whereRef('slave_device.master_device_guid', '=', 'master_device.guid')
        .where('slave_device.is_revoked', '=', false)
        .select(sql<number>`count(*)::integer`.as('slaveCount'))
        .as('slaveCount'),
    );
}

interface MasterRow extends Omit<ServedMaster, 'engine' | 'slaveCount'> {
  readonly engineName: string | null;
  readonly engineKind: EngineKind | null;
  readonly slaveCount: number | null;
}

function readMaster({ engineName, engineKind, slaveCount, ...master }: MasterRow): ServedMaster {
  const kind = engineKind ?? 'built-in';
  const engine = { name: engineName ?? builtInEngine, kind, offers: engineOf(kind).offers };
  return { ...master, engine, slaveCount: slaveCount ?? 0 };
}

/** False for a serial number that a text column cannot store: anyone can write one into the header of a file. */
function canBeKnown(serialNumber: string): boolean {
  return !serialNumber.includes('\0');
}

/** The organisation's master of that family and serial number, in any group, or null. */
export async function findMaster(
  db: Db,
  organisationId: OrganisationId,
  family: Family,
  serialNumber: string,
): Promise<ServedMaster | null> {
  if (!canBeKnown(serialNumber)) return null;
  const row = await masters(db, organisationId)
    .where('master_device.family', '=', family)
    .where('master_device.serial_number', '=', serialNumber)
    .executeTakeFirst();
  return row === undefined ? null : readMaster(row);
}

/** The organisation's masters, of one family or of all, by group code, then serial number. */
export async function listMasters(
  db: Db,
  organisationId: OrganisationId,
  family?: Family,
): Promise<readonly ServedMaster[]> {
  let query = masters(db, organisationId);
  if (family !== undefined) query = query.where('master_device.family', '=', family);
  const rows = await query
    .orderBy('group_code.code')
    .orderBy('master_device.serial_number')
    .execute();
  return rows.map(readMaster);
}

/** The organisation's group codes in order, including those without devices. */
export async function listGroupCodes(
  db: Db,
  organisationId: OrganisationId,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('group_code')
    .where('organisation_guid', '=', organisationId)
    .orderBy('code')
    .select('code')
    .execute();
  return rows.map(({ code }) => code);
}

/**
 * The number of the newest file that was encoded for a slave (field NUMB), and whether it is revoked; null: there is no
 * such slave.
 */
export async function findLastNumber(
  db: Db,
  slaveGuid: string,
): Promise<{ readonly lastNumber: number; readonly isRevoked: boolean } | null> {
  const row = await db
    .selectFrom('slave_device')
    .where('guid', '=', slaveGuid)
    .select(['last_encoded_number as lastNumber', 'is_revoked as isRevoked'])
    .executeTakeFirst();
  return row ?? null;
}

/** The selection from the device chooser; both values can be missing. */
export interface MasterChoice {
  readonly groupCode?: string | null | undefined;
  readonly masterDeviceSerialNumber?: string | null | undefined;
}

/**
 * How many of these masters there are, whether a vendor's engine serves one of them, and how many active slaves are
 * linked to the others.
 */
export function countDevices(masters: readonly ServedMaster[]): DeviceCounts {
  const own = masters.filter(({ connectionGuid }) => connectionGuid === null);
  return {
    masterCount: masters.length,
    slaveCount: own.reduce((sum, { slaveCount }) => sum + slaveCount, 0),
    isEngineConnected: own.length < masters.length,
  };
}

/** True when the organisation owns at least one slave, so that results can be sent to it. */
export async function ownsSlaves(db: Db, organisationId: OrganisationId): Promise<boolean> {
  const row = await db
    .selectFrom('slave_device')
    .where('owner_guid', '=', organisationId)
    .select('guid')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The workshop that currently owns the slave of a read, which receives what is sent: the slave may have changed hands
 * since the read was decoded. Null if it is not, or no longer, a slave of one of the organisation's masters.
 */
export async function findOwnerOfSlave(
  db: Db,
  {
    organisationId,
    slaveDeviceGuid,
  }: { readonly organisationId: OrganisationId; readonly slaveDeviceGuid: string | null },
): Promise<Organisation | null> {
  if (slaveDeviceGuid === null) return null;
  const row = await db
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .innerJoin('organisation', 'organisation.guid', 'slave_device.owner_guid')
    .where('slave_device.guid', '=', slaveDeviceGuid)
    .where('master_device.organisation_guid', '=', organisationId)
    .select(publicColumns)
    .executeTakeFirst();
  return row ?? null;
}

/** The creator in a read file's header, and the group under which to open it. */
export interface ReadOrigin {
  readonly family: Family;
  readonly masterSerial: string;
  readonly slaveSerial: string;
  readonly groupCode: string;
}

/** The devices that open a read file: its slave, that slave's master, and the workshop that owns the slave. */
export interface Opener {
  readonly slave: Slave;
  readonly master: Master;
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
  origin: ReadOrigin,
): Promise<Opener | 'wrong-master' | 'unknown-slave' | { readonly otherGroup: string }> {
  const master = await findMaster(db, organisationId, origin.family, origin.masterSerial);
  if (master === null) return 'wrong-master';
  // such a master needs no slaves here: the page offers to switch to it
  if (master.connectionGuid !== null && master.groupCode !== origin.groupCode)
    return { otherGroup: master.groupCode };
  const found = await findLinkedSlave(db, master, origin.slaveSerial);
  if (found === null || found.slave.isRevoked) return 'unknown-slave';
  if (master.groupCode !== origin.groupCode) return { otherGroup: master.groupCode };
  return { ...found, master };
}

async function findLinkedSlave(
  db: Db,
  master: Master,
  serialNumber: string,
): Promise<{ readonly slave: Slave; readonly owner: Organisation | null } | null> {
  if (!canBeKnown(serialNumber)) return null;
  const row = await db
    .selectFrom('slave_device')
    .leftJoin('organisation', 'organisation.guid', 'slave_device.owner_guid')
    .where('slave_device.master_device_guid', '=', master.guid)
    .where('slave_device.serial_number', '=', serialNumber)
    .select([
      'slave_device.guid as guid',
      'slave_device.is_revoked as isRevoked',
      'slave_device.revoked_key_ids as revokedKeyIds',
      'organisation.guid as ownerGuid',
      'organisation.customer_code as customerCode',
      'organisation.name as name',
      'organisation.email as email',
      'organisation.culture as culture',
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const slave: Slave = {
    guid: row.guid,
    masterGuid: master.guid,
    family: master.family,
    serialNumber,
    isRevoked: row.isRevoked,
    revokedKeyIds: row.revokedKeyIds,
  };
  if (row.ownerGuid === null || row.customerCode === null) return { slave, owner: null };
  const owner: Organisation = {
    guid: row.ownerGuid,
    customerCode: row.customerCode,
    name: row.name ?? '',
    email: row.email,
    culture: row.culture ?? 'en-US',
  };
  return { slave, owner };
}

/** A slave with its master, found by serial number alone: only for the operator's command line. */
export async function findSlaveBySerial(
  db: Db,
  family: Family,
  serialNumber: string,
): Promise<{ readonly slave: Slave; readonly master: Master } | null> {
  const row = await db
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .innerJoin('group_code', 'group_code.guid', 'master_device.group_code_guid')
    .where('slave_device.family', '=', family)
    .where('slave_device.serial_number', '=', serialNumber)
    .select([
      'slave_device.guid as guid',
      'slave_device.is_revoked as isRevoked',
      'slave_device.revoked_key_ids as revokedKeyIds',
      'master_device.guid as masterGuid',
      'master_device.serial_number as masterSerial',
      'master_device.current_key_id as currentKeyId',
      'group_code.code as groupCode',
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { guid, isRevoked, revokedKeyIds, masterGuid, masterSerial, currentKeyId, groupCode } = row;
  return {
    slave: { guid, masterGuid, family, serialNumber, isRevoked, revokedKeyIds },
    master: { guid: masterGuid, family, serialNumber: masterSerial, groupCode, currentKeyId },
  };
}

/** The devices with which a read was opened. */
export interface DeviceGuids {
  readonly masterGuid: string | null;
  readonly slaveGuid: string | null;
}

/**
 * The same devices, but null for one that has since been removed. The others cannot be removed until the transaction
 * ends.
 */
export async function lockDevices(trx: Db, found: DeviceGuids): Promise<DeviceGuids> {
  const lock = async (table: 'master_device' | 'slave_device', guid: string | null) => {
    if (guid === null) return null;
    const row = await trx
      .selectFrom(table)
      .select('guid')
      .where('guid', '=', guid)
      .forKeyShare()
      .executeTakeFirst();
    return row?.guid ?? null;
  };
  // in the order in which the directory removes them
  const slaveGuid = await lock('slave_device', found.slaveGuid);
  return { slaveGuid, masterGuid: await lock('master_device', found.masterGuid) };
}

/**
 * The 32-byte pair key of a slave under one of its master's key ids, derived on demand and never stored. Null when that
 * key id was never issued or is revoked for this slave: the file then cannot be authenticated.
 */
export async function getPairKey(
  deps: { readonly secrets: Pick<Secrets, 'getKey'> },
  master: Master,
  slave: Slave,
  keyId: number,
): Promise<Uint8Array | null> {
  if (slave.revokedKeyIds.includes(keyId)) return null;
  const secret = await deps.secrets.getKey(masterPurpose(master.guid), keyId);
  if (secret === null) return null;
  return derivePairKey(secret, master.family, master.serialNumber, slave.serialNumber, keyId);
}
