/** Routes for the operator's messages. */
import { listMessages } from '@recodery/contract/messages';
import type { Door } from '../http/serve.ts';
import type { Db } from '../postgres/schema.ts';
import { listShownMessages } from './messages.ts';

/** Registers the message routes; every session can read them, even without access to the portal. */
export function serveMessages(door: Door, { db }: { readonly db: Db }): void {
  door.serve(listMessages, async ({ query }) => [
    ...(await listShownMessages(db, query.i_twoLetterCode)),
  ]);
}
