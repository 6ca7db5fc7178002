/** Creates the codecs: every family decodes, checks and encodes with the same code. */

import { checkModified, checkOriginal } from '../recoding/image-checks.ts';
import { workflowOf } from '@recodery/contract/families/registry';
import { wrongFamilyCode } from '../errors.ts';
import type { FamilyCodec, WorkflowRules } from '../recoding/family-codec.ts';
import { decode } from '../recoding/decode.ts';
import { encode } from '../recoding/encode.ts';

const usualRules = {
  mayImageBeMissing: false,
  wrongChecksumsWarning: null,
  keepsInformation: false,
  showsCodes: false,
} as const satisfies Partial<WorkflowRules>;

/** The rules that a workflow declares: its error names, and where it differs from the usual rules. */
type DeclaredRules = Omit<WorkflowRules, keyof typeof usualRules> & Partial<WorkflowRules>;

/** The codec of a workflow. */
export function makeCodec(declared: DeclaredRules): FamilyCodec {
  const { workflow, errorNames } = declared;
  const { family } = workflowOf(workflow);
  const rules: WorkflowRules = {
    ...usualRules,
    ...declared,
    // a file of the workflow's own family is never refused as one of another family
    errorNames: { ...errorNames, [wrongFamilyCode(family)]: errorNames.GENERIC_ERROR },
  };
  return {
    rules,
    decode: (input) => decode(rules, input),
    encode: (input) => encode(rules, input),
    checkModified: (input) => checkModified(family, input),
    checkOriginal: (input) => checkOriginal(family, input),
  };
}
