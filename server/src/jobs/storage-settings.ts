/** What an organisation stores, and how long: its retention within the operator's bounds. */
import { Refusal } from '@recodery/contract/refusal';
import type { StorageSettings } from '@recodery/contract/features/jobs/jobs';
import { type Kysely, sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import {
  listRetentionsOutside,
  lockOrganisation,
  readRetention,
  setRetention,
} from '../organisations/organisations.ts';
import { readStorageUse } from '../organisations/storage-quota.ts';
import type { Database } from '../postgres/tables/schema.ts';
import { changeExpiry } from '../slots/files/file-expiry.ts';
import { readSpareBytes } from '../slots/files/replaced-files.ts';

/** The operator's retention, in days. */
export interface RetentionRules {
  /** Applies if an organisation has not chosen. */
  readonly retentionDays: number;
  readonly retentionBounds: { readonly least: number; readonly most: number };
}

export interface StorageDependencies extends RetentionRules {
  readonly db: Kysely<Database>;
  readonly organisationBytes: number;
}

/** The storage and the retention of an organisation. */
export async function readStorageSettings(
  { db, organisationBytes, retentionDays, retentionBounds }: StorageDependencies,
  organisationId: OrganisationId,
): Promise<StorageSettings> {
  const [use, spareBytes, chosen, counts] = await Promise.all([
    readStorageUse(db, organisationId),
    readSpareBytes(db, organisationId),
    readRetention(db, organisationId),
    sql<{ jobs: number; keptJobs: number }>`
      select count(*)::integer as jobs, (count(*) filter (where is_kept))::integer as "keptJobs"
      from slot where organisation_guid = ${organisationId} and deleted_on is null`.execute(db),
  ]);
  return {
    usedBytes: use.usedBytes,
    spareBytes,
    organisationBytes: use.ownQuota ?? organisationBytes,
    retentionDays: chosen,
    defaultDays: retentionDays,
    leastDays: Math.min(retentionBounds.least, retentionDays),
    mostDays: Math.max(retentionBounds.most, retentionDays),
    jobs: counts.rows[0]?.jobs ?? 0,
    keptJobs: counts.rows[0]?.keptJobs ?? 0,
  };
}

/**
 * Changes the retention, which then also applies to existing files. If this is interrupted, the next sweep completes
 * it. `days` null: the operator's default.
 */
async function changeRetention(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  days: number | null,
  defaultDays: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrganisation(trx, organisationId);
    await setRetention(trx, organisationId, days);
  });
  await changeExpiry(db, organisationId, defaultDays);
}

/** Saves the retention that an organisation has chosen. Refuses days outside the operator's bounds. */
export async function saveRetention(
  deps: StorageDependencies,
  organisationId: OrganisationId,
  days: number | null,
): Promise<void> {
  const { leastDays, mostDays } = await readStorageSettings(deps, organisationId);
  if (days !== null && (days < leastDays || days > mostDays)) throw new Refusal('BAD_REQUEST');
  await changeRetention(deps.db, organisationId, days, deps.retentionDays);
}

/** Adjusts the retention of organisations to the operator's bounds, which may have changed; returns how many. */
export async function applyRetentionBounds(
  db: Kysely<Database>,
  { retentionDays, retentionBounds }: RetentionRules,
): Promise<number> {
  const least = Math.min(retentionBounds.least, retentionDays);
  const most = Math.max(retentionBounds.most, retentionDays);
  const outside = await listRetentionsOutside(db, least, most);
  for (const { organisationId, days } of outside)
    await changeRetention(db, organisationId, days < least ? least : most, retentionDays);
  return outside.length;
}
