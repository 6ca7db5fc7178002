/** Why a slave may refuse a file that was encoded for it. */
import { findSealEnd } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { hasFormerKey, type SealedRead } from '../../organisations/devices.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { StoredFile } from './stored-files.ts';

/** Why the slave of an encoded file may refuse it. */
interface Refusals {
  /** A later file was encoded for the slave. */
  readonly isOutdated: boolean;
  /** The slave has a new key since. */
  readonly hasFormerKey: boolean;
  /** Its maker's service sealed it longer ago than slaves of the family are known to accept. */
  readonly isExpired: boolean;
}

/** Whether the slave of a file may refuse it, and why. */
export async function findRefusals(
  db: Db,
  { guid, organisationId }: Pick<StoredFile, 'guid' | 'organisationId'>,
): Promise<Refusals> {
  const { rows } = await sql<
    SealedRead & { isOutdated: boolean; sealedOn: string | null; now: Date }
  >`
    select coalesce(number < last_encoded_number, false) as "isOutdated", now() as now,
      slot.family, slot.master_device_guid as "masterDeviceGuid", slot.slave_serial_number as "slaveSerialNumber",
      slot.key_id as "keyId", slot.connection_guid as "connectionGuid",
      (select result ->> 'sealedOn' from operation
        where operation.slot_guid = slot.guid and result ->> 'fileGuid' = stored_file.guid::text limit 1) as "sealedOn"
    from stored_file
      join slot on slot.guid = slot_guid
      left join slave_device on slave_device.guid = slave_device_guid
    where stored_file.organisation_guid = ${organisationId} and stored_file.guid = ${guid} and role = 'encoded'`.execute(
    db,
  );
  const [file] = rows;
  if (file === undefined) return { isOutdated: false, hasFormerKey: false, isExpired: false };
  const end = file.sealedOn === null ? null : findSealEnd(file.family, new Date(file.sealedOn));
  return {
    isOutdated: file.isOutdated,
    hasFormerKey: await hasFormerKey(db, file),
    isExpired: end !== null && end <= file.now,
  };
}
