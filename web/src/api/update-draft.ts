/**
 * Changes some fields of a slot's draft, in place of the page that shows it. Others may change the same draft at any time:
 * only the named fields are sent, and a change of the same field that was saved meanwhile is never overwritten.
 */
import {
  type EncodeDraftChange,
  getEncodeDraft,
  putEncodeDraft,
  type SlotDraft,
} from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import type { Call } from './call.ts';

/** The fields of a draft to change. */
export type DraftFields = Omit<EncodeDraftChange, 'version'>;

/** Attempts, because others may change the same field each time. */
const mostAttempts = 5;

const isOvertaken = (thrown: unknown): boolean =>
  thrown instanceof Refusal && thrown.code === 'DRAFT_CHANGED';

/**
 * Changes fields of the draft of a slot. `next` returns them for the draft that the server has, null if nothing is to be
 * changed; it is called again if others have changed one of these fields in the meantime. Rejects as `call` does.
 */
export async function updateDraft(
  call: Call,
  slotGUID: string,
  next: (draft: SlotDraft) => DraftFields | null | Promise<DraftFields | null>,
): Promise<void> {
  const params = { slotGUID };
  for (let attempt = 1; ; attempt += 1) {
    const draft = await call(getEncodeDraft, { params });
    const fields = await next(draft);
    if (fields === null) return;
    // without the name of the tab: changes of a page in this tab are not to be overwritten either
    const body = { ...fields, version: draft.version };
    try {
      return await call(putEncodeDraft, { params, body }, { keepalive: true });
    } catch (thrown) {
      if (!isOvertaken(thrown) || attempt === mostAttempts) throw thrown;
    }
  }
}
