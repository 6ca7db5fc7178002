/** The columns of the table stored_file that a file is read from. */
import type { Selectable } from 'kysely';
import type { Database } from '../../postgres/tables/schema.ts';

export const fileColumns = [
  'guid',
  'organisation_guid',
  'slot_guid',
  'role',
  'component',
  'name',
  'size',
  'sha256',
  'storage_key',
  'changes',
  'number',
  'first_delivery_guid',
  'created_on',
  'expires_on',
] as const;

/** A row with these columns, and whether the file was found damaged. */
export type SelectedFile = Pick<
  Selectable<Database['stored_file']>,
  (typeof fileColumns)[number]
> & {
  is_damaged: boolean;
};
