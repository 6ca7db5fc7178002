/** KESSv2: one image, read through the diagnostic socket, in a read file; answered by an encoded file. */

import { makeCodec } from './make-codec.ts';

export const kessv2 = makeCodec({
  family: 'kessv2',
  readKind: () => 'read-file',
  encodedKind: () => 'encoded-file',
  mayImageBeMissing: true,
  mayChecksumsBeWrong: false,
});
