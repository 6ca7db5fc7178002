/** Uploads a file for a part, even if the part already has one. */
import type { PartName } from '../../decoded-read.ts';
import type { Recoding } from '../../flow/use-recoding.ts';

type Commands = Pick<Recoding, 'removePart' | 'cancelPart' | 'choosePart' | 'dispatch'>;

/** A removed part returns, and an earlier file or upload is replaced. */
export function putFile(recoding: Commands, part: PartName, file: File): void {
  recoding.removePart(part, false);
  recoding.cancelPart(part);
  recoding.dispatch({ type: 'part-restored', part });
  recoding.choosePart(part, file);
}
