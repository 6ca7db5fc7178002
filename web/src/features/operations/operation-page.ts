/** Which page opens an operation; decided here alone. */
import { readWorkflow } from '@recodery/contract/families/kess3-utility';
import { describeOperationType, type Workflow } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/operations';

/** The page that continues an operation or shows its result: a utility has its family's operations, but a page of its own. */
export function pageOfOperation(
  operation: Pick<Operation, 'asyncOperationType' | 'isUtility'>,
): Workflow {
  const { family } = describeOperationType(operation.asyncOperationType);
  return readWorkflow(family, operation);
}
