/** Which workflows have texts that override shared ones. */
import type { FamilyDefinition, Verbs } from '@recodery/contract/families/family';
import { definitionOf, type Workflow, workflowOf } from '@recodery/contract/families/registry';
import type { OwnTexts } from './texts.ts';

const ownWordsByVerbs: Readonly<Record<Verbs, OwnTexts>> = {
  'decode-encode': null,
  'unpack-compact': 'recoding.utility',
};

/** The key prefix of the texts that override the shared ones for a workflow; null: none. For the context `OwnWords`. */
export function ownWordsOf(workflow: Workflow): OwnTexts {
  const { family, verbs } = workflowOf(workflow);
  const { sealing }: FamilyDefinition = definitionOf(family);
  return sealing === undefined ? ownWordsByVerbs[verbs] : 'recoding.maker';
}
