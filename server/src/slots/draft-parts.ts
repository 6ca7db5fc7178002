/** What the draft of a slot is described from, read in one statement, and so from one snapshot. */
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { noDraft } from './draft-record.ts';
import type { Slot } from './slots.ts';
import { isThere, type StoredFile } from './files/stored-files.ts';

/** What a draft shows of a file. */
export type DraftFile = Pick<StoredFile, 'guid' | 'name' | 'size' | 'changes'>;

interface DraftParts extends Pick<Slot, 'family' | 'draft'> {
  readonly isDecoded: boolean;
  /** The slot's files that are neither deleted nor expired. */
  readonly files: readonly DraftFile[];
  /** The names of the users and client applications who changed it, by GUID. */
  readonly authors: Readonly<Record<string, string>>;
}

/** The parts of a slot's draft; null: there is no such slot. */
export async function findDraftParts(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<DraftParts | null> {
  const { rows } = await sql<Omit<DraftParts, 'draft'> & { draft: Slot['draft'] | null }>`
    with author as (
      select coalesce(value ->> 'accountGuid', value ->> 'clientGuid')::uuid as guid
      from slot cross join jsonb_each(slot.draft -> 'changes') as change (name, value)
      where slot.guid = ${slotGuid} and organisation_guid = ${organisationId})
    select family, draft, facts is not null as "isDecoded",
      (select coalesce(jsonb_agg(jsonb_build_object('guid', guid, 'name', name, 'size', size, 'changes', changes)), '[]')
        from stored_file
        where stored_file.organisation_guid = slot.organisation_guid and slot_guid = slot.guid and ${isThere}) as files,
      (select coalesce(jsonb_object_agg(guid, name), '{}') from (
        select guid, display_name as name from account where guid in (select guid from author)
        union all
        select guid, name from client_application where guid in (select guid from author)) as known) as authors
    from slot where slot.guid = ${slotGuid} and organisation_guid = ${organisationId} and deleted_on is null ${keepPlan}`.execute(
    db,
  );
  const [row] = rows;
  return row === undefined ? null : { ...row, draft: row.draft ?? noDraft };
}
