/** The KESS3 utility: unpacks and compacts backups of KESS3 slaves. */
import type { WorkflowDefinition } from './family.ts';

export const kess3UtilityWorkflow = {
  family: 'kess3',
  right: 'utility',
  verbs: 'unpack-compact',
  readKind: 'utility-backup',
  encodedKind: 'utility-backup',
} as const satisfies WorkflowDefinition;
