/** The codec of each workflow. A new family is one line here. */

import {
  type ContainerWorkflow,
  definitionOf,
  type RecodErrorName,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { InternalCode } from '../errors.ts';
import type { FamilyCodec } from '../recoding/family-codec.ts';
import { chooseErrorName, coversSeveral, type FaultPlace } from '../recoding/error-names.ts';
import { type Known, labelInformation } from '../recoding/information.ts';
import { classicErrors } from './kessv2-ktag-errors.ts';
import { kess3 } from './kess3.ts';
import { kess3Utility } from './kess3-utility.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';

const codecs: Readonly<Record<ContainerWorkflow, FamilyCodec>> = {
  kessv2,
  ktag,
  kess3,
  'kess3-utility': kess3Utility,
};

/** The codec of a workflow. @throws when its files are in no container: only its vendor's service opens them */
export function getCodec(workflow: Workflow): FamilyCodec {
  const codec = findCodec(workflow);
  if (codec === null) throw new Error(`the files of ${workflow} are in no container`);
  return codec;
}

function findCodec(workflow: Workflow): FamilyCodec | null {
  const known: Readonly<Partial<Record<Workflow, FamilyCodec>>> = codecs;
  return known[workflow] ?? null;
}

/** The error name that a page shows for an internal code. */
export function errorNameOf(
  internalCode: InternalCode,
  { workflow, ...place }: FaultPlace & { readonly workflow: Workflow },
): RecodErrorName {
  const codec = findCodec(workflow);
  // files that are in no container are refused for the same reasons as those of KESSv2 and K-TAG
  return chooseErrorName(codec?.rules.errorNames ?? classicErrors, internalCode, place);
}

/** What replaces `{0}` in the text of an error: its detail or, where that says more than the name, its internal code. */
export function detailOf(
  { internalCode, detail }: { readonly internalCode: InternalCode; readonly detail: string | null },
  { workflow, ...place }: FaultPlace & { readonly workflow: Workflow },
): string | null {
  const rules = findCodec(workflow)?.rules;
  if (detail !== null || !rules?.showsCodes) return detail;
  const { errorNames } = rules;
  return coversSeveral(errorNames, internalCode, place) ? internalCode : null;
}

/** The information that a page shows about a read, each label with its text or null. */
export function labelRead(workflow: Workflow, known: Known): Record<string, string | null> {
  return labelInformation(definitionOf(workflowOf(workflow).family).information, known);
}
