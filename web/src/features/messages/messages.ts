/**
 * The operator's messages in the page's language: polled, and refetched immediately when the stream reports a change.
 */
import { listMessages, type Message, messagePolling } from '@recodery/contract/features/messages';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { rememberSeen, wasSeen } from './seen-messages.ts';

/** The current messages, except those that this browser has closed within the last hour. */
export interface Messages {
  readonly all: readonly Message[];
  readonly unseen: readonly Message[];
}

const key = ['messages'] as const;

/**
 * The messages in a language such as `it-IT`. A message that another tab has closed disappears with the next poll, and
 * reappears with the first poll after its hour.
 */
export function messagesQuery(language: string) {
  return queryOptions({
    queryKey: [...key, language],
    queryFn: async ({ signal }): Promise<Messages> => {
      const query = { i_twoLetterCode: language.slice(0, 2) };
      const all = await call(listMessages, { query }, { signal });
      return { all, unseen: all.filter(({ guid }) => !wasSeen(guid)) };
    },
    refetchInterval: ({ state }) =>
      state.data && state.data.all.length > 0 ? messagePolling.some : messagePolling.none,
    placeholderData: keepPreviousData,
  });
}

/** Closes a message here and, by its cookie, in every tab for an hour. */
export function closeMessage(queries: QueryClient, closed: Message): void {
  rememberSeen(closed.guid);
  queries.setQueriesData<Messages>(
    { queryKey: key },
    (before) =>
      before && { ...before, unseen: before.unseen.filter(({ guid }) => guid !== closed.guid) },
  );
}
