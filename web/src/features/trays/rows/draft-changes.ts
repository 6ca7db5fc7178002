/** What a tray changes in the draft of a file: only what its user has changed; pure. */
import type { SlotDraft } from '@recodery/contract/features/slots';
import type { DecodedRead, PartName } from '../../recoding/decoded-read.ts';
import type { DraftFields } from '../../../api/update-draft.ts';
import { codeOf } from '../../recoding/fault.ts';
import {
  draftOfInputs,
  inputsOfDraft,
  isNoteOf,
  isSameFile,
  refusedOf,
  uploadedIn,
} from '../../recoding/inputs.ts';
import type { DecodedRow } from '../tray-rows.ts';

/** What includes a part that is left out; null: it is included. */
export function withPart(read: DecodedRead, draft: SlotDraft, part: PartName): DraftFields | null {
  const inputs = inputsOfDraft(read, draft);
  if (inputs.parts[part]?.at !== 'removed') return null;
  const removed = draftOfInputs(inputs).removed?.filter((name) => name !== part) ?? null;
  return { files: {}, removed };
}

/**
 * What removes what a row shows of a part: the note that its last file was refused, which leaves the file before it,
 * otherwise its file. Null: the draft does not have that, or others have replaced it since.
 */
export function withoutShown(
  { read, inputs: shown, images }: Pick<DecodedRow, 'read' | 'inputs' | 'images'>,
  draft: SlotDraft,
  part: PartName,
): DraftFields | null {
  const inputs = inputsOfDraft(read, draft);
  if (!isSameFile(part, inputs, shown)) return null;
  const fileGUID = uploadedIn(inputs.parts[part])?.fileGUID ?? null;
  const image = images.find((one) => one.part.name === part);
  if (!image?.refused) return fileGUID === null ? null : { files: { [part]: null } };
  const noted = refusedOf(inputs.parts[part]);
  const before = refusedOf(shown.parts[part]);
  const isShown =
    noted !== null &&
    before !== null &&
    isNoteOf({ ...noted.file, errorCode: codeOf(noted.fault) }, before);
  return isShown ? { files: { [part]: fileGUID } } : null;
}
