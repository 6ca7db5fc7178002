/** The operators' messages to all users as a resource of the administration. */
import type { AnyValues } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import type { Clock } from '../../config/clock.ts';
import {
  addMessage,
  changeMessage,
  listAllMessages,
  type NewMessage,
  removeMessage,
} from '../../messages/messages.ts';
import { isPeriod, readMessageText } from '../../messages/message-rules.ts';
import type { KeptStore } from '../records/kept-records.ts';
import { textIn } from '../records/resource-store.ts';
import { readTime, timeErrors } from './times.ts';

/** The message of a form without errors. */
function messageOf(values: AnyValues): NewMessage {
  return {
    language: textIn(values, 'language'),
    text: readMessageText(textIn(values, 'text')) ?? '',
    shownFrom: readTime(values, 'shownFrom'),
    shownTo: readTime(values, 'shownTo'),
  };
}

export function openMessages({ clock }: { readonly clock: Clock }): KeptStore {
  return {
    declared: resources.messages,
    read: async (db) =>
      new Map(
        (await listAllMessages(db)).map(({ guid, shownFrom, shownTo, ...message }) => [
          guid,
          {
            ...message,
            shownFrom: shownFrom.toISOString(),
            shownTo: shownTo?.toISOString() ?? null,
          },
        ]),
      ),
    findErrors(values) {
      const wrong = timeErrors(values, ['shownFrom', 'shownTo']);
      if (Object.keys(wrong).length > 0) return wrong;
      const [from, to] = [readTime(values, 'shownFrom'), readTime(values, 'shownTo')];
      return {
        ...(readMessageText(textIn(values, 'text')) === null ? { text: 'INVALID' as const } : {}),
        ...(isPeriod(from, to, clock.now()) ? {} : { shownTo: 'ENDS_BEFORE' as const }),
      };
    },
    create: (trx, values) => addMessage(trx, messageOf(values)),
    update: (trx, guid, values) => changeMessage(trx, guid, messageOf(values)),
    async remove(trx, guid) {
      await removeMessage(trx, guid);
      return {};
    },
  };
}
