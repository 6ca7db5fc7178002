/** Reads and saves the draft of an encode, so that a reloaded page restores the uploads and choices. */
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import type { EncodeDraft, EncodeDraftChange, SlotDraft } from '@recodery/contract/features/slots';
import type { Caller, Doer, OrganisationId } from '../../organisations/caller.ts';
import { readNow } from '../../postgres/read-now.ts';
import { readSnapshot } from '../../postgres/snapshot.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { markCurrent, markReplaced } from '../../slots/files/replaced-files.ts';
import { type DraftFile, findDraftParts } from '../../slots/draft-parts.ts';
import type { DraftChange, DraftRecord, RefusedUpload } from '../../slots/draft-record.ts';
import { findSlot, lockSlot, saveDraft, type Slot } from '../../slots/slots.ts';
import { listStoredFiles, type StoredFile } from '../../slots/files/stored-files.ts';
import {
  changedDraft,
  type DraftPlace,
  filesOf,
  namedPlace,
  nameOfPlace,
  partOf,
  withCanceled,
  withFile,
  withRefusedUpload,
} from './draft-rules.ts';
import {
  beforeArrival,
  conflictsOf,
  describeChanges,
  findArrived,
  isOvertaken,
  withoutOvertakenNotes,
  withVersion,
} from './draft-versions.ts';

type Owner = Pick<Caller, 'organisationId'>;

/** A decoded slot of the caller's organisation. */
async function requireSlot(db: Db, caller: Owner, guid: string): Promise<Slot> {
  const slot = await findSlot(db, caller.organisationId, guid);
  if (slot === null) throw new Refusal('NOT_FOUND');
  if (slot.facts === null) throw new Refusal('OPERATION_NOT_POSSIBLE');
  return slot;
}

/** A decoded slot and its files. A new upload replaces a file and the draft's reference to it together. */
export function readSlotWithFiles(
  db: Db,
  caller: Owner,
  slotGuid: string,
): Promise<{ readonly slot: Slot; readonly files: readonly StoredFile[] }> {
  return readSnapshot(db, async (snapshot) => {
    const slot = await requireSlot(snapshot, caller, slotGuid);
    return { slot, files: await listStoredFiles(snapshot, caller.organisationId, slot.guid) };
  });
}

/** The draft of a slot, without files that were deleted or have expired. */
export async function readDraft(db: Db, caller: Owner, slotGuid: string): Promise<SlotDraft> {
  const found = await findDraftParts(db, caller.organisationId, slotGuid);
  if (found === null) throw new Refusal('NOT_FOUND');
  if (!found.isDecoded) throw new Refusal('OPERATION_NOT_POSSIBLE');
  const { family, draft, files, authors } = found;
  return {
    slotGUID: slotGuid.toLowerCase(),
    ...describeDraft(found, files),
    version: draft.version ?? 0,
    changes: describeChanges(family, draft.changes, namesIn(authors)),
  };
}

/** The record of an announcement about a draft, which all users of the organisation may see; null: its job was deleted. */
export async function findDraft(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<SlotDraft | null> {
  return readDraft(db, { organisationId }, slotGuid).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
}

/** The draft of a slot as calls return it. `stored` are the slot's files that still exist. */
export function describeDraft(
  { family, draft }: Pick<Slot, 'family' | 'draft'>,
  stored: readonly DraftFile[],
): EncodeDraft {
  const files = filesOf(draft).flatMap((place) => {
    const file = stored.find(({ guid }) => guid === place.fileGuid);
    const part = partOf(family, place);
    if (file === undefined || part === null) return [];
    const { guid, name, size, changes } = file;
    return [{ part, fileGUID: guid, name, size, changes }];
  });
  const { removed, willCorrectCVN, willSkipChecksum, willCorrectChecksums } = draft;
  return {
    files,
    refused: describeRefused(family, draft),
    removed:
      removed?.flatMap((component) => partOf(family, { role: 'modified', component }) ?? []) ??
      null,
    willCorrectCVN,
    willSkipChecksum,
    ...(willCorrectChecksums === undefined ? {} : { willCorrectChecksums }),
  };
}

/** Milliseconds for which the repair of a refused upload is offered. */
const repairOffer = 3_600_000;

/** The uploads that were refused, as calls return them. */
function describeRefused(
  family: Family,
  { refused = {} }: DraftRecord,
): NonNullable<EncodeDraft['refused']> {
  return Object.entries(refused).flatMap(([name, { on, diagnosis, ...upload }]) => {
    const place = namedPlace(name);
    const part = place && partOf(family, place);
    if (part === null) return [];
    const isOffered = Date.now() < Date.parse(on) + repairOffer;
    const found = diagnosis && (isOffered ? diagnosis : { ...diagnosis, repair: null });
    return [{ part, ...upload, diagnosis: found, refusedOn: on }];
  });
}

/** Who changes a draft, the tab of their browser if it is known, and the upload that brings a file. */
export interface DraftAuthor
  extends Pick<Doer, 'accountGuid' | 'clientGuid'>,
    Pick<DraftChange, 'tab' | 'upload'> {
  /** The time of the transaction; absent: it is read. */
  readonly on?: Date;
  /** The GUID of a file that the transaction has inserted: it was never replaced. */
  readonly inserted?: string;
}

/**
 * Saves a draft of a locked slot as its next version, and announces it. Files that leave it stay as versions of the
 * job. Refuses with NOT_FOUND when a file that comes back was deleted meanwhile.
 */
export async function storeDraft(
  trx: Db,
  slot: Slot,
  draft: DraftRecord,
  { accountGuid, clientGuid, tab, upload, inserted, ...given }: DraftAuthor,
): Promise<void> {
  const { organisationId } = slot;
  const on = (given.on ?? (await readNow(trx))).toISOString();
  const by = { on, accountGuid, clientGuid, tab, ...(upload && { upload }) };
  const next = withVersion(slot.draft, draft, by);
  const [before, after] = [slot.draft, next].map((one) =>
    filesOf(one).map((file) => file.fileGuid),
  );
  const gone = before?.filter((file) => after?.includes(file) !== true) ?? [];
  const fresh = after?.filter((file) => file !== inserted && before?.includes(file) !== true) ?? [];
  await markReplaced(trx, gone, { organisationId, accountGuid, clientGuid });
  if (!(await markCurrent(trx, organisationId, fresh))) throw new Refusal('NOT_FOUND');
  await saveDraft(trx, slot, next);
}

/**
 * Records in the draft that an upload was refused, so that every page shows it until a file is chosen there, or the note
 * is removed; `name`: the name of the upload, which may have been canceled. Does nothing if the slot was deleted, or if
 * others have changed the place since the slot was read, when the upload began.
 */
export async function noteRefused(
  db: Db,
  { guid, organisationId, draft }: Pick<Slot, 'guid' | 'organisationId' | 'draft'>,
  place: DraftPlace,
  upload: Omit<RefusedUpload, 'on'>,
  author: DraftAuthor & { readonly name: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, guid).catch(toNullIfGone);
    const { name, ...by } = author;
    if (slot === null || (name !== null && slot.draft.canceled?.includes(name))) return;
    const base = { version: draft.version ?? 0, tab: by.tab };
    if (isOvertaken(slot.draft, nameOfPlace(place), base)) return;
    const on = (await readNow(trx)).toISOString();
    await storeDraft(trx, slot, withRefusedUpload(slot.draft, place, { ...upload, on }), by);
  });
}

function toNullIfGone(error: unknown): null {
  if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
  throw error;
}

/**
 * Saves a change of the draft. Refuses a file that was not uploaded to this slot for that part, and with DRAFT_CHANGED a
 * change of fields that others have changed since the version on which it is based.
 */
export async function changeDraft(
  db: Db,
  caller: Caller,
  slotGuid: string,
  change: EncodeDraftChange,
  tab: string | null,
): Promise<void> {
  const { family, guid, organisationId } = await requireSlot(db, caller, slotGuid);
  await db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, guid);
    const on = (await readNow(trx)).toISOString();
    const base = { version: change.version, tab };
    const noted = withoutOvertakenNotes(family, slot.draft, change, base);
    const draft = changedDraft(family, slot.draft, noted, on);
    const fields = conflictsOf(slot.draft, draft, base);
    if (fields.length > 0) throw await describeConflict(trx, slot, fields);
    const stored = await listStoredFiles(trx, organisationId, guid);
    const isThere = filesOf(draft).every(({ role, component, fileGuid }) => {
      const isNamed = Object.values(change.files).includes(fileGuid);
      const file = stored.find((one) => one.guid === fileGuid);
      return !isNamed || (file?.role === role && file.component === component);
    });
    if (!isThere) throw new Refusal('NOT_FOUND');
    await storeDraft(trx, slot, draft, { ...caller, tab });
  });
}

/**
 * Cancels the upload of an image. If its file is in the draft, the file that it replaced comes back, if there still is
 * one whose upload was not canceled too; otherwise the file is refused when it arrives.
 */
export async function cancelImage(
  db: Db,
  caller: Caller,
  { slotGUID, upload }: { readonly slotGUID: string; readonly upload: string },
  tab: string | null,
): Promise<void> {
  const { guid, organisationId } = await requireSlot(db, caller, slotGUID);
  await db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, guid);
    const arrived = findArrived(slot.draft, upload);
    if (arrived === null) {
      await saveDraft(trx, slot, withCanceled(slot.draft, upload));
      return;
    }
    const stored = await listStoredFiles(trx, organisationId, guid);
    const { fileGuid, upload: earlier } = beforeArrival(slot.draft, arrived.upload);
    const before = stored.find((file) => file.guid === fileGuid)?.guid ?? null;
    const by = { ...caller, tab, ...(before && earlier && { upload: earlier }) };
    await storeDraft(trx, slot, withFile(slot.draft, arrived.place, before), by);
  });
}

/** Names the user or client application who made a change, among those of the draft. */
const namesIn =
  (authors: Readonly<Record<string, string>>) =>
  ({ accountGuid, clientGuid }: DraftChange): string | null =>
    authors[accountGuid ?? clientGuid ?? ''] ?? null;

async function describeConflict(db: Db, slot: Slot, fields: readonly string[]): Promise<Refusal> {
  const { version = 0, changes = {} } = slot.draft;
  const changed = Object.fromEntries(
    Object.entries(changes).filter(([name]) => fields.includes(name)),
  );
  const found = await findDraftParts(db, slot.organisationId, slot.guid);
  const conflicts = describeChanges(slot.family, changed, namesIn(found?.authors ?? {}));
  return new Refusal('DRAFT_CHANGED', { version, conflicts });
}
