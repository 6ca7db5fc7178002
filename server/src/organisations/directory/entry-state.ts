/** What the calls of a family check before they start work, read in one round trip. */
import type { Family } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { buildOnce } from '../../postgres/build-once.ts';
import { keepPlan } from '../../postgres/database.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { OrganisationId } from '../caller.ts';
import { readMaster, selectMasters, type ServedMaster } from '../devices.ts';
import type { Usage } from '../usage.ts';

export interface EntryState {
  /** The organisation's masters of the family, by group code, then serial number. */
  readonly masters: readonly ServedMaster[];
  readonly usage: Usage;
  /** Whether the operator has suspended the service. */
  readonly isSuspended: boolean;
}

const selectEntryState = buildOnce((db: Db, organisationId: OrganisationId, family: Family) =>
  db
    .selectFrom('organisation')
    .modifyFront(keepPlan)
    .where('organisation.guid', '=', organisationId)
    .innerJoin(
      sql<{
        others: number;
        of_trays: number;
        used_bytes: number;
        own_quota: number | null;
      }>`usage_of(${organisationId}, null)`.as('usage'),
      (join) => join.onTrue(),
    )
    .select(['others', 'of_trays as ofTrays', 'used_bytes as usedBytes', 'own_quota as ownQuota'])
    .select(sql<boolean>`maintenance_is_on()`.as('isSuspended'))
    .select(jsonArrayFrom(selectMasters(db, organisationId, family)).as('masters')),
);

export async function readEntryState(
  db: Db,
  organisationId: OrganisationId,
  family: Family,
): Promise<EntryState> {
  const [row] = await selectEntryState(db, organisationId, family);
  if (row === undefined) throw new Error('there is no such organisation');
  const { masters, isSuspended, ...usage } = row;
  return { masters: masters.map(readMaster), isSuspended, usage };
}
