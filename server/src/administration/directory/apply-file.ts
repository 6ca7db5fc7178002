/** The directory file of operators in the browser: the same as the command's, applied only as it was previewed. */
import type { DirectoryPreview } from '@recodery/contract/admin/directory';
import { Refusal } from '@recodery/contract/refusal';
import { applyDirectory, type DirectoryDeps } from '../../organisations/directory/directory.ts';
import {
  type DirectoryFile,
  readDirectoryFile,
} from '../../organisations/directory/directory-file.ts';
import { locateMistakes } from '../../organisations/directory/directory-lines.ts';
import { nameChanges, previewChanges } from '../../organisations/directory/directory-preview.ts';

/** How a previewed file is applied. */
interface ApplyAsk {
  /** Of the preview; null: only previews. */
  readonly plan: string | null;
  /** Devices may change their owner. */
  readonly move: boolean;
}

/** Pictures that are files next to the directory file are not uploaded with it. */
function findPictureFiles({ organisations = [] }: DirectoryFile): readonly string[] {
  return organisations
    .filter(({ logo }) => typeof logo === 'string' && !logo.startsWith('data:'))
    .map(
      ({ customerCode }) =>
        `organisation ${customerCode}: its logo is a file next to the directory file. Add the logo in the browser, or apply the file with the command line`,
    );
}

/** A text as bytes of UTF-8; null: it is not UTF-8. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const refused = (text: string, mistakes: readonly string[]): DirectoryPreview => ({
  plan: '',
  changes: [],
  mistakes: [...locateMistakes(text, mistakes)],
});

/**
 * Previews a file, or applies it if it changes exactly what the preview with the name `plan` showed.
 * @throws {Refusal} RECORD_CHANGED if it would change something else, FIELDS_NOT_ACCEPTED if devices change their owner
 *   and this is not confirmed
 */
export async function applyFile(
  deps: DirectoryDeps,
  bytes: Uint8Array,
  { plan, move }: ApplyAsk,
): Promise<DirectoryPreview> {
  const text = decodeText(bytes);
  if (text === null) return refused('', ['line 1: the file is not text in UTF-8']);
  const read = readDirectoryFile(text);
  const early = 'mistakes' in read ? read.mistakes : findPictureFiles(read.directory);
  if ('mistakes' in read || early.length > 0) return refused(text, early);
  let changes: DirectoryPreview['changes'] = [];
  const planned = await applyDirectory(deps, read.directory, {
    isTrial: plan === null,
    admit(found, present) {
      changes = previewChanges(found, present);
      if (plan === null) return;
      if (nameChanges(changes) !== plan) throw new Refusal('RECORD_CHANGED');
      if (!move && changes.some(({ moves }) => moves.length > 0))
        throw new Refusal('FIELDS_NOT_ACCEPTED', { fields: { move: 'MOVE_NOT_CONFIRMED' } });
    },
  });
  if ('mistakes' in planned) {
    // what was previewed could be applied: a colleague has changed something
    if (plan !== null) throw new Refusal('RECORD_CHANGED');
    return refused(
      text,
      planned.mistakes.map((mistake) => mistake.text),
    );
  }
  return { plan: nameChanges(changes), changes, mistakes: [] };
}
