/** The storage quota of an organisation: what its files use, and what its unfinished operations have reserved. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { OrganisationId } from './caller.ts';

/** What counts against the storage quota of an organisation. */
export interface StorageUse {
  /** Bytes of its files, and those that unfinished operations have reserved. */
  readonly usedBytes: number;
  /** The organisation's own quota in bytes; null: the one of the settings. */
  readonly ownQuota: number | null;
}

/** How many bytes an organisation uses beyond its quota if it uses `more`; not positive: they fit. */
export const bytesBeyond = (
  { usedBytes, ownQuota }: StorageUse,
  more: number,
  organisationBytes: number,
): number => usedBytes + more - (ownQuota ?? organisationBytes);

/**
 * Bytes that count against the organisation's quota: its files, expired ones until they are swept, and the results of
 * its unfinished operations. The database keeps the sum of the files, so the cost does not depend on
 * their number.
 */
export async function readStorageUse(db: Db, organisationId: OrganisationId): Promise<StorageUse> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationId)
    .select('stored_bytes')
    .select(sql<number | null>`quota_gib * 1073741824::bigint`.as('ownQuota'))
    .select(({ selectFrom }) =>
      selectFrom('operation')
        .where('organisation_guid', '=', organisationId)
        .where('status', 'in', ['waiting', 'running'])
        .select(sql<number>`coalesce(sum(reserved_bytes), 0)::bigint`.as('bytes'))
        .as('reserved_bytes'),
    )
    .executeTakeFirstOrThrow();
  const { stored_bytes, reserved_bytes, ownQuota } = row;
  return { usedBytes: stored_bytes + (reserved_bytes ?? 0), ownQuota };
}
