/** The tables in which running processes report about themselves as TypeScript types; part of `schema`. */
import type { DefaultTime } from './column-types.ts';

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
}
