/**
 * Saves the encode draft of a slot. What a page was still saving when it was closed is kept in the tab: the next page
 * saves it again before it reads the draft, which might otherwise be out of date.
 */
import { putEncodeDraft } from '@recodery/contract/features/slots';
import { call } from '../../../api/call.ts';
import { withCanceled } from '../../../api/canceled-uploads.ts';
import { readSessionId, wasSignedOut } from '../../../api/session-id.ts';
import { isFinal, type SlotDraft } from './draft-saver.ts';

/** Saves a change; the request continues when the page closes. Rejects as `call` does. */
export function saveDraft({ slotGUID, draft }: SlotDraft): Promise<void> {
  return call(
    putEncodeDraft,
    { params: { slotGUID }, body: withCanceled(draft) },
    { keepalive: true },
  );
}

/**
 * Milliseconds for which a change is kept: later, another tab may have changed the draft. After the session has expired,
 * no tab of this browser can, until the user has signed in again.
 */
const longest = { signedIn: 60_000, expired: 600_000 };

const keyOf = (slotGUID: string): string => `recodery.unsaved-draft.${slotGUID}`;

interface Kept {
  readonly draft: SlotDraft['draft'];
  /** When the change expires, in milliseconds since 1970. */
  readonly end: number;
}

/** Keeps a change that the server may not have, because the page is closing; nothing is kept after a sign-out. */
export function keepUnsaved({ slotGUID, draft }: SlotDraft): void {
  const hasEnded = readSessionId() === null;
  if (hasEnded && wasSignedOut()) return;
  const end = Date.now() + longest[hasEnded ? 'expired' : 'signedIn'];
  const kept: Kept = { draft: withCanceled(draft), end };
  sessionStorage.setItem(keyOf(slotGUID), JSON.stringify(kept));
}

/** Forgets the change of a slot that was kept. */
export function forgetUnsaved(slotGUID: string): void {
  sessionStorage.removeItem(keyOf(slotGUID));
}

/** Saves the change of a slot that was kept, if there is one. Rejects if this may succeed later; it is then kept. */
export async function saveUnsaved(slotGUID: string): Promise<void> {
  const text = sessionStorage.getItem(keyOf(slotGUID));
  if (text === null) return;
  const { draft, end }: Kept = JSON.parse(text);
  if (Date.now() < end) {
    await saveDraft({ slotGUID, draft }).catch((thrown: unknown) => {
      if (!isFinal(thrown)) throw thrown;
    });
  }
  forgetUnsaved(slotGUID);
}
