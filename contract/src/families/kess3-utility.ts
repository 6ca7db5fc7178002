/** The KESS3 utility: unpacks and compacts backups of KESS3 slaves. */
import * as z from 'zod/mini';
import type { WorkflowDefinition } from './family.ts';

/** The path of its page. */
export const kess3UtilityName = 'kess3-utility' as const;

export const kess3UtilityWorkflow = {
  family: 'kess3',
  right: 'utility',
  readKind: 'utility-backup',
  encodedKind: 'utility-backup',
} as const satisfies WorkflowDefinition;

/** How operation records identify the workflow, in addition to their family. */
export const utilityFields = {
  /** True for operations of the KESS3 utility. */
  isUtility: z.boolean(),
};

/** The fields of {@link utilityFields} for a workflow. */
export function describeWorkflow(workflow: string): { isUtility: boolean } {
  return { isUtility: workflow === kess3UtilityName };
}

/** The workflow of an operation of `family`. */
export function readWorkflow<F extends string>(
  family: F,
  { isUtility }: { readonly isUtility: boolean },
): F | typeof kess3UtilityName {
  return isUtility ? kess3UtilityName : family;
}
