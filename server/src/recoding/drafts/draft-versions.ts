/** The versions of a draft: which fields a change touches, who made it, and whether it is based on an old version. Pure. */
import type { DraftFieldChange } from '@recodery/contract/features/recoding/draft-changes';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import type { Family } from '@recodery/contract/families/registry';
import type { ArrivedUpload, DraftChange, DraftRecord } from '../../slots/draft-record.ts';
import {
  type DraftPlace,
  filesOf,
  namedPlace,
  nameOfPlace,
  partOf,
  placeOf,
} from './draft-rules.ts';

type Choice = Exclude<DraftFieldChange['field'], 'file'>;
const choices: readonly Choice[] = [
  'removed',
  'willCorrectCVN',
  'willSkipChecksum',
  'willCorrectChecksums',
];

/** The value of each field, as text; places without a file are absent. */
function valuesOf(draft: DraftRecord): ReadonlyMap<string, string> {
  return new Map([
    ...filesOf(draft).map((place) => [nameOfPlace(place), place.fileGuid] as const),
    ...choices.map((name) => [name, JSON.stringify(draft[name]?.valueOf() ?? null)] as const),
  ]);
}

/** The names of the fields that differ between two drafts. */
function changedFields(before: DraftRecord, after: DraftRecord): readonly string[] {
  const [old, fresh] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (name) => old.get(name) !== fresh.get(name),
  );
}

/** The uploads that were refused, as text. */
const refusedText = ({ refused = {} }: DraftRecord): string => JSON.stringify(refused);

/**
 * The draft `after`, with the next version and who changed what; unchanged if nothing differs. An upload that was refused
 * changes no field: it conflicts with nothing.
 */
export function withVersion(
  before: DraftRecord,
  after: DraftRecord,
  by: Omit<DraftChange, 'version'>,
): DraftRecord {
  const fields = changedFields(before, after);
  if (fields.length === 0 && refusedText(before) === refusedText(after)) return after;
  const version = (before.version ?? 0) + 1;
  const fresh = fields.map((name) => [name, { ...by, version }] as const);
  return { ...after, version, changes: { ...before.changes, ...Object.fromEntries(fresh) } };
}

/** What a change is based on. */
export interface DraftBase {
  /** Undefined: the change always applies. */
  readonly version: number | undefined;
  readonly tab: string | null;
}

/**
 * The fields that a change would set although others have changed them since its base. A tab does not conflict with
 * itself: it may not know yet what its own changes have done.
 */
export function conflictsOf(
  before: DraftRecord,
  after: DraftRecord,
  { version, tab }: DraftBase,
): readonly string[] {
  return changedFields(before, after).filter((name) => isOvertaken(before, name, { version, tab }));
}

/** Whether others have changed a field since a base. */
export function isOvertaken(
  { changes }: DraftRecord,
  name: string,
  { version, tab }: DraftBase,
): boolean {
  const last = changes?.[name];
  if (version === undefined || last === undefined) return false;
  return last.version > version && (tab === null || last.tab !== tab);
}

/** A change of a page without its notes about places that others have changed since its base. */
export function withoutOvertakenNotes(
  family: Family,
  draft: DraftRecord,
  change: EncodeDraftChange,
  base: DraftBase,
): EncodeDraftChange {
  const notes = Object.entries(change.refused ?? {}).filter(
    ([part]) => !isOvertaken(draft, nameOfPlace(placeOf(family, part)), base),
  );
  return { ...change, refused: Object.fromEntries(notes) };
}

/** How many uploads to the same place are remembered, each replaced by the next. */
const mostReplaced = 20;

function shortened(upload: ArrivedUpload | undefined, most: number): ArrivedUpload | undefined {
  if (upload === undefined || most === 0) return undefined;
  const { before: older, ...own } = upload;
  const before = shortened(older, most - 1);
  return { ...own, ...(before && { before }) };
}

/** An upload to a place, whose file in the draft it replaces. */
export function arrivedAt(
  { changes = {} }: DraftRecord,
  place: DraftPlace,
  upload: Omit<ArrivedUpload, 'before'>,
): ArrivedUpload {
  const before = shortened(changes[nameOfPlace(place)]?.upload, mostReplaced);
  return { ...upload, ...(before && { before }) };
}

/** What comes back when an upload is canceled: the file that it replaced, without those whose upload was canceled too. */
export function beforeArrival(
  { canceled = [] }: DraftRecord,
  { replaced, before }: ArrivedUpload,
): { readonly fileGuid: string | null; readonly upload: ArrivedUpload | undefined } {
  let [fileGuid, upload] = [replaced, before];
  while (upload !== undefined && canceled.includes(upload.name)) {
    [fileGuid, upload] = [upload.replaced, upload.before];
  }
  return { fileGuid, upload };
}

/** The upload with this name and the place of its file; null: it has not arrived, or was replaced. */
export function findArrived(
  { changes = {} }: DraftRecord,
  name: string,
): { readonly place: DraftPlace; readonly upload: ArrivedUpload } | null {
  for (const [field, { upload }] of Object.entries(changes)) {
    const place = namedPlace(field);
    if (place !== null && upload?.name === name) return { place, upload };
  }
  return null;
}

/** The last changes of a draft as calls return them; `nameBy`: the name of a user or client application. */
export function describeChanges(
  family: Family,
  changes: DraftRecord['changes'],
  nameBy: (change: DraftChange) => string | null,
): DraftFieldChange[] {
  return Object.entries(changes ?? {}).map(([name, change]) => {
    const place = namedPlace(name);
    return {
      // Written by `withVersion`.
      field: place ? 'file' : (name as Choice),
      part: place && partOf(family, place),
      version: change.version,
      changedOn: change.on,
      userDisplayName: nameBy(change),
    };
  });
}
