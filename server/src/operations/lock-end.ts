/** Locks what the end of an operation changes: the functions of migrations 0197 and 0201, in one round trip. */
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
  /**
   * The names of what the organisation decoded in the last minutes that begin as requested: until the transaction ends, no
   * other operation of the organisation can end with one of them.
   */
  readonly recentNames: readonly string[];
  /** The time of the transaction. */
  readonly now: Date;
}

/**
 * Locks an operation, so that no other worker takes it over, the devices, its slot and its organisation; null when the
 * claim is lost. `beginning`: of the names in `recentNames`; null: none are read.
 * @throws {Refusal} NOT_FOUND if the slot has been deleted
 */
export async function lockEnd(
  trx: Db,
  operation: Pick<OperationRow, 'guid' | 'attempt' | 'slotGuid' | 'organisationId'>,
  { slaveGuid, masterGuid }: DeviceGuids,
  beginning: string | null = null,
): Promise<LockedEnd | null> {
  const { guid, attempt, slotGuid, organisationId } = operation;
  const { rows } = await sql<
    DeviceGuids & Usage & { isHeld: boolean; hasSlot: boolean; names: string[] | null; now: Date }
  >`
    select ${keepPlan} is_held as "isHeld", slave_guid as "slaveGuid", master_guid as "masterGuid", has_slot as "hasSlot",
      others, of_trays as "ofTrays", used_bytes as "usedBytes", own_quota as "ownQuota", now() as now,
      case when has_slot and ${beginning}::text is not null then recent_names(${organisationId}, ${beginning}) end as names
    from lock_end(${guid}, ${attempt}, ${slaveGuid}, ${masterGuid}, ${slotGuid}, ${organisationId})`.execute(
    trx,
  );
  const [row] = rows;
  if (row?.isHeld !== true) return null;
  noteLock(trx, organisationId);
  if (!row.hasSlot) throw new Refusal('NOT_FOUND');
  const { others, ofTrays, usedBytes, ownQuota, now } = row;
  const usage = { others, ofTrays, usedBytes, ownQuota };
  return {
    slaveGuid: row.slaveGuid,
    masterGuid: row.masterGuid,
    usage,
    now,
    recentNames: row.names ?? [],
  };
}
