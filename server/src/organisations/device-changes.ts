/** Owns the tables group_code, master_device, slave_device and renewed_slave: the directory's changes to them, and file numbers. */
import { CodecError } from '@recodery/codec/errors';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { masterPurpose } from './devices.ts';
import { findConnection } from '../engine-connections/engine-connections.ts';
import type { ChangeOf } from './directory/directory-state-rules.ts';
import { organisationGuid } from './organisations.ts';

/** Adds or removes a group code. */
export async function applyGroup(trx: Db, change: ChangeOf<'group'>): Promise<void> {
  if (change.action === 'add') {
    const { customerCode, code } = change.record;
    const organisation_guid = await organisationGuid(trx, customerCode);
    await trx
      .insertInto('group_code')
      .values({ guid: newGuid(), organisation_guid, code })
      .execute();
  } else if (change.action === 'remove')
    await trx
      .deleteFrom('group_code')
      .using('organisation')
      .whereRef('organisation.guid', '=', 'group_code.organisation_guid')
      .where(sql<boolean>`organisation.customer_code || ' ' || group_code.code = ${change.key}`)
      .execute();
}

/** Adds, moves or removes a master device; a new one gets its first key. */
export async function applyMaster(
  trx: Db,
  secrets: Pick<Secrets, 'createKey'>,
  change: ChangeOf<'master'>,
): Promise<void> {
  if (change.action === 'remove') {
    await trx
      .deleteFrom('master_device')
      .where(sql<boolean>`family || ' ' || serial_number = ${change.key}`)
      .execute();
    return;
  }
  const { family, serial, customerCode, groupCode, engine } = change.record;
  // null for the built-in engine, whose name no connection has
  const connection = await findConnection(trx, engine);
  const organisation_guid = await organisationGuid(trx, customerCode);
  const group = await trx
    .selectFrom('group_code')
    .where('organisation_guid', '=', organisation_guid)
    .where('code', '=', groupCode)
    .select('guid')
    .executeTakeFirstOrThrow();
  const columns = {
    organisation_guid,
    group_code_guid: group.guid,
    connection_guid: connection?.guid ?? null,
  };
  if (change.action === 'change') {
    await trx
      .updateTable('master_device')
      .where('family', '=', family)
      .where('serial_number', '=', serial)
      .set(columns)
      .execute();
    return;
  }
  const guid = newGuid();
  const { keyId } = await secrets.createKey(masterPurpose(guid), undefined, trx);
  await trx
    .insertInto('master_device')
    .values({ guid, family, serial_number: serial, current_key_id: keyId, ...columns })
    .execute();
}

/** A slave's key, before and after it was renewed, by number. */
export interface RenewedKey {
  readonly from: number;
  readonly to: number;
}

/**
 * Gives a slave a new key: the next one of its master, under which no other slave has a file. The portal accepts no file
 * of the slave under an earlier key, also after it was removed and added again. Belongs into a transaction; null: there
 * is no such slave.
 */
export async function renewSlaveKey(
  trx: Db,
  secrets: Pick<Secrets, 'createKey'>,
  guid: string,
): Promise<RenewedKey | null> {
  const before = await trx
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .where('slave_device.guid', '=', guid)
    .select(['slave_device.family', 'slave_device.serial_number', 'slave_device.key_id'])
    .select(['master_device.guid as master', 'current_key_id'])
    .forUpdate('slave_device')
    .executeTakeFirst();
  if (before === undefined) return null;
  const { keyId } = await secrets.createKey(masterPurpose(before.master), undefined, trx);
  await trx
    .updateTable('slave_device')
    .where('guid', '=', guid)
    .set({ key_id: keyId, key_renewed_on: sql<Date>`now()` })
    .execute();
  const { family, serial_number } = before;
  await trx
    .insertInto('renewed_slave')
    .values({ family, serial_number })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { from: before.key_id ?? before.current_key_id, to: keyId };
}

/**
 * Adds, changes or removes a slave device. One whose key was renewed gets a new key again with another master, and when
 * it is added again: a key that someone knows must not become valid again.
 */
export async function applySlave(
  trx: Db,
  secrets: Pick<Secrets, 'createKey'>,
  change: ChangeOf<'slave'>,
): Promise<void> {
  if (change.action === 'remove') {
    await trx
      .deleteFrom('slave_device')
      .where(sql<boolean>`family || ' ' || serial_number = ${change.key}`)
      .execute();
    return;
  }
  const { family, serial, masterSerial, owner, revoked } = change.record;
  const master = await trx
    .selectFrom('master_device')
    .where('family', '=', family)
    .where('serial_number', '=', masterSerial)
    .select('guid')
    .executeTakeFirstOrThrow();
  const columns = {
    master_device_guid: master.guid,
    owner_guid: owner === null ? null : await organisationGuid(trx, owner),
    is_revoked: revoked,
  };
  if (change.action === 'add') {
    const guid = newGuid();
    await trx
      .insertInto('slave_device')
      .values({ guid, family, serial_number: serial, ...columns })
      .execute();
    const renewed = await trx
      .selectFrom('renewed_slave')
      .where('family', '=', family)
      .where('serial_number', '=', serial)
      .select('serial_number')
      .executeTakeFirst();
    if (renewed !== undefined) await renewSlaveKey(trx, secrets, guid);
  } else {
    const changed = await trx
      .updateTable('slave_device')
      .where('family', '=', family)
      .where('serial_number', '=', serial)
      .set(columns)
      .returning(['guid', 'key_id'])
      .executeTakeFirst();
    // its number is one of the other master
    if (changed !== undefined && changed.key_id !== null && change.fields.includes('masterSerial'))
      await renewSlaveKey(trx, secrets, changed.guid);
  }
}

/**
 * The next number of an encoded file for this slave (field NUMB): increasing, never issued twice. It is at least the
 * seconds since 2026, so that a restored database, whose last numbers are old, does not issue any number again.
 * @throws {CodecError} TOOL_NOT_FOUND if the slave has just been removed
 */
export async function takeNextNumber(db: Db, slaveGuid: string): Promise<number> {
  const row = await db
    .updateTable('slave_device')
    .where('guid', '=', slaveGuid)
    .set({
      last_number: sql`greatest(
        last_number + 1, floor(extract(epoch from now() - timestamptz '2026-01-01 00:00:00+00'))::integer)`,
    })
    .returning('last_number')
    .modifyEnd(keepPlan)
    .executeTakeFirstOrThrow(() => new CodecError('TOOL_NOT_FOUND'));
  return row.last_number;
}
