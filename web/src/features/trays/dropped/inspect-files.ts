/** Inspects dropped files: which workflow decodes each of them, or why none does, and their hashes. */
import { Refusal } from '@recodery/contract/refusal';
import type { Recognized } from '@recodery/contract/recognize';
import type { Entries } from '@recodery/contract/features/session';
import type { NewTrayFile, TrayError } from '@recodery/contract/features/trays';
import { hashFile } from '../../../api/files/file-hash.ts';
import type { Foreign } from '../../recoding/flow/reads/inspect-foreign.ts';
import {
  errorOfUnopened,
  pageOf,
  recognizeByName,
  recognizeFile,
} from '../../recoding/flow/reads/recognize-read.ts';

/** A dropped file with its content's hash; null for a file that is too large or cannot be read. */
export interface InspectedFile {
  readonly file: File;
  /** Null: the browser cannot read it, for example because it is a folder. */
  readonly recognized: Recognized | null;
  /** What an archive is instead of a read; null if that is not certain. */
  readonly foreign: Foreign | null;
  readonly sha256: string | null;
}

/** What an archive contains. */
async function inspect(file: File, content: Recognized): Promise<Foreign | null> {
  const { inspectForeign } = await import('../../recoding/flow/reads/inspect-foreign.ts');
  return inspectForeign(file, content, new AbortController().signal);
}

async function inspectFile(file: File, maxFileBytes: number): Promise<InspectedFile> {
  try {
    const content = await recognizeFile(file);
    const isLarge = file.size > maxFileBytes;
    const foreign = content.outcome === 'archive' && !isLarge ? await inspect(file, content) : null;
    const recognized = recognizeByName(content, file);
    return { file, recognized, foreign, sha256: isLarge ? null : await hashFile(file) };
  } catch {
    return { file, recognized: null, foreign: null, sha256: null };
  }
}

/** Refuses a file that was removed or changed since it was dropped. @throws {Refusal} FILE_LOAD_ERROR */
export async function checkReadable(file: File): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Refusal('FILE_LOAD_ERROR');
    });
}

/** Inspects files one after another: only one is in memory at a time. Files above the limit are not read. */
export async function inspectFiles(
  files: readonly File[],
  maxFileBytes: number,
): Promise<readonly InspectedFile[]> {
  const inspected: InspectedFile[] = [];
  for (const file of files) inspected.push(await inspectFile(file, maxFileBytes));
  return inspected;
}

/**
 * Whether a file is listed in the tray: it is a read file by its content or its name, or cannot be an image, which its
 * row then explains. All others are modified files.
 */
export function isListed({ recognized }: InspectedFile): boolean {
  return recognized === null || recognized.outcome !== 'unknown' || 'isWebPage' in recognized;
}

/** The data that a tray stores about a read file: the workflow that decodes it, or why none does. */
export function describeRead(
  { file, recognized, foreign, sha256 }: InspectedFile,
  entries: Entries,
  maxFileBytes: number,
): NewTrayFile {
  const label = { name: file.name, size: file.size, sha256 };
  const refuse = (error: TrayError): NewTrayFile => ({ ...label, workflow: null, error });
  if (recognized === null) return refuse('FILE_LOAD_ERROR');
  const workflow = pageOf(recognized);
  const error = errorOfUnopened(recognized, { name: file.name, foreign });
  if (workflow === null) return refuse(error);
  if (file.size > maxFileBytes) return refuse('FILE_TOO_LARGE');
  const refusal = entries[workflow];
  if (refusal === null) return { ...label, workflow, error: null };
  const isNamed = recognized.outcome === 'recognized' && !recognized.isContainer;
  // why its page is closed explains nothing while only the name leads there
  return refuse(isNamed ? error : refusal);
}
