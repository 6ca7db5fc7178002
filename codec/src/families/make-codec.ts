/** The one way to make a family's codec: every family decodes, checks and encodes by the same path. */

import { checkModified, checkOriginal } from '../checks.ts';
import type { FamilyCodec, FamilyRules } from './codec.ts';
import { decode } from '../decode.ts';
import { encode } from '../encode.ts';

/** A codec by a family's rules. */
export function makeCodec(rules: FamilyRules): FamilyCodec {
  return {
    rules,
    decode: (input) => decode(rules, input),
    encode: (input) => encode(rules, input),
    checkModified: (input) => checkModified(rules.family, input),
    checkOriginal: (input) => checkOriginal(rules.family, input),
  };
}
