/** The route for the operator's messages. */
import { listMessages } from '@recodery/contract/features/messages';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { listShownMessages } from './messages.ts';

/** Registers the route; every session can read the messages, even without access to the portal. */
export function serveMessages(router: Router, { db }: { readonly db: Db }): void {
  router.serve(listMessages, async ({ query }) => [
    ...(await listShownMessages(db, query.i_twoLetterCode)),
  ]);
}
