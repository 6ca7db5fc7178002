/** Locks what the end of an operation changes: the function of migration 0131, in one round trip. */
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import type { DeviceGuids } from '../organisations/devices.ts';
import { noteLock } from '../organisations/organisations.ts';
import type { Usage } from '../organisations/usage.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { OperationRow } from './operation-rules.ts';

/** What an end has locked, until its transaction ends. Devices that were removed meanwhile are null. */
export interface LockedEnd extends DeviceGuids {
  /** Of the organisation, without the reservation of the operation. */
  readonly usage: Usage;
  /** The time of the transaction. */
  readonly now: Date;
}

/**
 * Locks an operation, so that no other worker takes it over, the devices, its slot and its organisation; null when the
 * claim is lost. @throws {Refusal} NOT_FOUND if the slot has been deleted
 */
export async function lockEnd(
  trx: Db,
  operation: Pick<OperationRow, 'guid' | 'attempt' | 'slotGuid' | 'organisationId'>,
  { slaveGuid, masterGuid }: DeviceGuids,
): Promise<LockedEnd | null> {
  const { guid, attempt, slotGuid, organisationId } = operation;
  const { rows } = await sql<
    DeviceGuids & Usage & { isHeld: boolean; hasSlot: boolean; now: Date }
  >`
    select ${keepPlan} is_held as "isHeld", slave_guid as "slaveGuid", master_guid as "masterGuid", has_slot as "hasSlot",
      others, of_trays as "ofTrays", used_bytes as "usedBytes", own_quota as "ownQuota", now() as now
    from lock_end(${guid}, ${attempt}, ${slaveGuid}, ${masterGuid}, ${slotGuid}, ${organisationId})`.execute(
    trx,
  );
  const [row] = rows;
  if (row?.isHeld !== true) return null;
  noteLock(trx, organisationId);
  if (!row.hasSlot) throw new Refusal('NOT_FOUND');
  const { others, ofTrays, usedBytes, ownQuota, now } = row;
  const usage = { others, ofTrays, usedBytes, ownQuota };
  return { slaveGuid: row.slaveGuid, masterGuid: row.masterGuid, usage, now };
}
