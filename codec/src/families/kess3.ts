/** KESS3: one image or several components, as the file specifies. */

import type { WorkflowRules } from '../recoding/family-codec.ts';
import { kess3Errors } from './kess3-errors.ts';
import { makeCodec } from './make-codec.ts';

/** The common parts of the recoding page and the utility. */
export const kess3Rules = {
  workflow: 'kess3',
  mayImageBeMissing: true,
  wrongChecksumsWarning: 'KESS3_DECODED_WITH_CHECKSUM_ERROR',
  errorNames: kess3Errors,
  showsCodes: true,
} as const satisfies Partial<WorkflowRules>;

export const kess3 = makeCodec(kess3Rules);
