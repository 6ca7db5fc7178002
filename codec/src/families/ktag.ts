/** K-TAG: components read on the bench, in a read backup; answered by an encoded backup. */

import { makeCodec } from './make-codec.ts';

export const ktag = makeCodec({
  family: 'ktag',
  readKind: () => 'read-backup',
  encodedKind: () => 'encoded-backup',
  mayImageBeMissing: false,
  mayChecksumsBeWrong: false,
});
