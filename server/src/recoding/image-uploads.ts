/** Receives modified and original images for a slot: an engine checks them against the read before they are kept. */
import { join } from 'node:path';
import { CodecError } from '@recodery/codec/errors';
import { errorNameOf } from '@recodery/codec/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import type { FaultDetails } from '@recodery/contract/features/operations';
import type { UploadedFile } from '@recodery/contract/features/recoding';
import type { Received, Upload } from '../http/file-transfer.ts';
import { isSlotBusy } from '../operations/operations.ts';
import { listRequests } from '../operations/slot-operations.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import type { CheckAnswer, EnginePool } from '../engine/built-in/pool.ts';
import { newGuid } from '../config/guids.ts';
import type { Log } from '../config/log.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { lockSlot, saveDraft, type Slot } from '../slots/slots.ts';
import {
  deleteStoredFile,
  getStoredFile,
  insertUploadedFile,
  listStoredFiles,
} from '../slots/stored-files.ts';
import { requireService, type RequestDependencies } from './decode.ts';
import { type DraftPlace, withFile } from './draft-rules.ts';
import { requireDecodedSlot } from './encode.ts';
import { runCheck } from './engine-check.ts';
import { requireEntry } from './entry-checks.ts';
import { type DecodeFacts, listInputs } from './results/stored-result.ts';

export interface ImageDependencies extends RequestDependencies {
  readonly log: Log;
  readonly storage: Storage;
  /** Engines of the portal: the portal's own process never parses an uploaded image. */
  readonly engines: Pick<EnginePool, 'run' | 'openScratch'>;
}

/** The upload and its purpose. */
export interface ImageAsk extends DraftPlace {
  readonly family: Family;
  readonly slotGuid: string;
}

/**
 * Receives a modified or original image. A file that does not fit is refused with the family's error name and not kept;
 * one that fits replaces the previous upload for the same place.
 */
export async function receiveImage(
  deps: ImageDependencies,
  caller: Caller,
  ask: ImageAsk,
  upload: Upload<unknown>,
): Promise<UploadedFile> {
  const { organisationId } = caller;
  const { family } = ask;
  const { slot, facts } = await requireDecodedSlot(deps.db, organisationId, family, ask.slotGuid);
  const { workflow, groupCode } = slot;
  await requireEntry(deps.db, caller, { workflow, choice: { groupCode } });
  await requireService(deps);
  // a read is of one image or of components, never both
  if (facts.isOneImage !== (ask.component === 'obd')) throw new Refusal('NOT_FOUND');
  const received = await upload.receive();
  const checked = await checkImage(deps, { ask, slot, facts, received });
  const { name } = upload;
  const fileGUID = await keep(deps, caller, { ask, slot, received, name, ...checked });
  return { fileGUID, changes: checked.changes };
}

interface Arrived {
  readonly ask: ImageAsk;
  readonly slot: Slot;
  readonly facts: DecodeFacts;
  readonly received: Received<unknown>;
}

/** An image that passed its checks. */
interface Checked extends Omit<Arrived, 'facts'>, CheckAnswer {
  /** The name of its upload. */
  readonly name: string | null;
}

async function checkImage(deps: ImageDependencies, arrived: Arrived): Promise<CheckAnswer> {
  const { ask, slot, facts, received } = arrived;
  using scratch = await deps.engines.openScratch();
  const imagePath = join(scratch.folder, 'image');
  const decodedPath = join(scratch.folder, 'decoded');
  const decoded = facts.components.find(({ component }) => component === ask.component);
  await deps.storage.toFile(received.storageKey, imagePath);
  if (decoded !== undefined) {
    const file = await getStoredFile(deps.db, slot.organisationId, decoded.fileGuid);
    await deps.storage.toFile(file.storageKey, decodedPath);
  }
  const place = {
    workflow: slot.workflow,
    protocolId: facts.protocolId,
    mode: facts.mode,
    component: ask.component,
    decodedPath: decoded === undefined ? null : decodedPath,
    imagePath,
  };
  const identification = facts.wasOriginalFileFound ? null : facts.identification;
  const task =
    ask.role === 'modified'
      ? ({ kind: 'check-modified', ...place } as const)
      : ({ kind: 'check-original', ...place, identification } as const);
  const check = runCheck(deps, task, {
    slot: slot.guid,
    crashed: 'engine crashed during the check of an upload',
    failed: 'could not check an upload',
  });
  // awaited here: the folder must exist until the check has finished
  return await check.catch((error: unknown) => {
    throw toRefusal(arrived, error);
  });
}

/** A file error as a refusal: where an operation would fail, an upload is refused. */
function toRefusal({ ask, slot, facts }: Arrived, error: unknown): unknown {
  if (!(error instanceof CodecError)) return error;
  const name = errorNameOf(error.internalCode, {
    workflow: slot.workflow,
    mode: facts.mode,
    component: ask.component,
  });
  const { detail, internalCode, sizes } = error;
  const details: FaultDetails = { detail, cause: internalCode, sizes };
  return new Refusal(name, details);
}

/**
 * Records the file and deletes the one it replaces, unless an operation still uses that, or an encoded file was made from
 * it: the job keeps all its versions. Refuses with UPLOAD_INTERRUPTED if the page has canceled the upload; it keeps the file
 * if the page was only closed or lost its connection.
 */
async function keep(
  deps: ImageDependencies,
  caller: Caller,
  { ask, slot, received, name, changes }: Checked,
): Promise<string> {
  const { organisationId } = caller;
  const guid = newGuid();
  const replaced = await deps.db.transaction().execute(async (trx) => {
    // encodes of this slot take the same lock, so that none can name a file that is being deleted
    const locked = await lockSlot(trx, organisationId, slot.guid);
    // the page has already saved a draft without the file
    if (name !== null && locked.draft.canceled?.includes(name))
      throw new Refusal('UPLOAD_INTERRUPTED');
    const isBusy = await isSlotBusy(trx, organisationId, slot.guid);
    const before = isBusy ? [] : await findReplaced(trx, organisationId, slot.guid, ask);
    for (const file of before) await deleteStoredFile(trx, organisationId, file.guid);
    await lockOrganisation(trx, organisationId);
    await insertUploadedFile(
      trx,
      {
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
    );
    // saved to the draft as soon as it is stored: the page may be closed when the response arrives
    await saveDraft(trx, locked, withFile(locked.draft, ask, guid));
    return before;
  });
  for (const { storageKey } of replaced) {
    await deps.storage
      .delete(storageKey)
      // the row is marked as deleted: the sweep removes the file later
      .catch((error: unknown) => deps.log.warn({ error }, 'could not delete a replaced file'));
  }
  return guid;
}

async function findReplaced(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  ask: ImageAsk,
) {
  const files = await listStoredFiles(db, organisationId, slotGuid);
  const requests = await listRequests(db, organisationId, slotGuid);
  const used = new Set(requests.flatMap(listInputs));
  return files.filter(
    ({ guid, role, component }) =>
      role === ask.role && component === ask.component && !used.has(guid),
  );
}
