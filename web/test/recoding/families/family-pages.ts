/** The pages of all workflows, loaded as the router loads them. */
import { type Workflow, workflows } from '@recodery/contract/families/registry';
import type { FamilyPage } from '../../../src/features/recoding/families/family-page.ts';
import { loadPage } from '../../../src/features/recoding/families/registry.ts';

export const familyPages = Object.fromEntries(
  await Promise.all(workflows.map(async (id) => [id, await loadPage(id)] as const)),
) as Readonly<Record<Workflow, FamilyPage>>;
