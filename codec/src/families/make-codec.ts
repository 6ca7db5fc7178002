/** Creates the codecs: every family decodes, checks and encodes with the same code. */

import { checkModified, checkOriginal } from '../recoding/image-checks.ts';
import { workflowOf } from '@recodery/contract/families/registry';
import type { FamilyCodec, WorkflowRules } from '../recoding/family-codec.ts';
import { decode } from '../recoding/decode.ts';
import { encode } from '../recoding/encode.ts';

/** The codec of a workflow. */
export function makeCodec(rules: WorkflowRules): FamilyCodec {
  const { family } = workflowOf(rules.workflow);
  return {
    rules,
    decode: (input) => decode(rules, input),
    encode: (input) => encode(rules, input),
    checkModified: (input) => checkModified(family, input),
    checkOriginal: (input) => checkOriginal(family, input),
  };
}
