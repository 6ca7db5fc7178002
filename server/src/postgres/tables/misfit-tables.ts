/** The table of uploads that do not fit as TypeScript types; part of `schema`. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { DefaultTime, Json, OptionalJson, OptionalTime, Time } from './column-types.ts';

export interface MisfitTables {
  misfit: {
    guid: string;
    organisation_guid: string;
    slot_guid: string;
    role: 'modified' | 'original';
    component: ComponentName;
    file_guid: string | null;
    upload: OptionalJson;
    kind: string;
    details: Json;
    repair_component: ComponentName | null;
    is_lossless: boolean | null;
    repair: OptionalJson;
    size: number;
    created_on: DefaultTime;
    expires_on: Time;
    deleted_on: OptionalTime;
  };
}
