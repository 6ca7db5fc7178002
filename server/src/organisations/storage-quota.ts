/** The storage quota of an organisation: what its files use, and what its unfinished operations have reserved. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { OrganisationId } from './caller.ts';

/**
 * Bytes that count against the organisation's quota: its files, expired ones until they are swept, and the results of
 * its unfinished operations. The database keeps the sum of the files, so the cost does not depend on
 * their number.
 */
export async function readUsedBytes(db: Db, organisationId: OrganisationId): Promise<number> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationId)
    .select('stored_bytes')
    .select(({ selectFrom }) =>
      selectFrom('operation')
        .where('organisation_guid', '=', organisationId)
        .where('status', 'in', ['waiting', 'running'])
        .select(sql<number>`coalesce(sum(reserved_bytes), 0)::bigint`.as('bytes'))
        .as('reserved_bytes'),
    )
    .executeTakeFirstOrThrow();
  return row.stored_bytes + (row.reserved_bytes ?? 0);
}
