/** Describes one job: the vehicle, its files with their history, its note, its expiry, and related jobs. */
import { Refusal } from '@recodery/contract/refusal';
import type { Job } from '@recodery/contract/features/jobs';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { retentionInterval } from '../organisations/retention.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import { readChecksumsOf } from '../recoding/results/stored-result.ts';
import { readRestoreKit } from '../recoding/restore-kit.ts';
import { findSlot, type Slot } from '../slots/slots.ts';
import { readHistory } from './job-files.ts';
import { findJob, findOtherJobs, type NameProtocol } from './job-list.ts';

export interface DetailsDependencies {
  readonly db: Db;
  /** Days that jobs are kept if the organisation has not chosen. */
  readonly retentionDays: number;
  readonly nameProtocol: NameProtocol;
}

/** Who wrote the note, and when the job expires. */
async function readMarks(db: Db, slot: Slot, defaultDays: number) {
  const { rows } = await sql<{
    notedBy: string | null;
    notedOn: Date | null;
    expiresOn: Date | null;
  }>`
    select account.display_name as "notedBy", noted_on as "notedOn",
      case when not is_kept then greatest(
        greatest(slot.created_on, retained_since) + ${retentionInterval(defaultDays)}, kept_until) end as "expiresOn"
    from slot
      join organisation on organisation.guid = slot.organisation_guid
      left join account on account.guid = slot.note_account_guid
    where slot.organisation_guid = ${slot.organisationId} and slot.guid = ${slot.guid}`.execute(db);
  const { notedBy = null, notedOn, expiresOn } = rows[0] ?? {};
  return {
    notedBy,
    notedOn: notedOn?.toISOString() ?? null,
    expiresOn: expiresOn?.toISOString() ?? null,
  };
}

function readInformation({ facts }: Slot): Job['information'] {
  const values: unknown = facts?.['information'];
  return typeof values === 'object' && values !== null ? { ...(values as Job['information']) } : {};
}

/** A job of the organisation. Refuses with NOT_FOUND. */
export function describeJob(
  { db, retentionDays, nameProtocol }: DetailsDependencies,
  organisationId: OrganisationId,
  guid: string,
): Promise<Job> {
  return readSnapshot(db, async (snapshot) => {
    const slot = await findSlot(snapshot, organisationId, guid);
    if (slot === null) throw new Refusal('NOT_FOUND');
    const summary = await findJob(snapshot, organisationId, slot.guid, nameProtocol);
    if (summary === null) throw new Refusal('NOT_FOUND');
    const { mode, groupCode } = slot;
    return {
      ...summary,
      mode,
      groupCode,
      information: readInformation(slot),
      readChecksums: readChecksumsOf(slot.facts),
      ...(await readHistory(snapshot, organisationId, slot)),
      ...(await readMarks(snapshot, slot, retentionDays)),
      restoreKit: await readRestoreKit(snapshot, slot),
      otherJobs: await findOtherJobs(snapshot, organisationId, summary, nameProtocol),
    };
  });
}
