/** The names of workflows and of their pages, which contain the name of the family. */
import { definitionOf, type Workflow, workflowOf } from '@recodery/contract/families/registry';
import type { TextOf } from '../../../i18n/texts.ts';

/** The name of a workflow in menus. */
export function workflowName(t: TextOf, id: Workflow): string {
  const { family, right } = workflowOf(id);
  const { name } = definitionOf(family);
  return right === 'utility' ? t('menu.utility', { name }) : name;
}

/** The title of a workflow's page. */
export function workflowTitle(t: TextOf, id: Workflow): string {
  const name = workflowName(t, id);
  return workflowOf(id).right === 'utility' ? name : t('page.family', { name });
}
