/** Routes for jobs: the list, one job and what users change in it, files by their hash, storage and the full export. */
import { Readable } from 'node:stream';
import { Refusal } from '@recodery/contract/refusal';
import * as contract from '@recodery/contract/features/jobs/jobs';
import { downloadJobsExport, mintJobsExport } from '@recodery/contract/features/jobs/jobs-export';
import { importJob } from '@recodery/contract/features/jobs/jobs-import';
import { getExpiringJobs, keepJobs } from '@recodery/contract/features/jobs/kept-jobs';
import type { Kysely } from 'kysely';
import { createSemaphore } from '../config/semaphore.ts';
import type { Router } from '../http/serve.ts';
import { findOrganisation } from '../organisations/organisations.ts';
import type { Database } from '../postgres/tables/schema.ts';
import type { RequestDependencies } from '../recoding/decode.ts';
import { requestRestoreKit } from '../recoding/restore-kit.ts';
import { readExpiring } from '../slots/expiring-slots.ts';
import { hasOriginal } from '../slots/kept-originals.ts';
import { keepSlots, setKept, setNote, setVehicle } from '../slots/job-marks.ts';
import { writeAttachmentHead } from '../http/attachment-head.ts';
import { requireTicketOwner } from '../slots/sending/ticket-owner.ts';
import type { Tickets } from '../slots/sending/tickets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { type DeleteDependencies, deleteJob } from './delete-job.ts';
import { packJobs } from './export-jobs.ts';
import { importOneJob } from './import-job.ts';
import { describeJob } from './job-details.ts';
import { findFilesByHash } from './job-files.ts';
import {
  countJobs,
  findEarlierReads,
  findJobs,
  type ListRules,
  readJobFilters,
} from './job-list.ts';
import { type SendDependencies, sendJobFile } from './send-job-file.ts';
import { readStorageSettings, type RetentionRules, saveRetention } from './storage-settings.ts';

export interface JobRouteDependencies
  extends Omit<RequestDependencies, 'db'>,
    Omit<DeleteDependencies, 'storage'>,
    Omit<SendDependencies, 'db'>,
    ListRules,
    RetentionRules {
  readonly db: Kysely<Database>;
  readonly storage: VerifiedStorage;
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly tickets: Pick<Tickets, 'mintExportURL' | 'verify'>;
  /** Maximum bytes of an uploaded file. */
  readonly maxFileBytes: number;
  /** Whether the operator has suspended the service. */
  isSuspended(): Promise<boolean>;
}

/** Registers the routes of contract/jobs. */
export function serveJobs(router: Router, deps: JobRouteDependencies): void {
  const { db } = deps;

  router.serve(contract.listJobs, ({ caller, query }) =>
    findJobs(db, caller.organisationId, query, deps),
  );
  router.serve(contract.countJobs, ({ caller, query }) =>
    countJobs(db, caller.organisationId, query, deps),
  );
  router.serve(contract.getJobFilters, ({ caller }) => readJobFilters(db, caller.organisationId));
  router.serve(contract.findFiles, ({ caller, params }) =>
    findFilesByHash(db, caller.organisationId, params.sha256.split(',')),
  );
  router.serve(contract.getJob, ({ caller, params }) =>
    describeJob(deps, caller.organisationId, params.slotGUID),
  );
  router.serve(contract.listEarlierReads, async ({ caller, params }) => {
    const { organisationId } = caller;
    const found = await findEarlierReads(db, organisationId, params.slotGUID, deps);
    if (found === null) throw new Refusal('NOT_FOUND');
    return found;
  });
  serveChanges(router, deps);
  serveStorage(router, deps);
  serveExport(router, deps);
  router.serve(importJob, ({ caller, upload, keep }) => importOneJob(deps, caller, upload, keep));
}

/** What users change in a job. */
function serveChanges(router: Router, deps: JobRouteDependencies): void {
  const { db, retentionDays: defaultDays } = deps;

  router.serve(contract.putJobNote, async ({ caller, params, body }) => {
    const isOurs = await setNote(db, caller, params.slotGUID, body.note);
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });
  router.serve(contract.putJobVehicle, async ({ caller, params, body }) => {
    const isOurs = await setVehicle(db, caller, params.slotGUID, body);
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });
  router.serve(contract.putJobKept, async ({ caller, params, body: { isKept } }) => {
    const { organisationId } = caller;
    // later reads are compared with it; a manager can remove it from the originals first
    const isNeeded = !isKept && (await hasOriginal(db, organisationId, params.slotGUID));
    if (isNeeded) throw new Refusal('JOB_HAS_ORIGINAL');
    const isOurs = await setKept(db, caller, params.slotGUID, { isKept, defaultDays });
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });
  router.serve(keepJobs, async ({ caller, body }) => {
    const { slotGUIDs: guids = [], expiringUntil: until = null } = body;
    const jobs = await keepSlots(db, caller, { guids, until, defaultDays });
    if (jobs === 0 && guids.length > 0) throw new Refusal('NOT_FOUND');
    return { jobs };
  });
  router.serve(contract.deleteJob, async ({ caller, params }) => {
    await deleteJob(deps, caller.organisationId, params.slotGUID);
    return undefined;
  });
  router.serve(contract.sendJobFile, ({ caller, params, body, keep }) =>
    sendJobFile(deps, caller, { ...params, recipient: body.notificationInfo }, keep),
  );
  router.serve(contract.prepareRestoreKit, ({ caller, params }) =>
    requestRestoreKit(deps, caller, params.slotGUID),
  );
}

function serveStorage(router: Router, deps: JobRouteDependencies): void {
  router.serve(getExpiringJobs, ({ caller }) =>
    readExpiring(deps.db, caller.organisationId, deps.retentionDays),
  );
  router.serve(contract.getStorageSettings, ({ caller }) =>
    readStorageSettings(deps, caller.organisationId),
  );
  router.serve(contract.putStorageSettings, async ({ caller, body }) => {
    await saveRetention(deps, caller.organisationId, body.retentionDays);
    return readStorageSettings(deps, caller.organisationId);
  });
}

/** How many exports of an organisation are sent at once: each reads all of its files. */
const exportPlaces = { atOnce: 2, waitMs: 1000, mostWaiting: 20 };

function serveExport(router: Router, deps: JobRouteDependencies): void {
  const { db, tickets } = deps;
  const semaphore = createSemaphore(exportPlaces);

  router.serve(mintJobsExport, async ({ caller }) => {
    // refused here, the page shows why; the download itself can only fail
    const leave = await semaphore.enter(caller.organisationId);
    if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
    leave();
    return { url: await tickets.mintExportURL(caller) };
  });
  router.serve(downloadJobsExport, async ({ caller, query, request, reply }) => {
    const { ticket } = query;
    // a ticket begins with its organisation, and is valid only for that one
    const named = ticket?.split('.')[0] ?? '';
    const whose = { caller, ticket, request };
    const { organisationId } = await requireTicketOwner(tickets, 'export', named, whose);
    const organisation = await findOrganisation(db, organisationId);
    if (organisation === null) throw new Refusal('NOT_FOUND');
    const { customerCode } = organisation;
    const leave = request.method === 'HEAD' ? null : await semaphore.enter(organisationId);
    if (leave === null && request.method !== 'HEAD') throw new Refusal('API_ERROR_THROTTLING');
    writeAttachmentHead(reply, `${customerCode}-jobs.zip`, 'application/zip');
    reply.send(
      leave === null
        ? Readable.from([])
        : packJobs(deps, { organisationId, customerCode }).once('close', leave),
    );
    return undefined;
  });
}
