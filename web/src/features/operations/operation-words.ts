/** How an operation's outcome is said in a word, and in which colour. */
import type { OperationSummary } from '@recodery/contract/operations';
import type { TextKey } from '../../i18n/texts.ts';
import type { BadgeState } from '../../ui/badge.tsx';

/** What is said of an operation while it goes on, after success and after failure. */
type Words = readonly [goesOn: TextKey, succeeded: TextKey, failed: TextKey];

const decode: Words = ['operation.decoding', 'operation.decoded', 'operation.notDecoded'];
const encode: Words = ['operation.encoding', 'operation.encoded', 'operation.notEncoded'];
const unpack: Words = ['operation.unpacking', 'operation.unpacked', 'operation.notUnpacked'];
const compact: Words = ['operation.compacting', 'operation.compacted', 'operation.notCompacted'];

/** The word and the state of an operation's badge. */
export function outcomeOf({
  asyncOperationType,
  isUtility,
  status,
}: Pick<OperationSummary, 'asyncOperationType' | 'isUtility' | 'status'>): {
  text: TextKey;
  state: BadgeState;
} {
  const isDecode = asyncOperationType.endsWith('Decode');
  const [opening, closing] = isUtility ? [unpack, compact] : [decode, encode];
  const [goesOn, succeeded, failed] = isDecode ? opening : closing;
  switch (status) {
    case 'succeeded':
      return { text: succeeded, state: 'good' };
    case 'failed':
      return { text: failed, state: 'bad' };
    case 'waiting':
    case 'running':
      return { text: goesOn, state: 'neutral' };
  }
}
