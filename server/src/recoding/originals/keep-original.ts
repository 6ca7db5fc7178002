/** Keeps a decoded image as an original of the organisation, after an engine has verified its checksums. */
import { join } from 'node:path';
import type { ComponentName } from '@recodery/contract/families/family';
import type { KeptOriginal, NotKeptReason } from '@recodery/contract/features/originals';
import { Refusal } from '@recodery/contract/refusal';
import type { Semaphore } from '../../config/semaphore.ts';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { keepSlots } from '../../slots/job-marks.ts';
import { findOriginalsFor, markOriginal, type StoredOriginal } from '../../slots/kept-originals.ts';
import { findSlot, lockSlot, type Slot } from '../../slots/slots.ts';
import { findStoredFile, type StoredFile } from '../../slots/files/stored-files.ts';
import { runCheck } from '../engine-check.ts';
import type { ImageDependencies } from '../images/image-uploads.ts';
import { imagesOfRead } from '../images/read-images.ts';
import { type DecodeFacts, readDecodeFacts } from '../results/stored-result.ts';
import { judgeKept, softwareOf } from './kept-rules.ts';
import { findInLibrary } from './library.ts';

export interface KeepDependencies extends ImageDependencies {
  readonly semaphore: Semaphore;
}

/** An image that a read contains, with its read. */
interface DecodedImage {
  readonly slot: Slot;
  readonly facts: DecodeFacts;
  readonly file: StoredFile;
  readonly component: ComponentName;
  readonly software: string | null;
}

/** A decoded image. @throws {Refusal} NOT_FOUND, or OPERATION_NOT_POSSIBLE for a file that the read did not contain */
async function requireDecodedImage(
  db: Db,
  { organisationId }: Caller,
  guid: string,
): Promise<DecodedImage> {
  const file = await findStoredFile(db, organisationId, guid);
  if (file === null) throw new Refusal('NOT_FOUND');
  const slot = await findSlot(db, organisationId, file.slotGuid);
  const facts = slot?.facts ? readDecodeFacts(slot.facts) : null;
  const isOfRead = facts && imagesOfRead(facts).some(({ fileGuid }) => fileGuid === file.guid);
  const { component } = file;
  if (slot === null || !isOfRead || component === null) {
    throw new Refusal('OPERATION_NOT_POSSIBLE');
  }
  return { slot, facts, file, component, software: softwareOf(facts, component) };
}

/** An original, without the place of its bytes. */
export function describeOriginal({
  storageKey: _storageKey,
  keptOn,
  ...original
}: StoredOriginal): KeptOriginal {
  return { ...original, keptOn: keptOn.toISOString() };
}

function findFor(db: Db, { slot, file, software }: DecodedImage) {
  const { guid, size, sha256 } = file;
  return findOriginalsFor(db, slot.organisationId, { guid, size, sha256, software });
}

/** The originals for a decoded image; itself, if it is one. */
export async function findOriginalsOf(db: Db, caller: Caller, guid: string) {
  const image = await requireDecodedImage(db, caller, guid);
  const found = await findFor(db, image);
  const own = found.find(({ fileGUID }) => fileGUID === image.file.guid);
  return {
    own: own === undefined ? null : describeOriginal(own),
    others: found
      .filter((one) => one !== own)
      .map((one) => ({ ...describeOriginal(one), isEqual: one.sha256 === image.file.sha256 })),
  };
}

/**
 * Keeps a decoded image as an original, and its job with it. It is checked like the modified image of an encode that
 * changes nothing, so that all rules agree with those of the pre-flight.
 */
export async function keepAsOriginal(
  deps: KeepDependencies,
  caller: Caller,
  guid: string,
): Promise<{ readonly original: KeptOriginal | null; readonly reason: NotKeptReason | null }> {
  const image = await requireDecodedImage(deps.db, caller, guid);
  const reason = await verify(deps, image);
  if (reason !== null) return { original: null, reason };
  const { organisationId } = caller;
  return deps.db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, image.slot.guid);
    await keepSlots(trx, caller, {
      guids: [slot.guid],
      until: null,
      defaultDays: deps.retentionDays,
    });
    await markOriginal(trx, caller, { guid, software: image.software });
    const own = (await findFor(trx, image)).find(({ fileGUID }) => fileGUID === guid);
    if (own === undefined) throw new Refusal('NOT_FOUND');
    return { original: describeOriginal(own), reason: null };
  });
}

/** Why an image is not kept; null: it can be. */
async function verify(
  deps: KeepDependencies,
  { slot, facts, file, component: name }: DecodedImage,
): Promise<NotKeptReason | null> {
  const { organisationId, workflow, guid } = slot;
  const leave = await deps.semaphore.enter(organisationId);
  if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
  try {
    using scratch = await deps.engines.openScratch();
    const library = await findInLibrary(deps.db, { slot, facts });
    const copy = async (from: Parameters<typeof deps.storage.toFile>[0], to: string) => {
      const path = join(scratch.folder, to);
      await deps.storage.toFile(from, path);
      return path;
    };
    const task = {
      kind: 'preflight',
      workflow,
      protocolId: slot.connectionGuid === null ? facts.protocolId : null,
      mode: facts.mode,
      components: [
        {
          name,
          decodedPath: await copy(file, 'decoded'),
          modifiedPath: await copy(file, 'modified'),
        },
      ],
      originalPath: null,
      isOriginalFromLibrary: false,
      identification: null,
      library:
        'original' in library && library.component === name
          ? { component: name, path: await copy(library.original, 'library') }
          : null,
      willCorrectCVN: false,
      willSkipChecksum: false,
      willCorrectChecksums: false,
    } as const;
    const { found } = await runCheck(deps, task, {
      organisation: organisationId,
      slot: guid,
      crashed: 'engine crashed while it checked an image to be kept',
      failed: 'could not check an image to be kept',
    });
    return judgeKept(found);
  } finally {
    leave();
  }
}
