/** Routes for the drafts of encodes. */
import { getEncodeDraft, putEncodeDraft } from '@recodery/contract/slots';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/schema.ts';
import { changeDraft, readDraft } from './draft.ts';

/** Registers the draft routes. */
export function serveDrafts(router: Router, { db }: { readonly db: Db }): void {
  router.serve(getEncodeDraft, ({ caller, params }) => readDraft(db, caller, params.slotGUID));
  router.serve(putEncodeDraft, async ({ caller, params, body }) => {
    await changeDraft(db, caller, params.slotGUID, body);
    return undefined;
  });
}
