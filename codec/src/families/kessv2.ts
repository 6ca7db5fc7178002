/** KESSv2: one image, read through the diagnostic socket, in a read file; the output is an encoded file. */

import { classicErrors } from './kessv2-ktag-errors.ts';
import { makeCodec } from './make-codec.ts';

export const kessv2 = makeCodec({
  workflow: 'kessv2',
  mayImageBeMissing: true,
  errorNames: {
    ...classicErrors,
    VR_LOOKUP_FAILED: 'VIRTUAL_READING_LOOKUP_ERROR',
    VR_UNSUPPORTED: 'VIRTUAL_READING_LOOKUP_ERROR',
    CVN_ERROR: 'CVN_CORRECTION_ERROR',
  },
});
