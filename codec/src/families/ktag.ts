/** K-TAG: components read on the bench, in a read backup; the output is an encoded backup. */

import { classicErrors } from './kessv2-ktag-errors.ts';
import { makeCodec } from './make-codec.ts';

export const ktag = makeCodec({
  workflow: 'ktag',
  errorNames: {
    ...classicErrors,
    MAP_FILE_ERROR: 'WRONG_IMPORT',
    MOD_WRONG_SIZE: 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
    MOD_IDENT_MISMATCH: 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
  },
});
