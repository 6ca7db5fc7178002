/** Receives modified and original images for a slot: an engine checks them against the read before they are kept. */
import { join } from 'node:path';
import { CodecError } from '@recodery/codec/errors';
import { detailOf, errorNameOf } from '@recodery/codec/families/registry';
import type { RefusalCode } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import { type FaultDetails, faultDetails } from '@recodery/contract/features/operations';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { isUploadNoted } from '@recodery/contract/features/slots';
import type { Received, Upload } from '../../http/file-transfer.ts';
import type { KeepAnswer } from '../../http/requests/idempotency.ts';
import type { Caller } from '../../organisations/caller.ts';
import { lockUsage } from '../../organisations/usage.ts';
import type { CheckAnswer, EnginePool } from '../../engine/built-in/pool.ts';
import { newGuid } from '../../config/guids.ts';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import type { DraftRecord, RefusedUpload } from '../../slots/draft-record.ts';
import { lockSlot, type Slot } from '../../slots/slots.ts';
import { findUpload } from '../../slots/files/replaced-files.ts';
import {
  getStoredFile,
  insertUploadedFile,
  type NewStoredFile,
} from '../../slots/files/stored-files.ts';
import { requireService, type RequestDependencies } from '../decode.ts';
import { noteRefused, storeDraft } from '../drafts/draft.ts';
import { type DraftPlace, filesOf, withFile, withRefusedUpload } from '../drafts/draft-rules.ts';
import { arrivedAt } from '../drafts/draft-versions.ts';
import { requireDecodedSlot } from '../encode.ts';
import { runCheck } from '../engine-check.ts';
import { requireEntry } from '../entry-checks.ts';
import type { DecodeFacts } from '../results/stored-result.ts';
import {
  type CheckedUpload,
  diagnoseUpload,
  keepAccepted,
  keepRefused,
  recordAccepted,
} from '../diagnosis/diagnose-upload.ts';
import {
  findRepair,
  markUsed,
  type Misfit,
  type StoredMisfit,
  type Unexplained,
} from '../../slots/misfits.ts';

export interface ImageDependencies extends RequestDependencies {
  readonly log: Log;
  readonly storage: VerifiedStorage;
  /** Engines of the portal: the portal's own process never parses an uploaded image. */
  readonly engines: Pick<EnginePool, 'run' | 'openScratch'>;
}

/** The upload and its purpose. */
export interface ImageAsk extends DraftPlace {
  readonly family: Family;
  readonly slotGuid: string;
}

/**
 * Receives a modified or original image. A file that does not fit is refused with the family's error name and not kept,
 * only noted in the draft; one that fits takes its place there, and the previous one stays as a version of the job.
 */
export async function receiveImage(
  deps: ImageDependencies,
  caller: Caller,
  ask: ImageAsk,
  { upload, keep: keepAnswer }: ImageUpload,
): Promise<UploadedFile> {
  const { organisationId } = caller;
  const { family } = ask;
  const { slot, facts } = await requireDecodedSlot(deps.db, organisationId, family, ask.slotGuid);
  const { workflow, groupCode } = slot;
  const entry = await requireEntry(deps.db, caller, { workflow, choice: { groupCode } });
  requireService(entry);
  // a read is of one image or of components, never both
  if (facts.isOneImage !== (ask.component === 'obd')) throw new Refusal('NOT_FOUND');
  const { name, tab } = upload;
  let arrived: Received<unknown> | null = null;
  try {
    // no one has read it yet
    const received = { ...(await upload.receive(entry.usage)), isDamaged: false };
    arrived = received;
    return await checkImage(deps, { ask, slot, facts, received }, (checked) =>
      keep(deps, caller, { ask, slot, received, name, tab, keepAnswer, ...checked }),
    );
  } catch (error) {
    const refused = describeRefusal(error, arrived);
    const { accountGuid, clientGuid } = caller;
    if (refused !== null) {
      const author = { accountGuid, clientGuid, tab, name };
      // the caller is told why the file was refused, whatever happens to the note
      await noteRefused(deps.db, slot, ask, refused, author).catch((failure: unknown) => {
        deps.log.error({ error: failure, slot: slot.guid }, 'could not note a refused upload');
      });
    }
    throw error;
  }
}

/** Refusals of a received file after which no one expects it to be in the draft, or another request still handles it. */
const unexpected: readonly string[] = [
  'UPLOAD_INTERRUPTED',
  'NOT_FOUND',
  'IDEMPOTENCY_KEY_IN_USE',
] satisfies RefusalCode[];

/**
 * What the draft notes of an upload that was not kept, for whatever reason: its component would otherwise silently come
 * from the read. Null: nothing, because it did not arrive, was canceled, or the job is gone.
 */
function describeRefusal(
  error: unknown,
  arrived: Received<unknown> | null,
): Omit<RefusedUpload, 'on'> | null {
  const { code, details, diagnosis } =
    error instanceof Refusal ? error : new Refusal('GENERIC_ERROR');
  const isNoted = isUploadNoted(code) || (arrived !== null && !unexpected.includes(code));
  return isNoted
    ? {
        name: arrived?.name ?? null,
        size: arrived?.size ?? null,
        errorCode: code,
        details: faultDetails.safeParse(details).data ?? null,
        diagnosis: diagnosis ?? null,
      }
    : null;
}

/** The repair that is used. `tab`: the tab of the browser that asks; null: unknown. */
interface RepairAsk extends Pick<ImageAsk, 'family' | 'slotGuid'> {
  readonly repairGuid: string;
  readonly tab: string | null;
}

/** Checks a repair like an upload, and puts it into the draft in place of the file as it came. */
export async function useRepair(
  deps: ImageDependencies,
  caller: Caller,
  { family, slotGuid, repairGuid, tab }: RepairAsk,
  keepAnswer: KeepAnswer,
): Promise<UploadedFile> {
  const { organisationId } = caller;
  const { slot, facts } = await requireDecodedSlot(deps.db, organisationId, family, slotGuid);
  const { workflow, groupCode } = slot;
  const entry = await requireEntry(deps.db, caller, { workflow, choice: { groupCode } });
  requireService(entry);
  const misfit = await findRepair(deps.db, organisationId, slot.guid, repairGuid);
  if (misfit?.repair == null) throw new Refusal('NOT_FOUND');
  const { component, file } = misfit.repair;
  const ask = { family, slotGuid, role: misfit.role, component };
  const received = { ...file, fields: {} };
  return checkImage(deps, { ask, slot, facts, received }, (checked) =>
    keep(deps, caller, {
      ask,
      slot,
      received,
      name: null,
      tab,
      keepAnswer,
      misfit,
      ...checked,
    }),
  );
}

interface Arrived {
  readonly ask: ImageAsk;
  readonly slot: Slot;
  readonly facts: DecodeFacts;
  readonly received: Received<unknown>;
}

/** The upload, and what is stored with the file. */
export interface ImageUpload {
  readonly upload: Upload<unknown>;
  readonly keep: KeepAnswer;
}

/** An image that passed its checks. */
interface Checked extends Omit<Arrived, 'facts'>, Pick<CheckAnswer, 'changes'> {
  /** The name and the tab of its upload. */
  readonly name: string | null;
  readonly tab: string | null;
  readonly keepAnswer: KeepAnswer;
  /** The diagnosis of this upload, to be recorded with the file that `guid` names. */
  readonly guid: string;
  readonly diagnosed: Misfit | Unexplained | null;
  /** What this file repairs. */
  readonly misfit?: StoredMisfit;
}

/** Checks an upload, and passes it to `accept`. Refuses one that does not fit, with its diagnosis. */
async function checkImage<T>(
  deps: ImageDependencies,
  arrived: Arrived,
  accept: (checked: Pick<Checked, 'changes' | 'guid' | 'diagnosed'>) => Promise<T>,
): Promise<T> {
  const { ask, slot, facts, received } = arrived;
  using scratch = await deps.engines.openScratch();
  const { folder } = scratch;
  const imagePath = join(folder, 'image');
  const decoded = facts.components.find(({ component }) => component === ask.component);
  const decodedPath = decoded === undefined ? null : join(folder, 'decoded');
  await deps.storage.toFile(received, imagePath);
  if (decoded !== undefined && decodedPath !== null) {
    const file = await getStoredFile(deps.db, slot.organisationId, decoded.fileGuid);
    await deps.storage.toFile(file, decodedPath);
  }
  const { role, component } = ask;
  const { protocolId, mode } = facts;
  const identification = facts.wasOriginalFileFound ? null : facts.identification;
  const place = { protocolId, mode, component, identification, imagePath, decodedPath };
  const upload = { ...received, ...place, role, slot, facts, folder };
  const guid = newGuid();
  // awaited here: the folder must exist until the check has finished
  const { changes, isSimilar } = await runImageCheck(deps, upload).catch(async (error: unknown) => {
    throw await toRefusal(deps, upload, error);
  });
  const diagnosed = isSimilar
    ? null
    : await keepAccepted(deps, upload, await diagnoseUpload(deps, upload), guid);
  return await accept({ changes, guid, diagnosed });
}

function runImageCheck(deps: ImageDependencies, upload: CheckedUpload): Promise<CheckAnswer> {
  const { slot, role, identification, protocolId, mode, component } = upload;
  const { imagePath, decodedPath } = upload;
  const place = { workflow: slot.workflow, protocolId, mode, component, imagePath, decodedPath };
  const task =
    role === 'modified'
      ? ({ kind: 'check-modified', ...place } as const)
      : ({ kind: 'check-original', ...place, identification } as const);
  return runCheck(deps, task, {
    organisation: slot.organisationId,
    slot: slot.guid,
    crashed: 'engine crashed during the check of an upload',
    failed: 'could not check an upload',
  });
}

/** A file error as a refusal, with its diagnosis: where an operation would fail, an upload is refused. */
async function toRefusal(
  deps: ImageDependencies,
  upload: CheckedUpload,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof CodecError)) return error;
  const { slot, mode, component } = upload;
  const place = { workflow: slot.workflow, mode, component };
  const { internalCode, sizes } = error;
  const details: FaultDetails = { detail: detailOf(error, place), cause: internalCode, sizes };
  const found = await diagnoseUpload(deps, upload);
  const diagnosis = 'reason' in found ? undefined : await keepRefused(deps, upload, found);
  return new Refusal(errorNameOf(internalCode, place), details, diagnosis);
}

/**
 * Records the file, which takes its place in the draft. Refuses with UPLOAD_INTERRUPTED if the page has canceled the
 * upload; it keeps the file if the page was only closed or lost its connection.
 */
async function keep(
  deps: ImageDependencies,
  caller: Caller,
  checked: Checked,
): Promise<UploadedFile> {
  const { ask, slot, received, name, tab, changes, keepAnswer, guid, diagnosed, misfit } = checked;
  const { organisationId } = caller;
  return deps.db.transaction().execute(async (trx) => {
    // encodes of this slot take the same lock, so that none can name a file that is being deleted
    const locked = await lockSlot(trx, organisationId, slot.guid);
    if (name !== null && locked.draft.canceled?.includes(name))
      throw new Refusal('UPLOAD_INTERRUPTED');
    const usage = await lockUsage(trx, organisationId);
    const repaired = misfit && (await keepAsItCame(deps, trx, caller, misfit));
    await insertUploadedFile(
      trx,
      {
        ...(repaired ? { repaired } : {}),
        guid,
        organisationId,
        slotGuid: slot.guid,
        role: ask.role,
        component: ask.component,
        name: received.name,
        size: received.size,
        sha256: received.sha256,
        storageKey: received.storageKey,
        changes,
        uploader: caller,
        retentionDays: deps.retentionDays,
      },
      deps.organisationBytes,
      // a repair has just recorded the file as it came
      misfit ? undefined : usage,
    );
    if (diagnosed) await recordAccepted(trx, { slot }, diagnosed, deps.organisationBytes);
    // saved to the draft as soon as it is stored: the page may be closed when the response arrives
    const replaced = await describeReplaced(trx, locked, ask);
    const arrived =
      name === null
        ? undefined
        : arrivedAt(locked.draft, ask, { name, replaced: replaced?.fileGUID ?? null });
    const by = {
      ...caller,
      tab,
      on: usage.now,
      inserted: guid,
      ...(arrived && { upload: arrived }),
    };
    const draft = misfit ? withoutMisfit(locked.draft, misfit) : locked.draft;
    await storeDraft(trx, locked, withFile(draft, ask, guid), by);
    const answer = { fileGUID: guid, replaced, changes };
    await keepAnswer(trx, answer);
    return answer;
  });
}

/**
 * Records that a repair is used, and the file as it came as a version of the job that is not in the draft; returns what
 * is recorded with the repair. Refuses with NOT_FOUND if it was used meanwhile, or has expired.
 */
async function keepAsItCame(
  { retentionDays, organisationBytes }: ImageDependencies,
  trx: Db,
  caller: Caller,
  misfit: StoredMisfit,
): Promise<NewStoredFile['repaired']> {
  const { organisationId } = caller;
  const { slotGuid, role, component, upload, kind, details, createdOn } = misfit;
  if (!(await markUsed(trx, organisationId, misfit.guid))) throw new Refusal('NOT_FOUND');
  if (upload === null) return { fileGuid: misfit.fileGuid ?? misfit.guid, kind, details };
  const guid = newGuid();
  await insertUploadedFile(
    trx,
    {
      ...{ guid, organisationId, slotGuid, role, component, ...upload },
      uploader: caller,
      imported: { createdOn, replacedOn: createdOn },
      retentionDays,
    },
    organisationBytes,
  );
  return { fileGuid: guid, kind, details };
}

/** The draft without a file that does not fit, if it still has that file, or notes that it was refused. */
function withoutMisfit(draft: DraftRecord, misfit: StoredMisfit): DraftRecord {
  const wrong = filesOf(draft).find(({ fileGuid }) => fileGuid === misfit.fileGuid);
  return wrong === undefined
    ? withRefusedUpload(draft, misfit, null)
    : withFile(draft, wrong, null);
}

/** The file that an upload replaces in the draft, or null. */
async function describeReplaced(
  db: Db,
  { draft, organisationId }: Slot,
  { role, component }: DraftPlace,
): Promise<UploadedFile['replaced']> {
  const before = filesOf(draft).find((one) => one.role === role && one.component === component);
  const found = before && (await findUpload(db, organisationId, before.fileGuid));
  if (!found) return null;
  const { createdOn, ...file } = found;
  return { fileGUID: before.fileGuid, ...file, uploadedOn: createdOn.toISOString() };
}
