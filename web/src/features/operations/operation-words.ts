/** How an operation's outcome is said in a word, and in which colour. */
import type { OperationSummary } from '@recodery/contract/operations';
import type { TextKey } from '../../i18n/texts.ts';
import type { BadgeState } from '../../ui/badge.tsx';

/** The word and the state of an operation's badge. */
export function outcomeOf({
  asyncOperationType,
  status,
}: Pick<OperationSummary, 'asyncOperationType' | 'status'>): { text: TextKey; state: BadgeState } {
  const isDecode = asyncOperationType.endsWith('Decode');
  switch (status) {
    case 'succeeded':
      return { text: isDecode ? 'operation.decoded' : 'operation.encoded', state: 'good' };
    case 'failed':
      return { text: isDecode ? 'operation.notDecoded' : 'operation.notEncoded', state: 'bad' };
    case 'waiting':
    case 'running':
      return { text: isDecode ? 'operation.decoding' : 'operation.encoding', state: 'neutral' };
  }
}
