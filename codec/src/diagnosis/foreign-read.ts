/** What a file is that was uploaded as a read but is in no container. */

import { recognizeArchive } from '@recodery/contract/recognize';
import { recognizeImage } from '../recognition/recognize.ts';
import { readZipDirectory } from './archive.ts';
import { isDense, onlyValue } from './content.ts';
import type { DiagnosisKind } from './kinds.ts';
import { recognizeText } from './text/registry.ts';

/** Images have a multiple of it; other files rarely do. */
const imageUnit = 1024;

/** The kinds of a diagnosis, and an image that is not sealed. */
export type ForeignRead =
  | Extract<DiagnosisKind, 'archive-with-password' | 'web-page' | 'text' | 'dense'>
  | 'image';

/** What the file is; null if nothing is certain, or if its type is enough. */
export function explainForeignRead(file: Uint8Array): ForeignRead | null {
  if (recognizeArchive(file) !== null) {
    return readZipDirectory(file)?.hasPassword === true ? 'archive-with-password' : null;
  }
  const text = recognizeText(file);
  if (text !== null) return text.kind === 'web-page' ? 'web-page' : 'text';
  if (onlyValue(file) !== null) return null;
  // the numbers of a control unit are a stronger proof than how random the rest is
  if (recognizeImage(file) !== null) return 'image';
  if (isDense(file)) return 'dense';
  return file.length > 0 && file.length % imageUnit === 0 ? 'image' : null;
}
