/** Maps an operation to the page that opens it; no other module decides this. */
import {
  describeOperationType,
  readWorkflow,
  type Workflow,
  type WorkflowFields,
} from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';

/**
 * The page that continues an operation or shows its result: a utility uses its family's operations, but has its own
 * page.
 */
export function pageOfOperation(
  operation: Pick<Operation, 'asyncOperationType'> & WorkflowFields,
): Workflow {
  const { family } = describeOperationType(operation.asyncOperationType);
  return readWorkflow(family, operation);
}
