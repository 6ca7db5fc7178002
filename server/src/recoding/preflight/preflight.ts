/** The pre-flight of a slot: has an engine check what its draft would encode, and adds what only the portal knows. */
import { join } from 'node:path';
import type { ImageCheck } from '@recodery/codec/preflight/checks';
import { engineOf } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import type { ComponentName } from '@recodery/contract/families/family';
import type {
  CheckLimits,
  PreflightAnswer,
  PreflightCheck,
} from '@recodery/contract/features/recoding/preflight';
import type { Scratch } from '../../engine/built-in/pool.ts';
import type { Semaphore } from '../../config/semaphore.ts';
import type { Caller } from '../../organisations/caller.ts';
import { readSnapshot } from '../../postgres/snapshot.ts';
import { saveCheckLimits, type Slot } from '../../slots/slots.ts';
import {
  findDecodedElsewhere,
  type KnownImage,
  listStoredFiles,
  type StoredFile,
} from '../../slots/files/stored-files.ts';
import { describeMisfit, listMisfits } from '../../slots/misfits.ts';
import { NothingStored } from '../../storage/storage.ts';
import { DamagedFile, type RecordedFile } from '../../storage/verified-storage.ts';
import { requireFlags, requireService } from '../decode.ts';
import { describeDraft } from '../drafts/draft.ts';
import { filesOf, partOf } from '../drafts/draft-rules.ts';
import { requireDecodedSlot } from '../encode.ts';
import { encodeRefusal } from '../encode-rules.ts';
import { runCheck } from '../engine-check.ts';
import { requireEntry } from '../entry-checks.ts';
import type { ImageDependencies } from '../images/image-uploads.ts';
import { findOriginalOfRead, type Library } from '../originals/library.ts';
import { imagesOfRead, originalOf } from '../images/read-images.ts';
import type { DecodeFacts } from '../results/stored-result.ts';
import {
  checkFiles,
  checkReadChecksums,
  describeCheck,
  describeFit,
  describeUnchecked,
  type Prepared,
  summarize,
} from './preflight-rules.ts';

/** What a family's encode calls can request besides files. */
export interface EncodeOptions {
  readonly correctsCVN: boolean;
  readonly skipsChecksum: boolean;
  /** Those of real control units, which no protocol defines. */
  readonly correctsChecksums: boolean;
  /** Of a read of components. */
  readonly removes: boolean;
}

export interface PreflightDependencies extends ImageDependencies {
  readonly semaphore: Semaphore;
}

interface PreflightAsk {
  readonly family: Family;
  readonly slotGuid: string;
  readonly options: EncodeOptions;
}

/** A decoded slot, its files, and what its draft would encode. */
interface Flight {
  readonly slot: Slot;
  readonly facts: DecodeFacts;
  readonly files: readonly StoredFile[];
  readonly prepared: Prepared;
  readonly library: Library;
}

/**
 * Checks what the draft of a slot would encode. Refuses callers who could not encode it. Anything that the encode
 * itself would refuse is a red check.
 */
export async function preflight(
  deps: PreflightDependencies,
  caller: Caller,
  ask: PreflightAsk,
): Promise<PreflightAnswer> {
  const check = () => checkDraft(deps, caller, ask);
  return check().catch((error: unknown) => {
    const isMissing = error instanceof DamagedFile && error.damage === 'missing';
    // a new upload may have replaced a file since: retry with the new draft
    if (isMissing || error instanceof NothingStored) return check();
    throw error;
  });
}

async function checkDraft(
  deps: PreflightDependencies,
  caller: Caller,
  { family, slotGuid, options }: PreflightAsk,
): Promise<PreflightAnswer> {
  const { organisationId } = caller;
  const { slot, facts, files } = await readSnapshot(deps.db, async (snapshot) => {
    const decoded = await requireDecodedSlot(snapshot, organisationId, family, slotGuid);
    return {
      ...decoded,
      files: await listStoredFiles(snapshot, organisationId, decoded.slot.guid),
    };
  });
  const { workflow, groupCode } = slot;
  const entry = await requireEntry(deps.db, caller, { workflow, choice: { groupCode } });
  const prepared = prepare(slot, facts, files, options);
  requireFlags(caller, { skipChecksum: prepared.willSkipChecksum, autoSend: false });
  requireService(entry);
  const isVendor = slot.connectionGuid !== null;
  const library = await findOriginalOfRead(deps.db, { slot, facts, files });
  const flight = { slot, facts, files, prepared, library };
  const [checked, known, misfits] = await Promise.all([
    checkImages(deps, flight),
    checkKnown(deps, flight),
    listMisfits(
      deps.db,
      organisationId,
      prepared.modified.map(({ fileGuid }) => fileGuid),
    ),
  ]);
  const place = { family, workflow, mode: facts.mode };
  const answer = {
    ...summarize([
      checkFiles(encodeRefusal(facts, prepared, engineOf(slot.engineKind).offers)),
      ...checked.map((check) => nameKept(library, describeCheck(place, check))),
      checkReadChecksums(facts, isVendor),
      ...known,
      ...misfits.map((misfit) => {
        const part = partOf(family, misfit);
        return 'reason' in misfit
          ? describeUnchecked('fit', part, misfit.reason)
          : describeFit(part, describeMisfit(misfit));
      }),
      ...uncheckedTuned(family, library, checked),
    ]),
    draft: nameDraft(flight),
  };
  const limits: CheckLimits = {
    draft: answer.draft,
    checks: answer.checks.filter(({ status }) => status === 'unchecked'),
  };
  await saveCheckLimits(deps.db, slot, limits);
  return answer;
}

/** What the draft would encode, without files that were deleted and switches that the family does not have. */
function prepare(
  { draft }: Slot,
  facts: DecodeFacts,
  files: readonly StoredFile[],
  options: EncodeOptions,
): Prepared {
  const isThere = (guid: string | null) => files.some((file) => file.guid === guid);
  const removed = options.removes && !facts.isOneImage ? (draft.removed ?? []) : [];
  return {
    modified: filesOf(draft).filter(
      ({ role, component, fileGuid }) =>
        role === 'modified' && isThere(fileGuid) && !removed.includes(component),
    ),
    originalFileGuid: isThere(draft.original) ? draft.original : null,
    removed,
    reencode: false,
    willCorrectCVN: options.correctsCVN && draft.willCorrectCVN,
    willSkipChecksum: options.skipsChecksum && draft.willSkipChecksum,
    willCorrectChecksums: options.correctsChecksums && draft.willCorrectChecksums === true,
  };
}

/** The draft, with the family's names for its parts, so that a page can tell whether its latest changes were checked. */
function nameDraft({ slot, files: stored }: Flight): PreflightAnswer['draft'] {
  const { files, refused: _refused, ...draft } = describeDraft(slot, stored);
  return { ...draft, files: Object.fromEntries(files.map((file) => [file.part, file.fileGUID])) };
}

/** The checks of the images, by an engine: the portal's own process never parses one. */
async function checkImages(
  deps: PreflightDependencies,
  flight: Flight,
): Promise<readonly ImageCheck[]> {
  const { slot, prepared, library } = flight;
  if (prepared.modified.length === 0 && 'reason' in library) return [];
  const leave = await deps.semaphore.enter(slot.organisationId);
  if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
  try {
    using scratch = await deps.engines.openScratch();
    const task = await stage(deps, flight, scratch);
    const { found } = await runCheck(deps, task, {
      organisation: slot.organisationId,
      slot: slot.guid,
      crashed: 'engine crashed during a pre-flight',
      failed: 'could not run a pre-flight',
    });
    return found;
  } finally {
    leave();
  }
}

/** The files of the draft and of the read in a folder, and the task that checks them. */
async function stage(deps: PreflightDependencies, flight: Flight, { folder }: Scratch) {
  const { slot, facts, files, prepared } = flight;
  const bring = async (name: string, guid: string | null | undefined) => {
    const file = files.find((one) => one.guid === guid);
    return file === undefined ? null : copy(deps, file, join(folder, name));
  };
  const decoded = imagesOfRead(facts);
  const decodedOf = (component: string) =>
    decoded.find((one) => one.component === component)?.fileGuid;
  const components = await Promise.all(
    componentsOf(flight).map(async (name) => {
      const modified = prepared.modified.find(({ component }) => component === name);
      return {
        name,
        decodedPath: await bring(`decoded-${name}`, decodedOf(name)),
        modifiedPath: await bring(`modified-${name}`, modified?.fileGuid),
      };
    }),
  );
  const original = originalOf(facts, prepared.originalFileGuid);
  const { willCorrectCVN, willSkipChecksum, willCorrectChecksums } = prepared;
  return {
    kind: 'preflight',
    workflow: slot.workflow,
    // a vendor's engine corrects by its own rules
    protocolId: slot.connectionGuid === null ? facts.protocolId : null,
    mode: facts.mode,
    components,
    originalPath: await bring('original', original),
    isOriginalFromLibrary: prepared.originalFileGuid === null,
    identification: facts.wasOriginalFileFound ? null : facts.identification,
    library: await bringLibrary(deps, flight, join(folder, 'library')),
    willCorrectCVN,
    willSkipChecksum,
    willCorrectChecksums,
  } as const;
}

/** The components that an engine needs: the modified ones, what a maps file belongs to, and what the library knows. */
function componentsOf({ facts, prepared, library }: Flight) {
  const modified = prepared.modified.map(({ component }) => component);
  const kept = facts.components
    .map(({ component }) => component)
    .filter((one) => !modified.includes(one) && !prepared.removed.includes(one));
  const hasMaps = [...modified, ...kept].includes('mapfile');
  const compared = 'reason' in library ? [] : [library.component];
  return [...new Set([...modified, ...(hasMaps ? kept : []), ...compared])];
}

async function copy(
  { storage }: Pick<PreflightDependencies, 'storage'>,
  file: RecordedFile,
  path: string,
): Promise<string> {
  await storage.toFile(file, path);
  return path;
}

/** The original in a file; null: there is none, or the library's is damaged. */
async function bringLibrary(deps: PreflightDependencies, { library }: Flight, path: string) {
  if ('reason' in library) return null;
  const { component, original } = library;
  return copy(deps, original, path).then(
    () => ({ component, path }),
    (error: unknown) => {
      if (error instanceof DamagedFile) return null;
      throw error;
    },
  );
}

/** Adds to the comparison with an original that a user keeps who that is: no one can say that it was never tuned. */
function nameKept(library: Library, check: PreflightCheck): PreflightCheck {
  if (check.id !== 'already-tuned' || check.values === null || 'reason' in library) return check;
  const { kept } = library;
  const { slotGUID, keptOn, keptBy } = kept ?? {};
  return slotGUID === undefined || keptOn === undefined || keptBy === undefined
    ? check
    : {
        ...check,
        values: { ...check.values, kept: { slotGUID, keptOn: keptOn.toISOString(), keptBy } },
      };
}

/** A read that cannot be compared with an original. */
function uncheckedTuned(
  family: Family,
  library: Library,
  checked: readonly ImageCheck[],
): PreflightCheck[] {
  if (checked.some(({ id }) => id === 'already-tuned')) return [];
  const { component } = library;
  const part = component && partOf(family, { role: 'modified', component });
  const reason = 'reason' in library ? library.reason : 'no-original-in-library';
  return [describeUnchecked('already-tuned', part, reason)];
}

/** Whether an uploaded image is the decoded image of another component or read of the organisation. */
async function checkKnown(
  { db }: PreflightDependencies,
  { slot, files, prepared }: Flight,
): Promise<PreflightCheck[]> {
  const own = files.filter(({ role }) => role === 'decoded');
  const uploads = prepared.modified.flatMap(
    ({ fileGuid }) => files.find(({ guid }) => guid === fileGuid) ?? [],
  );
  const isOwn = (upload: StoredFile) =>
    own.some(({ sha256, component }) => sha256 === upload.sha256 && component === upload.component);
  const asked = uploads.filter((upload) => !isOwn(upload)).map(({ sha256 }) => sha256);
  const known = await findDecodedElsewhere(db, slot.organisationId, slot.guid, asked);
  return uploads.flatMap((upload): PreflightCheck[] => {
    const { component, sha256 } = upload;
    if (component === null) return [];
    const other = isOwn(upload) ? undefined : own.find((one) => one.sha256 === sha256);
    const nameOf = (one: ComponentName) =>
      partOf(slot.family, { role: 'modified', component: one });
    const otherPart = other?.component ? nameOf(other.component) : null;
    const newest = known.find((one) => one.sha256 === sha256);
    return [describeKnown(nameOf(component), otherPart, newest)];
  });
}

function describeKnown(
  part: string | null,
  otherPart: string | null,
  newest: KnownImage | undefined,
): PreflightCheck {
  return {
    id: 'known-elsewhere',
    status: newest === undefined && otherPart === null ? 'green' : 'amber',
    part,
    error: null,
    reason: null,
    values: {
      otherPart,
      count: newest?.count ?? 0,
      newest: newest
        ? {
            slotGUID: newest.slotGuid,
            readFileName: newest.readFileName,
            slaveSerialNumber: newest.slaveSerialNumber,
            decodedOn: newest.createdOn.toISOString(),
          }
        : null,
    },
  };
}
