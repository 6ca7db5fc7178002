/** A slot, and who sends and receives its files, in one round trip. */
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { OrganisationId } from '../organisations/caller.ts';
import { findParties, type Parties, readParties, selectParties } from '../organisations/devices.ts';
import { buildOnce } from '../postgres/build-once.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { livingSlot, readSlot, type Slot } from './slots.ts';

const selectWithParties = buildOnce((db: Db, organisationId: OrganisationId, guid: string) => {
  const slave = sql<string | null>`slot.slave_device_guid`;
  const parties = jsonArrayFrom(selectParties(db, organisationId, slave)).as('parties');
  return livingSlot(db, organisationId, guid).select(parties);
});

/**
 * A slot that has not been deleted, or null, with its organisation and the workshop that owns its slave. Without a slot,
 * there is no owner.
 */
export async function findSlotWithParties(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<Parties & { readonly slot: Slot | null }> {
  const [row] = await selectWithParties(db, organisationId, guid);
  return row === undefined
    ? { slot: null, ...(await findParties(db, organisationId, null)) }
    : { slot: readSlot(row), ...readParties(row.parties) };
}
