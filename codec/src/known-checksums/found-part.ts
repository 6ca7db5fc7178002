/** A part of a scheme in an image. */

import type { ChecksumRule } from '../checksum/scheme.ts';

/**
 * `absent`: the control unit does not have it. `unclear`: it is there, but what it covers is not certain, so that it is
 * not checked. `fixed`: rules about bytes that no correction may write. `skipped`: how many checksums of the part are not
 * among the rules, because they are not understood.
 */
export type FoundPart =
  | { readonly state: 'absent' | 'unclear' }
  | { readonly state: 'signature'; readonly isValid: boolean }
  | {
      readonly state: 'rules';
      readonly rules: readonly ChecksumRule[];
      readonly fixed: readonly ChecksumRule[];
      readonly skipped?: number;
    };
