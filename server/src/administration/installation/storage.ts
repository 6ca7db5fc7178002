/** What organisations store, as a resource of the administration. */
import { resources } from '@recodery/contract/admin/resources';
import type { ActionFinding } from '@recodery/contract/admin/derive-routes';
import { sql } from 'kysely';
import type { Db } from '../../postgres/tables/schema.ts';
import type { TaskResult } from '../records/records.ts';
import type { KeptStore } from '../records/kept-records.ts';
import type { Values } from '../records/resource-store.ts';

type Described = readonly [state: ActionFinding['state'], text: string];

/** The scan of all stored files. */
export interface FileScan {
  readonly start: (db: Db) => Promise<Described>;
  readonly describe: (db: Db) => Promise<Described>;
}

/** The dependencies of the storage. */
export interface StorageDeps {
  readonly storageRules: {
    /** The quota of organisations without one of their own. */
    readonly organisationBytes: number;
    /** Applies to organisations that have not chosen a retention. */
    readonly retentionDays: number;
  };
  readonly fileScan: FileScan;
}

interface StoredBy {
  readonly guid: string;
  readonly customerCode: string;
  readonly name: string;
  readonly usedBytes: number;
  readonly ownQuota: number | null;
  readonly retentionDays: number | null;
  readonly damaged: number;
}

/** The storage of each organisation by its GUID. */
export async function readStorage(
  db: Db,
  { organisationBytes, retentionDays }: StorageDeps['storageRules'],
): Promise<ReadonlyMap<string, Values>> {
  const { rows } = await sql<StoredBy>`
    select organisation.guid, customer_code as "customerCode", name, stored_bytes::float8 as "usedBytes",
      quota_gib * 1073741824::float8 as "ownQuota", retention_days as "retentionDays", coalesce(damaged, 0)::int as damaged
    from organisation left join (
      select organisation_guid, count(*) as damaged
      from damaged_file join stored_file using (storage_key)
      where deleted_on is null group by organisation_guid
    ) as found on organisation_guid = organisation.guid`.execute(db);
  return new Map(
    rows.map(({ guid, ownQuota, ...row }) => {
      const quotaBytes = ownQuota ?? organisationBytes;
      const usedPercent = Math.round((row.usedBytes / quotaBytes) * 100);
      const days = row.retentionDays ?? retentionDays;
      return [guid, { ...row, quotaBytes, usedPercent, retentionDays: days }];
    }),
  );
}

export function openStorageStore({ storageRules }: StorageDeps): KeptStore {
  return { declared: resources.storage, read: (db) => readStorage(db, storageRules) };
}

/** Carries out a task of the scan. */
export async function scanStorage(db: Db, task: FileScan['start']): Promise<TaskResult> {
  const [state, text] = await task(db);
  return { finding: { state, text } };
}
