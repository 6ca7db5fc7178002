/** Uploads the modified file of a part of a row. */
import { makeFileNameSafe } from '@recodery/contract/file-names';
import type { Call } from '../../../api/call.ts';
import { updateDraft } from '../../../api/update-draft.ts';
import type { LivePages } from '../../recoding/flow/live-pages.ts';
import { type Fault, mayBeTemporary } from '../../recoding/fault.ts';
import { isNoteOf } from '../../recoding/inputs.ts';
import { noteOfRefused } from '../../recoding/refused-note.ts';
import { withPart } from './draft-changes.ts';
import { checkReadable } from '../dropped/inspect-files.ts';
import type { LoadedTray } from '../tray-query.ts';
import type { DecodedRow, Row } from '../tray-rows.ts';
import type { SendOptions } from '../work-queue.ts';

/** What the upload of a modified file needs of its tray. */
export interface ImageParts {
  readonly call: Call;
  readonly pages: LivePages;
  readonly known: () => LoadedTray | undefined;
  readonly refresh: () => Promise<void>;
}

/** A modified file, and where it belongs. */
export interface RowFile {
  readonly row: Row;
  readonly state: DecodedRow;
  readonly part: string;
  readonly file: File;
}

/** Whether the server has noted this refusal of a file for a part of a row. */
function isNoted(
  loaded: LoadedTray | undefined,
  { row, part, file }: RowFile,
  fault: Fault,
): boolean {
  // as the server calls it
  const label = { name: makeFileNameSafe(file.name), size: file.size };
  const noted = loaded?.tray.files.find(({ guid }) => guid === row.file.guid)?.draft?.refused ?? [];
  return noted.some((one) => one.part === part && isNoteOf(one, { file: label, fault }));
}

/**
 * Uploads a modified file, and shows the result in the row. Resolves also if the server has refused the file for good and
 * noted that: the row then shows it in every tab. Otherwise rejects as the upload does.
 */
export async function sendImage(
  { call, pages, known, refresh }: ImageParts,
  image: RowFile,
  { onProgress }: Pick<SendOptions, 'onProgress'>,
): Promise<void> {
  const { state, part, file } = image;
  const { page, read } = state;
  const isRemovable = read.parts.some((one) => one.name === part && one.isRemovable);
  const show = async (): Promise<void> => {
    await pages.showSaved(read.slotGUID, true);
    await refresh();
  };
  try {
    await checkReadable(file);
  } catch (thrown) {
    // the server has not seen it
    const { name, size } = file;
    const fault = { kind: 'refused', thrown } as const;
    const refused = { [part]: noteOfRefused({ file: { name, size }, fault, isNoted: false }) };
    await updateDraft(call, read.slotGUID, () => ({ files: {}, refused }));
    await show();
    return;
  }
  try {
    await page.uploadPart(read, part, file, { onProgress });
  } catch (thrown) {
    const fault = { kind: 'refused', thrown } as const;
    if (mayBeTemporary(fault)) throw thrown;
    await show();
    if (isNoted(known(), image, fault)) return;
    throw thrown;
  }
  if (isRemovable) {
    await pages.saved(read.slotGUID);
    await updateDraft(call, read.slotGUID, (draft) => withPart(read, draft, part));
  }
  await show();
}
