/** Changes when stored files expire. A second owner of the table stored_file. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { mintOrganisationId, type OrganisationId } from '../../organisations/caller.ts';
import { retentionInterval, retentionIntervalOf } from '../../organisations/retention.ts';
import type { Database, Db } from '../../postgres/tables/schema.ts';

/** Files whose expiry one statement changes. */
const expiryBatch = 500;

/**
 * When a file expires according to the retention of its organisation, counted from when the job was last kept; not before
 * a link to a file of its job.
 */
const expiryAfter = (retention: RawBuilder<unknown>) =>
  sql`greatest(greatest(stored_file.created_on, slot.retained_since) + ${retention}, slot.kept_until)`;

/** The same in a statement that has only the row of the file. */
const expiry = (defaultDays: number) => sql`(
  select ${expiryAfter(retentionIntervalOf(sql`stored_file.organisation_guid`, defaultDays))}
  from slot where slot.guid = stored_file.slot_guid)`;

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
 * The same for all files of an organisation, in batches, until `signal` stops it. `db` must not be a transaction: no
 * statement waits for a row while it has locked another, so that it cannot take part in a deadlock.
 */
export async function changeExpiry(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  defaultDays: number,
  signal = new AbortController().signal,
): Promise<void> {
  const isOld = sql`organisation_guid = ${organisationId} and deleted_on is null
    and expires_on is distinct from ${expiry(defaultDays)}`;
  const change = (which: ReturnType<typeof sql>) =>
    sql`update stored_file set expires_on = ${expiry(defaultDays)} where ${which}`.execute(db);
  // in the order of their GUIDs: a search from the start for each batch would pass the changed ones again and again
  const listOldAfter = async (last: string | null) => {
    const { rows } = await sql<{ guid: string }>`
      select guid from stored_file where ${isOld} and (${last}::uuid is null or guid > ${last}::uuid)
      order by guid limit ${expiryBatch}`.execute(db);
    return rows.map(({ guid }) => guid);
  };
  const changeAll = async (changeSome: (guids: readonly string[]) => Promise<unknown>) => {
    let last: string | null = null;
    do {
      const guids: readonly string[] = await listOldAfter(last);
      await changeSome(guids);
      last = guids.at(-1) ?? null;
    } while (last !== null && !signal.aborted);
  };
  await changeAll((guids) =>
    change(sql`guid = any(array(
      select guid from stored_file where guid = any(${guids}::uuid[]) and ${isOld}
      for update skip locked))`),
  );
  // rows that other transactions had locked, one by one
  await changeAll(async (guids) => {
    for (const guid of guids) if (!signal.aborted) await change(sql`guid = ${guid} and ${isOld}`);
  });
}

/**
 * The same for all organisations whose files expire at another time than their retention implies: a change of it was
 * interrupted, or the operator has changed the default. One query finds them: it reads each file that is not deleted,
 * and locks none.
 */
export async function completeExpiry(
  db: Kysely<Database>,
  defaultDays: number,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{ guid: string }>`
    select distinct organisation.guid
    from stored_file
    join slot on slot.guid = slot_guid
    join organisation on organisation.guid = stored_file.organisation_guid
    where stored_file.deleted_on is null and expires_on is distinct from
      ${expiryAfter(retentionInterval(defaultDays))}`.execute(db);
  for (const { guid } of rows)
    await changeExpiry(db, mintOrganisationId(guid), defaultDays, signal);
}
