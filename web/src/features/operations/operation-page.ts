/** Which page opens an operation; decided here alone. */
import { type Operation, operationFamilies } from '@recodery/contract/operations';
import type { Entries } from '@recodery/contract/session';

/** The page that continues an operation or shows its result: the utility has the family's operations, but a page of its own. */
export function pageOfOperation({
  asyncOperationType,
  isUtility,
}: Pick<Operation, 'asyncOperationType' | 'isUtility'>): keyof Entries {
  return isUtility ? 'kess3-utility' : operationFamilies[asyncOperationType];
}
