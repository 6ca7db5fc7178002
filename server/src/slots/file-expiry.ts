/** Changes when stored files expire. A second owner of the table stored_file. */
import { type Kysely, sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { retentionIntervalOf } from '../organisations/retention.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';

/** Files whose expiry one statement changes. */
const expiryBatch = 500;

/**
 * When a file expires according to the retention of its organisation; in a slot, counted from when the job was last
 * kept.
 */
const expiry = (defaultDays: number) => sql`greatest(
  created_on, (select retained_since from slot where slot.guid = stored_file.slot_guid))
  + ${retentionIntervalOf(sql`stored_file.organisation_guid`, defaultDays)}`;

/**
 * Sets when the files of a slot expire, according to the retention of the organisation, or by default after
 * `defaultDays`.
 */
export async function changeSlotExpiry(
  trx: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  defaultDays: number,
): Promise<void> {
  await sql`
    update stored_file set expires_on = ${expiry(defaultDays)}
    where organisation_guid = ${organisationId} and slot_guid = ${slotGuid} and deleted_on is null`.execute(
    trx,
  );
}

/**
 * The same for all files of an organisation, in batches. `db` must not be a transaction: no statement waits for a row
 * while it has locked another, so that it cannot take part in a deadlock.
 */
export async function changeExpiry(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  defaultDays: number,
): Promise<void> {
  const isOld = sql`organisation_guid = ${organisationId} and deleted_on is null
    and expires_on is distinct from ${expiry(defaultDays)}`;
  const change = async (which: ReturnType<typeof sql>) => {
    const { numAffectedRows } = await sql`
      update stored_file set expires_on = ${expiry(defaultDays)} where ${which}`.execute(db);
    return numAffectedRows ?? 0n;
  };
  const batch = sql`guid = any(array(
    select guid from stored_file where ${isOld} limit ${expiryBatch} for update skip locked))`;
  while ((await change(batch)) > 0n);
  // rows that other transactions had locked, one by one
  const { rows } = await sql<{ guid: string }>`
    select guid from stored_file where ${isOld}`.execute(db);
  for (const { guid } of rows) await change(sql`guid = ${guid} and ${isOld}`);
}
