/** Routes for the drafts of encodes. */
import { getEncodeDraft, putEncodeDraft } from '@recodery/contract/slots';
import type { Door } from '../http/serve.ts';
import type { Db } from '../postgres/schema.ts';
import { changeDraft, readDraft } from './draft.ts';

/** Registers the draft routes. */
export function serveDrafts(door: Door, { db }: { readonly db: Db }): void {
  door.serve(getEncodeDraft, ({ caller, params }) => readDraft(db, caller, params.slotGUID));
  door.serve(putEncodeDraft, async ({ caller, params, body }) => {
    await changeDraft(db, caller, params.slotGUID, body);
    return undefined;
  });
}
