/** The KESS3 utility: unpacks and compacts backups of KESS3 slaves. */
import * as z from 'zod/mini';
import type { WorkflowDefinition } from './family.ts';

export const kess3UtilityWorkflow = {
  family: 'kess3',
  right: 'utility',
  readKind: 'utility-backup',
  encodedKind: 'utility-backup',
} as const satisfies WorkflowDefinition;

/** How records of operations name the way of working, beside their family. */
export const utilityFields = {
  /** True for operations of the KESS3 utility. */
  isUtility: z.boolean(),
};
