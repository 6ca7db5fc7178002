/** Owns the table slave_key_export: every pair key that an operator has exported. */
import type { Kysely } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Database } from '../postgres/tables/schema.ts';

/** Records an export; `exportedBy` is the account of the operating system, or the email address of the operator in the browser. */
export async function recordKeyExport(
  db: Kysely<Database>,
  slaveGuid: string,
  keyId: number,
  exportedBy: string,
): Promise<void> {
  await db
    .insertInto('slave_key_export')
    .values({
      guid: newGuid(),
      slave_device_guid: slaveGuid,
      key_id: keyId,
      exported_by: exportedBy,
    })
    .execute();
}
