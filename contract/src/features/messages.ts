/** The operator's messages to all users, by language. */
import * as z from 'zod/mini';
import { guid, json, route } from '../api.ts';

/** Polling intervals for messages in milliseconds: while there are some, and while there are none. */
export const messagePolling = { some: 15_000, none: 60_000 } as const;
/** Seconds for which a dismissed message stays hidden. */
export const messageSeenSeconds = 3600;

/** Maximum characters of a message: every page shows it as a banner. */
export const longestMessage = 500;

export const message = z.object({ guid, text: z.string() });
export type Message = z.infer<typeof message>;

export const listMessages = route('GET', '/api/comunication-messages/message', {
  summary: 'Lists the current messages in a language, or the English ones if it has none.',
  access: 'session',
  query: z.object({ i_twoLetterCode: z.optional(z.string()) }),
  answer: json(z.array(message)),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});
