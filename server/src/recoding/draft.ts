/** Reads and saves the draft of an encode, so that a reloaded page restores the uploads and choices. */
import { Refusal } from '@recodery/contract/refusal';
import type {
  EncodeDraft as WireDraft,
  EncodeDraftChange,
} from '@recodery/contract/features/slots';
import type { Caller } from '../organisations/caller.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findSlot, lockSlot, saveDraft, type Slot } from '../slots/slots.ts';
import { listStoredFiles, type StoredFile } from '../slots/stored-files.ts';
import { changedDraft, filesOf, partOf } from './draft-rules.ts';

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
export async function readDraft(db: Db, caller: Owner, slotGuid: string): Promise<WireDraft> {
  const { slot, files } = await readSlotWithFiles(db, caller, slotGuid);
  return describeDraft(slot, files);
}

/** The draft of a slot as calls return it. `stored` are the slot's files that still exist. */
export function describeDraft(
  { family, draft }: Pick<Slot, 'family' | 'draft'>,
  stored: readonly StoredFile[],
): WireDraft {
  const files = filesOf(draft).flatMap((place) => {
    const file = stored.find(({ guid }) => guid === place.fileGuid);
    const part = partOf(family, place);
    if (file === undefined || part === null) return [];
    const { guid, name, size, changes } = file;
    return [{ part, fileGUID: guid, name, size, changes }];
  });
  const { removed, willCorrectCVN, willSkipChecksum } = draft;
  return {
    files,
    removed:
      removed?.flatMap((component) => partOf(family, { role: 'modified', component }) ?? []) ??
      null,
    willCorrectCVN,
    willSkipChecksum,
  };
}

/** Saves a change of the draft. Refuses a file that was not uploaded to this slot for that part. */
export async function changeDraft(
  db: Db,
  caller: Caller,
  slotGuid: string,
  change: EncodeDraftChange,
): Promise<void> {
  const { family, guid, organisationId } = await requireSlot(db, caller, slotGuid);
  await db.transaction().execute(async (trx) => {
    const slot = await lockSlot(trx, organisationId, guid);
    const draft = changedDraft(family, slot.draft, change);
    const stored = await listStoredFiles(trx, organisationId, guid);
    const isThere = filesOf(draft).every(({ role, component, fileGuid }) => {
      const isNamed = Object.values(change.files).includes(fileGuid);
      const file = stored.find((one) => one.guid === fileGuid);
      return !isNamed || (file?.role === role && file.component === component);
    });
    if (!isThere) throw new Refusal('NOT_FOUND');
    await saveDraft(trx, slot, draft);
  });
}
