/** The tables in which running processes report about themselves and their backups as TypeScript types; part of `schema`. */
import type { DefaultTime, OptionalTime } from './column-types.ts';

export interface ReportTables {
  worker_report: {
    worker_guid: string;
    engines: number;
    isolation: string | null;
    has_namespaces: boolean | null;
    is_sealed: boolean | null;
    reported_on: DefaultTime;
  };
  portal_report: {
    portal_guid: string;
    isolation: string;
    has_namespaces: boolean;
    is_sealed: boolean | null;
    /** Of versions until 0.9.0; now always null. */
    untrusted_proxy: string | null;
    untrusted_proxies: readonly string[];
    reported_on: DefaultTime;
  };
  backup_run: {
    file_name: string;
    origin: 'page' | 'schedule' | 'other';
    requested_by: string | null;
    requested_on: DefaultTime;
    status: 'waiting' | 'running' | 'verifying' | 'complete' | 'broken' | 'failed';
    lease_until: OptionalTime;
    lease_owner: string | null;
    copied: number;
    files: number;
    missing: number | null;
    damaged: number | null;
    has_secret: boolean | null;
    verified_on: OptionalTime;
    error: string | null;
  };
  backup_schedule: {
    only_row: boolean;
    hour: number | null;
    kept: number | null;
    changed_on: DefaultTime;
    last_due: OptionalTime;
  };
}
