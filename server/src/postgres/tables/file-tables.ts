/** The tables of a slot's files as TypeScript types, and of uploads that do not fit; part of `schema`. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Generated } from 'kysely';
import type {
  DefaultTime,
  JsonColumn,
  OptionalJsonColumn,
  OptionalTime,
  Time,
} from './column-types.ts';

export interface FileTables {
  stored_file: {
    guid: string;
    organisation_guid: string;
    slot_guid: string;
    role: 'read' | 'decoded' | 'id' | 'modified' | 'original' | 'encoded' | 'restore' | 'plain';
    component: string | null;
    name: string;
    size: number;
    sha256: string;
    storage_key: string;
    changes: OptionalJsonColumn;
    account_guid: string | null;
    client_guid: string | null;
    number: number | null;
    first_downloaded_on: OptionalTime;
    /** When it left the draft of the encode, and who replaced or removed it; null while it is in the draft. */
    replaced_on: OptionalTime;
    replaced_account_guid: string | null;
    replaced_client_guid: string | null;
    /** Whether it was deleted because the organisation's storage was full. */
    made_room: Generated<boolean>;
    /** The file as it came, if this one is its repair, and what was wrong with it. */
    repaired_from: string | null;
    repair_kind: string | null;
    repair_details: OptionalJsonColumn;
    /** When a user kept it as an original, who did, and the software number that was known of it; null: it is none. */
    original_on: OptionalTime;
    original_account_guid: string | null;
    original_client_guid: string | null;
    original_software: string | null;
    /**
     * Of the image that a maker's service has sealed (`plain`), and of a file that was sealed from it again: the file that
     * the encode made.
     */
    first_delivery_guid: string | null;
    created_on: DefaultTime;
    expires_on: Time;
    deleted_on: OptionalTime;
    swept_on: OptionalTime;
  };
  misfit: {
    guid: string;
    organisation_guid: string;
    slot_guid: string;
    role: 'modified' | 'original';
    component: ComponentName;
    file_guid: string | null;
    upload: OptionalJsonColumn;
    kind: string | null;
    reason: string | null;
    details: JsonColumn;
    repair_component: ComponentName | null;
    is_lossless: boolean | null;
    repair: OptionalJsonColumn;
    size: number;
    created_on: DefaultTime;
    expires_on: Time;
    deleted_on: OptionalTime;
  };
}
