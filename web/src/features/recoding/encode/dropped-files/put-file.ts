/** Uploads a file for a part, even if the part already has one. */
import type { PartName } from '../../decoded-read.ts';
import type { Recoding } from '../../flow/use-recoding.ts';

type Commands = Pick<Recoding, 'removePart' | 'cancelPart' | 'choosePart'>;

/** A removed part returns, an upload in progress is canceled, and an earlier file stays until the new one has arrived. */
export function putFile(recoding: Commands, part: PartName, file: File): void {
  recoding.removePart(part, false);
  recoding.cancelPart(part);
  recoding.choosePart(part, file);
}
