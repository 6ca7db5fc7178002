/** Which workflows have texts that override shared ones. */
import type { Verbs } from '@recodery/contract/families/family';
import { type Workflow, workflowOf } from '@recodery/contract/families/registry';
import type { OwnTexts } from './texts.ts';

const ownWordsByVerbs: Readonly<Record<Verbs, OwnTexts>> = {
  'decode-encode': null,
  'unpack-compact': 'recoding.utility',
};

/** The key prefix of the texts that override the shared ones for a workflow; null: none. For the context `OwnWords`. */
export function ownWordsOf(workflow: Workflow): OwnTexts {
  return ownWordsByVerbs[workflowOf(workflow).verbs];
}
