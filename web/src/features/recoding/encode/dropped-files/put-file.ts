/** Puts a file into a part, even if the part already has one. */
import type { PartName } from '../../decoded-read.ts';
import type { Recoding } from '../../flow/use-recoding.ts';

type Freeing = Pick<Recoding, 'removePart' | 'cancelPart'>;

/** Makes a part accept a file: a removed part returns, an upload in progress is canceled, and an earlier file stays. */
export function freePart(recoding: Freeing, part: PartName): void {
  recoding.removePart(part, false);
  recoding.cancelPart(part);
}

/** Uploads a file for a part. An earlier file stays until the new one has arrived. */
export function putFile(
  recoding: Freeing & Pick<Recoding, 'choosePart'>,
  part: PartName,
  file: File,
): void {
  freePart(recoding, part);
  recoding.choosePart(part, file);
}
