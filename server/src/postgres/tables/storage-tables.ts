/** The tables about the condition of stored files as TypeScript types; part of `schema`. */
import type { Generated } from 'kysely';
import type { DefaultTime, OptionalTime } from './column-types.ts';

export interface StorageTables {
  damaged_file: {
    storage_key: string;
    damage: 'missing' | 'changed';
    found_on: DefaultTime;
  };
  file_verification: {
    only_row: Generated<boolean>;
    last_key: Generated<string>;
    completed_on: OptionalTime;
    lease_until: OptionalTime;
  };
}
