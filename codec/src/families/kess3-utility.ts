/** The KESS3 utility: unpacks packed backups and compacts them again. */

import { kess3Rules } from './kess3.ts';
import { makeCodec } from './make-codec.ts';

export const kess3Utility = makeCodec({
  ...kess3Rules,
  workflow: 'kess3-utility',
  // so that it can be unpacked again; a file that a slave writes to an ECU does not need it
  keepsInformation: true,
  errorNames: {
    ...kess3Rules.errorNames,
    COMPONENT_DIGEST_MISMATCH: 'KESS3_UNPACK_BACKUP_ERROR',
    ENCODE_FAILED: 'KESS3_COMPACT_BACKUP_ERROR',
  },
});
