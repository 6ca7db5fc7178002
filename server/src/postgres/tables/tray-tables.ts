/** The tables of trays as TypeScript types; part of `schema`. */
import type { Workflow } from '@recodery/contract/families/registry';
import type { TrayError } from '@recodery/contract/features/trays';
import type { DefaultTime } from './column-types.ts';

export interface TrayTables {
  tray: {
    guid: string;
    organisation_guid: string;
    account_guid: string | null;
    client_guid: string | null;
    name: string | null;
    created_on: DefaultTime;
  };
  tray_file: {
    guid: string;
    tray_guid: string;
    position: number;
    name: string | null;
    size: number;
    sha256: string | null;
    workflow: Workflow | null;
    error_name: TrayError | null;
    operation_guid: string | null;
  };
}
