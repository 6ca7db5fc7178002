/** Routes for the drafts of encodes. */
import { getEncodeDraft, putEncodeDraft } from '@recodery/contract/slots';
import type { Kysely } from 'kysely';
import type { Door } from '../http/serve.ts';
import type { Database } from '../postgres/schema.ts';
import { changeDraft, readDraft } from './draft.ts';

/** Registers the draft routes. */
export function serveDrafts(door: Door, { db }: { readonly db: Kysely<Database> }): void {
  door.serve(getEncodeDraft, ({ caller, params }) => readDraft(db, caller, params.slotGUID));
  door.serve(putEncodeDraft, async ({ caller, params, body }) => {
    await changeDraft(db, caller, params.slotGUID, body);
    return undefined;
  });
}
