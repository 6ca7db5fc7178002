/** The codec of each workflow. A new family is one line here. */

import {
  definitionOf,
  type RecodErrorName,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { InternalCode } from '../errors.ts';
import type { FamilyCodec } from '../recoding/family-codec.ts';
import { chooseName, coversSeveral, type FaultPlace } from '../recoding/error-names.ts';
import { type Known, labelInformation } from '../recoding/information.ts';
import { kess3 } from './kess3.ts';
import { kess3Utility } from './kess3-utility.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';

const codecs: Readonly<Record<Workflow, FamilyCodec>> = {
  kessv2,
  ktag,
  kess3,
  'kess3-utility': kess3Utility,
};

export function getCodec(workflow: Workflow): FamilyCodec {
  return codecs[workflow];
}

/** The error name that a page shows for an internal code. */
export function errorNameOf(
  internalCode: InternalCode,
  { workflow, ...place }: FaultPlace & { readonly workflow: Workflow },
): RecodErrorName {
  return chooseName(codecs[workflow].rules.errorNames, internalCode, place);
}

/** What replaces `{0}` in the text of an error: its detail or, where that says more than the name, its internal code. */
export function detailOf(
  { internalCode, detail }: { readonly internalCode: InternalCode; readonly detail: string | null },
  { workflow, ...place }: FaultPlace & { readonly workflow: Workflow },
): string | null {
  const { errorNames, showsCodes } = codecs[workflow].rules;
  if (detail !== null || !showsCodes) return detail;
  return coversSeveral(errorNames, internalCode, place) ? internalCode : null;
}

/** The information that a page shows about a read, each label with its text or null. */
export function labelRead(workflow: Workflow, known: Known): Record<string, string | null> {
  return labelInformation(definitionOf(workflowOf(workflow).family).information, known);
}
