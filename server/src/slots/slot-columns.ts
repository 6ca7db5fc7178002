/** What queries and rows of the table slot contain. */
import { doubleName } from '@recodery/contract/features/demo-doubles';
import { sql } from 'kysely';

/** The columns of the table slot that a slot is read from. */
export const slotColumns = [
  'guid',
  'organisation_guid',
  'account_guid',
  'client_guid',
  'user_code',
  'opened_by_client_guid',
  'family',
  'workflow',
  'group_code',
  'read_file_name',
  'master_device_guid',
  'slave_device_guid',
  'slave_serial_number',
  'slave_owner_guid',
  'key_id',
  'mode',
  'protocol_id',
  'vin',
  'facts',
  'draft',
  'check_limits',
  'connection_guid',
  'remote_slot_guid',
  'engine_context',
  'note',
  'customer_label',
  'past_labels',
  'is_kept',
  'is_double',
  'created_on',
] as const;

/** Whether the slots of a connection have files of a double, as a value of a new row; null: the built-in engine. */
export function isOfDouble(connectionGuid: string | null) {
  return connectionGuid === null
    ? false
    : sql<boolean>`exists (select from engine_connection
        where guid = ${connectionGuid} and starts_with(name, ${doubleName('')}))`;
}
