/** KESS3: one image or components, as the file itself says; in utility mode packed backups instead. */

import { makeCodec } from './make-codec.ts';

export const kess3 = makeCodec({
  family: 'kess3',
  readKind: (utility) => (utility ? 'utility-backup' : 'read-file'),
  encodedKind: (utility) => (utility ? 'utility-backup' : 'encoded-file'),
  mayImageBeMissing: true,
  mayChecksumsBeWrong: true,
});
