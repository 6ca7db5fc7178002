/** The text and color for an operation's result. */
import { describeOperationType } from '@recodery/contract/families/registry';
import type { OperationSummary } from '@recodery/contract/features/operations';
import type { TextKey } from '../../i18n/texts.ts';
import type { BadgeState } from '../../ui/display/badge.tsx';

/** The texts of an operation: while it is running, after success and after failure. */
type Words = readonly [goesOn: TextKey, succeeded: TextKey, failed: TextKey];

const decode: Words = ['operation.decoding', 'operation.decoded', 'operation.notDecoded'];
const encode: Words = ['operation.encoding', 'operation.encoded', 'operation.notEncoded'];

/** The text and state of an operation's badge; a workflow may have its own words for the text. */
export function outcomeOf(operation: Pick<OperationSummary, 'asyncOperationType' | 'status'>): {
  text: TextKey;
  state: BadgeState;
} {
  const { isDecode } = describeOperationType(operation.asyncOperationType);
  const [goesOn, succeeded, failed] = isDecode ? decode : encode;
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
