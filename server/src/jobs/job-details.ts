/** Describes one job: the vehicle, its files with their history, its note, its expiry, and related jobs. */
import { Refusal } from '@recodery/contract/refusal';
import { componentTypeOf } from '@recodery/contract/families/registry';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import { listRecognized, readChecksumsOf } from '../recoding/results/stored-result.ts';
import { readRestoreKit, verifyKit } from '../recoding/restore-kit.ts';
import { findSlot, type Slot } from '../slots/slots.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { readHistory } from './job-files.ts';
import { findJob, findOtherJobs, type ListRules } from './job-list.ts';

export interface DetailsDependencies extends ListRules {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'head'>;
}

/** Who wrote the note, and where an imported job comes from. */
async function readMarks(db: Db, slot: Slot) {
  const { rows } = await sql<{
    notedBy: string | null;
    notedOn: Date | null;
    importedOn: Date | null;
    customerCode: string | null;
    exportedOn: Date | null;
  }>`
    select account.display_name as "notedBy", noted_on as "notedOn", imported_on as "importedOn",
      imported_from as "customerCode", exported_on as "exportedOn"
    from slot
      left join account on account.guid = slot.note_account_guid
    where slot.organisation_guid = ${slot.organisationId} and slot.guid = ${slot.guid}`.execute(db);
  const { notedBy = null, notedOn, importedOn, customerCode = null, exportedOn } = rows[0] ?? {};
  return {
    notedBy,
    notedOn: notedOn?.toISOString() ?? null,
    imported: importedOn
      ? {
          importedOn: importedOn.toISOString(),
          customerCode,
          exportedOn: exportedOn?.toISOString() ?? null,
        }
      : null,
  };
}

function readInformation({ facts }: Slot): Job['information'] {
  const values: unknown = facts?.['information'];
  return typeof values === 'object' && values !== null ? { ...(values as Job['information']) } : {};
}

function readRecognized({ family, facts }: Slot): Job['recognized'] {
  return listRecognized(facts).map(({ component, recognition }) => ({
    component: componentTypeOf(family, component),
    recognition,
  }));
}

/** A job of the organisation. Refuses with NOT_FOUND. */
export async function describeJob(
  { db, storage, ...rules }: DetailsDependencies,
  organisationId: OrganisationId,
  guid: string,
): Promise<Job> {
  const job = await readSnapshot(db, async (snapshot) => {
    const slot = await findSlot(snapshot, organisationId, guid);
    if (slot === null) throw new Refusal('NOT_FOUND');
    const summary = await findJob(snapshot, organisationId, slot.guid, rules);
    if (summary === null) throw new Refusal('NOT_FOUND');
    const { mode, groupCode, isDouble } = slot;
    return {
      ...summary,
      mode,
      groupCode,
      information: readInformation(slot),
      recognized: readRecognized(slot),
      readChecksums: readChecksumsOf(slot.facts),
      ...(await readHistory(snapshot, organisationId, slot)),
      ...(await readMarks(snapshot, slot)),
      restoreKit: await readRestoreKit(snapshot, slot),
      isDouble,
      otherJobs: await findOtherJobs(snapshot, organisationId, summary, rules),
    };
  });
  return { ...job, restoreKit: await verifyKit(storage, job.restoreKit) };
}
