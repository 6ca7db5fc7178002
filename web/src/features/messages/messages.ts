/** The operator's messages in the page's language: asked for again and again, and at once when the stream says that they have changed. */
import { listMessages, type Message, message, messagePolling } from '@recodery/contract/messages';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../api/call.ts';
import { onEvent } from '../../api/events.ts';
import { rememberSeen, wasSeen } from './seen-messages.ts';

/** What is in force, and what of it this browser has not closed within the last hour. */
export interface Messages {
  readonly all: readonly Message[];
  readonly unseen: readonly Message[];
}

const key = ['messages'] as const;

/** The messages in a language such as `it-IT`. A message that another tab has closed goes with the next look, and comes back with the first one after its hour. */
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

/** Asks anew when the stream tells of a change; its words may be in another tab's language. Gives back how to stop. */
export function hearMessages(queries: QueryClient): () => void {
  return onEvent(
    'message',
    z.array(message),
    () => void queries.invalidateQueries({ queryKey: key }),
  );
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
