/** The text and color for an operation's result. */
import { describeOperationType, workflowOf } from '@recodery/contract/families/registry';
import type { OperationSummary } from '@recodery/contract/features/operations';
import type { TextKey } from '../../i18n/texts.ts';
import type { BadgeState } from '../../ui/badge.tsx';
import { pageOfOperation } from '../operations/operation-page.ts';

/** The texts of an operation: while it is running, after success and after failure. */
type Words = readonly [goesOn: TextKey, succeeded: TextKey, failed: TextKey];

const decode: Words = ['operation.decoding', 'operation.decoded', 'operation.notDecoded'];
const encode: Words = ['operation.encoding', 'operation.encoded', 'operation.notEncoded'];
const unpack: Words = ['operation.unpacking', 'operation.unpacked', 'operation.notUnpacked'];
const compact: Words = ['operation.compacting', 'operation.compacted', 'operation.notCompacted'];

const wordsByRight = { recod: [decode, encode], utility: [unpack, compact] } as const;

/** The text and state of an operation's badge. */
export function outcomeOf(
  operation: Pick<OperationSummary, 'asyncOperationType' | 'isUtility' | 'status'>,
): {
  text: TextKey;
  state: BadgeState;
} {
  const { isDecode } = describeOperationType(operation.asyncOperationType);
  const [opening, closing] = wordsByRight[workflowOf(pageOfOperation(operation)).right];
  const [goesOn, succeeded, failed] = isDecode ? opening : closing;
  switch (operation.status) {
    case 'succeeded':
      return { text: succeeded, state: 'good' };
    case 'failed':
      return { text: failed, state: 'bad' };
    case 'waiting':
    case 'running':
      return { text: goesOn, state: 'neutral' };
  }
}
