/** Whether a file that was dropped on the row of a part belongs there; loaded when the first file is dropped. */
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import type { PartName } from '../../decoded-read.ts';
import { recognizeFile } from '../../flow/reads/recognize-read.ts';
import { measureFile } from './measure-file.ts';
import { checkOwnPlace, type OwnPlace } from './place-rules.ts';

/** A file with the parts that it was compared with, and what to do with it. */
export interface OwnPlaceFound {
  readonly place: OwnPlace;
  readonly parts: readonly PartFingerprint[];
  readonly likeness: ReadonlyMap<PartName, number | null>;
}

/**
 * What to do with a file; `archive` if it is a zip. Null if it is not an image, which the row reports itself. `load` is
 * called only for a possible image.
 */
export async function findOwnPlace(
  file: File,
  own: PartName,
  load: () => Promise<readonly PartFingerprint[]>,
  signal: AbortSignal,
): Promise<OwnPlaceFound | 'zip' | null> {
  const recognized = await recognizeFile(file);
  if (recognized.outcome === 'archive' && recognized.archive === 'zip') return 'zip';
  if (recognized.outcome !== 'unknown') return null;
  const parts = await load();
  const likeness = await measureFile(file, parts, signal);
  return {
    place: checkOwnPlace({ id: 0, name: file.name, likeness }, own, parts),
    parts,
    likeness,
  };
}
