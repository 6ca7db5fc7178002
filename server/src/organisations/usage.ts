/** What an organisation uses of its quotas: the functions of migration 0197, each in one round trip. */
import { sql } from 'kysely';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { OrganisationId } from './caller.ts';
import { noteLock } from './organisations.ts';
import type { StorageUse } from './storage-quota.ts';

/** What counts against the quotas of an organisation. */
export interface Usage extends StorageUse {
  /** Waiting and running operations that users see, besides those of trays. */
  readonly others: number;
  /** Those of trays. */
  readonly ofTrays: number;
}

const columns = sql`others, of_trays as "ofTrays", used_bytes as "usedBytes", own_quota as "ownQuota"`;

/** The current usage: for an early check, because it can change until something is written. */
export async function readUsage(db: Db, organisationId: OrganisationId): Promise<Usage> {
  const { rows } =
    await sql<Usage>`select ${columns} from usage_of(${organisationId}, null)`.execute(db);
  return only(rows);
}

/**
 * The usage, which stays final until the transaction ends: locks the organisation's row, as `lockOrganisation`. The
 * reservation of the operation `except`, which ends, does not count. `now`: the time of the transaction.
 */
export async function lockUsage(
  trx: Db,
  organisationId: OrganisationId,
  except: string | null = null,
): Promise<Usage & { readonly now: Date }> {
  const { rows } = await sql<Usage & { now: Date }>`
    select ${keepPlan} ${columns}, now() as now from lock_usage(${organisationId}, ${except})`.execute(
    trx,
  );
  noteLock(trx, organisationId);
  return only(rows);
}

function only<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('the database did not report the usage');
  return row;
}
