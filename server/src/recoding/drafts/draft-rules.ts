/** The draft of an encode: the family's names for its parts, and how a change is merged. Pure. */
import { Refusal } from '@recodery/contract/refusal';
import { type ComponentName, componentNames } from '@recodery/contract/families/family';
import { componentTypeOf, type Family, definitionOf } from '@recodery/contract/families/registry';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import type { DraftRecord, RefusedUpload } from '../../slots/draft-record.ts';

/** A place in a draft: the modified image of a component, or the original image. */
export interface DraftPlace {
  readonly role: 'modified' | 'original';
  readonly component: ComponentName;
}

const roles: readonly DraftPlace['role'][] = ['modified', 'original'];

/** The stored name of a place. */
export const nameOfPlace = ({ role, component }: DraftPlace): string => `${role}/${component}`;

/** The place of a stored name; null: it names something else. */
export function namedPlace(name: string): DraftPlace | null {
  const [role, component] = name.split('/');
  const known = roles.find((one) => one === role);
  // Written by `nameOfPlace`.
  return known ? { role: known, component: component as DraftPlace['component'] } : null;
}

/** The family's name for a place; null when the family has none. */
export function partOf(family: Family, { role, component }: DraftPlace): string | null {
  return component === 'obd' ? role : componentTypeOf(family, component);
}

/** The place for a part name. Refuses a name that the family does not have. */
export function placeOf(family: Family, part: string): DraftPlace {
  if (part === 'modified' || part === 'original') return { role: part, component: 'obd' };
  const component = componentNames.find((name) => name === part.toLowerCase());
  if (component === undefined || !definitionOf(family).componentTypes.includes(part))
    throw new Refusal('BAD_REQUEST');
  return { role: 'modified', component };
}

/** The component for a part name. Refuses the single image of an OBD read, which cannot be removed. */
function componentOf(family: Family, part: string): ComponentName {
  const { component } = placeOf(family, part);
  if (component === 'obd') throw new Refusal('BAD_REQUEST');
  return component;
}

/**
 * The draft with a file in a place; `fileGuid` null removes it. A user who chooses what a place has knows of
 * the upload that was refused there before.
 */
export function withFile(
  before: DraftRecord,
  place: DraftPlace,
  fileGuid: string | null,
): DraftRecord {
  const draft = withRefusedUpload(before, place, null);
  const { role, component } = place;
  if (role === 'original') return { ...draft, original: fileGuid };
  const { [component]: _, ...others } = draft.modified;
  return { ...draft, modified: fileGuid === null ? others : { ...others, [component]: fileGuid } };
}

/** The draft with an upload that was refused for a place; null removes it. What users have chosen stays. */
export function withRefusedUpload(
  draft: DraftRecord,
  place: DraftPlace,
  upload: RefusedUpload | null,
): DraftRecord {
  const name = nameOfPlace(place);
  if (upload === null && draft.refused?.[name] === undefined) return draft;
  const { [name]: _, ...others } = draft.refused ?? {};
  const refused = upload === null ? others : { ...others, [name]: upload };
  return { ...draft, refused };
}

/** The places of a draft that have a file. */
export function filesOf(draft: DraftRecord): (DraftPlace & { readonly fileGuid: string })[] {
  const modified = componentNames.flatMap((component) => {
    const fileGuid = draft.modified[component];
    return fileGuid === undefined ? [] : [{ role: 'modified', component, fileGuid } as const];
  });
  const { original } = draft;
  return original === null
    ? modified
    : [...modified, { role: 'original', component: 'obd', fileGuid: original }];
}

/** The maximum number of canceled uploads that a draft remembers. A check takes less than a minute. */
const mostCanceled = 100;

/** The draft that does not accept the upload with this name. */
export function withCanceled(draft: DraftRecord, upload: string): DraftRecord {
  const { canceled = [] } = draft;
  return { ...draft, canceled: [...new Set([...canceled, upload])].slice(-mostCanceled) };
}

/**
 * The draft after a change sent by a page at the time `on` (ISO 8601). Refuses names that the family does not have.
 */
export function changedDraft(
  family: Family,
  draft: DraftRecord,
  { files, refused = {}, removed, willCorrectCVN, willSkipChecksum, ...change }: EncodeDraftChange,
  on: string,
): DraftRecord {
  const { willCorrectChecksums = false, ...others } = draft;
  const isCorrected = change.willCorrectChecksums ?? willCorrectChecksums;
  const choices = {
    removed:
      removed === undefined
        ? draft.removed
        : removed && [...new Set(removed.map((part) => componentOf(family, part)))],
    willCorrectCVN: willCorrectCVN ?? draft.willCorrectCVN,
    willSkipChecksum: willSkipChecksum ?? draft.willSkipChecksum,
    ...(isCorrected ? ({ willCorrectChecksums: true } as const) : {}),
  };
  const withFiles = Object.entries(files).reduce<DraftRecord>(
    (changed, [part, fileGuid]) => withFile(changed, placeOf(family, part), fileGuid),
    { ...others, ...choices },
  );
  return Object.entries(refused).reduce<DraftRecord>(
    (changed, [part, file]) =>
      withRefusedUpload(changed, placeOf(family, part), { ...file, diagnosis: null, on }),
    withFiles,
  );
}
