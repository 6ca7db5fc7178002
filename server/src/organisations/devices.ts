/** Reads group codes and devices: who owns which device, and which devices can open a read. */
import { derivePairKey } from '@recodery/codec/container/cipher';
import {
  builtInEngine,
  type EngineKind,
  engineOf,
  type EngineSummary,
} from '@recodery/contract/features/engines';
import type { Family } from '@recodery/contract/families/registry';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { DeviceCounts } from './access-rules.ts';
import type { OrganisationId } from './caller.ts';
import { type Organisation, publicColumns } from './organisations.ts';

/** A master device. Its secrets are stored separately, under {@link masterPurpose}. */
export interface MasterDevice {
  readonly guid: string;
  readonly family: Family;
  readonly serialNumber: string;
  readonly groupCode: string;
  readonly currentKeyId: number;
}

/** A master device with the engine that serves it. */
export interface ServedMaster extends MasterDevice {
  /** null: the built-in engine. */
  readonly connectionGuid: string | null;
  readonly engine: EngineSummary;
  /** Its slaves that are not revoked. */
  readonly slaveCount: number;
}

/** A slave device, linked to one master. */
export interface SlaveDevice {
  readonly guid: string;
  readonly masterGuid: string;
  readonly family: Family;
  readonly serialNumber: string;
  readonly isRevoked: boolean;
  readonly revokedKeyIds: readonly number[];
  /** The number of its own key, if it was renewed; null: it has the current one of its master. */
  readonly ownKeyId: number | null;
}

/** Whether a slave has another key instead of the one with this number of its master. */
export function isFormerKey(
  { revokedKeyIds, ownKeyId }: Pick<SlaveDevice, 'revokedKeyIds' | 'ownKeyId'>,
  keyId: number,
): boolean {
  return revokedKeyIds.includes(keyId) || (ownKeyId !== null && keyId < ownKeyId);
}

/** The purpose under which a master device's secrets are stored. */
export function masterPurpose(masterGuid: string): string {
  return `master:${masterGuid}`;
}

/** The query of an organisation's masters; {@link readMaster} reads its rows. */
export function mastersOf(db: Db, organisationId: OrganisationId) {
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

/** Reads a row of {@link selectMasters}. */
export function readMaster(row: MasterRow): ServedMaster {
  const kind = row.engineKind ?? 'built-in';
  return {
    guid: row.guid,
    family: row.family,
    serialNumber: row.serialNumber,
    groupCode: row.groupCode,
    currentKeyId: row.currentKeyId,
    connectionGuid: row.connectionGuid,
    engine: { name: row.engineName ?? builtInEngine, kind, offers: engineOf(kind).offers },
    slaveCount: row.slaveCount ?? 0,
  };
}

/** False for a serial number that a text column cannot store: anyone can write one into the header of a file. */
export function canBeKnown(serialNumber: string): boolean {
  return !serialNumber.includes('\0');
}

/** The organisation's masters, of one family or of all, by group code, then serial number. */
export async function listMasters(
  db: Db,
  organisationId: OrganisationId,
  family?: Family,
): Promise<readonly ServedMaster[]> {
  const rows = await selectMasters(db, organisationId, family).execute();
  return rows.map(readMaster);
}

/** The query of {@link listMasters}; its rows are read by {@link readMaster}. */
export function selectMasters(db: Db, organisationId: OrganisationId, family?: Family) {
  const all = mastersOf(db, organisationId)
    .orderBy('group_code.code')
    .orderBy('master_device.serial_number');
  return family === undefined ? all : all.where('master_device.family', '=', family);
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

/** The number of each slave's key, and since when the slave has it if it was renewed; not of those of a vendor's service. */
export function readSlaveKeys(db: Db) {
  return db
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .where('master_device.connection_guid', 'is', null)
    .select(['slave_device.guid', 'slave_device.key_renewed_on as renewedOn'])
    .select(({ fn }) =>
      fn.coalesce('slave_device.key_id', 'master_device.current_key_id').$notNull().as('number'),
    )
    .execute();
}

/** The devices of a read as its slot records them, and the number of the key that sealed it; null: not known. */
export interface SealedRead {
  readonly family: Family;
  readonly masterDeviceGuid: string | null;
  readonly slaveSerialNumber: string | null;
  readonly keyId: number | null;
  /** null: the built-in engine. */
  readonly connectionGuid: string | null;
}

/**
 * Whether the slave of a read has a new key since: once the key is written to it, it refuses all files that were encoded
 * from the read. The slave is found by its serial number, because it may have been removed and added again.
 */
export async function hasFormerKey(
  db: Db,
  { family, masterDeviceGuid, slaveSerialNumber, keyId, connectionGuid }: SealedRead,
): Promise<boolean> {
  if (connectionGuid !== null || slaveSerialNumber === null) return false;
  const slave = await db
    .selectFrom('slave_device')
    .where('family', '=', family)
    .where('serial_number', '=', slaveSerialNumber)
    .where('key_id', 'is not', null)
    .select(['master_device_guid as masterGuid', 'key_id as ownKeyId'])
    .executeTakeFirst();
  if (slave === undefined) return false;
  // numbers of different masters cannot be compared
  return keyId === null || slave.masterGuid !== masterDeviceGuid || keyId < (slave.ownKeyId ?? 0);
}

/** A slave as a slot records it. */
export interface OwnedSlave {
  readonly guid: string;
  readonly serialNumber: string;
  /** The workshop that owns it; null: none. */
  readonly ownerGuid: string | null;
}

/** The slaves of a master that are not revoked, by serial number. */
export function listActiveSlaves(db: Db, masterGuid: string): Promise<readonly OwnedSlave[]> {
  return db
    .selectFrom('slave_device')
    .where('master_device_guid', '=', masterGuid)
    .where('is_revoked', '=', false)
    .orderBy('serial_number')
    .select(['guid', 'serial_number as serialNumber', 'owner_guid as ownerGuid'])
    .execute();
}

/** The selection from the device chooser; both values can be missing. */
export interface MasterChoice {
  readonly groupCode?: string | null | undefined;
  readonly masterDeviceSerialNumber?: string | null | undefined;
}

/**
 * How many of these masters there are, whether a vendor's engine serves one of them, and how many active slaves are
 * linked to those that the portal's own engine serves: a master of another maker has slaves that it cannot open.
 */
export function countDevices(masters: readonly ServedMaster[]): DeviceCounts {
  const own = masters.filter(({ connectionGuid }) => connectionGuid === null);
  const served = own.filter(({ family, engine }) =>
    engineOf(engine.kind).families.includes(family),
  );
  return {
    masterCount: masters.length,
    slaveCount: served.reduce((sum, { slaveCount }) => sum + slaveCount, 0),
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

/** The two sides of what is sent. */
export interface Parties {
  readonly sender: Organisation;
  /** As {@link findOwnerOfSlave}. */
  readonly owner: Organisation | null;
}

/** The query for {@link Parties}. `slaveDeviceGuid` can be an expression. */
export function selectParties(
  db: Db,
  organisationId: OrganisationId,
  slaveDeviceGuid: string | null | RawBuilder<string | null>,
) {
  return db
    .selectFrom('organisation')
    .where('organisation.guid', '=', organisationId)
    .select(publicColumns)
    .select(sql<boolean>`false`.as('isOwner'))
    .unionAll(
      ownerOfSlave(db, organisationId, slaveDeviceGuid).select(sql<boolean>`true`.as('isOwner')),
    );
}

/** Converts the rows of {@link selectParties}. @throws if there is no such organisation */
export function readParties(
  rows: readonly (Organisation & { readonly isOwner: boolean })[],
): Parties {
  const sender = rows.find(({ isOwner }) => !isOwner);
  if (sender === undefined) throw new Error('there is no such organisation');
  return { sender, owner: rows.find(({ isOwner }) => isOwner) ?? null };
}

/** An organisation, and the workshop that owns the slave of its slot. @throws if there is no such organisation */
export async function findParties(
  db: Db,
  organisationId: OrganisationId,
  slaveDeviceGuid: string | null,
): Promise<Parties> {
  return readParties(await selectParties(db, organisationId, slaveDeviceGuid).execute());
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
  return (await ownerOfSlave(db, organisationId, slaveDeviceGuid).executeTakeFirst()) ?? null;
}

function ownerOfSlave(
  db: Db,
  organisationId: OrganisationId,
  slaveDeviceGuid: string | null | RawBuilder<string | null>,
) {
  return db
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .innerJoin('organisation', 'organisation.guid', 'slave_device.owner_guid')
    .where('slave_device.guid', '=', slaveDeviceGuid)
    .where('master_device.organisation_guid', '=', organisationId)
    .select(publicColumns);
}

/** A slave with its master, found by serial number alone: only for the operator's command line. */
export async function findSlaveBySerial(
  db: Db,
  family: Family,
  serialNumber: string,
): Promise<{ readonly slave: SlaveDevice; readonly master: MasterDevice } | null> {
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
      'slave_device.key_id as ownKeyId',
      'master_device.guid as masterGuid',
      'master_device.serial_number as masterSerial',
      'master_device.current_key_id as masterKeyId',
      'group_code.code as groupCode',
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { guid, isRevoked, revokedKeyIds, ownKeyId, masterGuid, masterSerial, groupCode } = row;
  const currentKeyId = ownKeyId ?? row.masterKeyId;
  return {
    slave: { guid, masterGuid, family, serialNumber, isRevoked, revokedKeyIds, ownKeyId },
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
 * key id was never issued or is a former one of this slave: the file then cannot be authenticated.
 */
export async function getPairKey(
  deps: { readonly secrets: Pick<Secrets, 'getKey'> },
  master: MasterDevice,
  slave: SlaveDevice,
  keyId: number,
): Promise<Uint8Array | null> {
  if (isFormerKey(slave, keyId)) return null;
  const secret = await deps.secrets.getKey(masterPurpose(master.guid), keyId);
  if (secret === null) return null;
  return derivePairKey(secret, master.family, master.serialNumber, slave.serialNumber, keyId);
}
