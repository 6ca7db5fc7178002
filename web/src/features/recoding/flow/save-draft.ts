/**
 * Saves the encode draft of a slot. What a page was still saving when it was closed is kept in the tab: the next page
 * saves it again before it reads the draft, which might otherwise be out of date.
 */
import { draftConflicts, putEncodeDraft } from '@recodery/contract/features/slots';
import { tabHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import type * as z from 'zod/mini';
import { call } from '../../../api/call.ts';
import { withCanceled } from '../../../api/canceled-uploads.ts';
import { readSessionId, wasSignedOut } from '../../../api/session-id.ts';
import { tabName } from '../../../api/tab.ts';
import { isFinal, type UnsavedDraft } from './draft-saver.ts';

function put({ slotGUID, draft }: UnsavedDraft, tab: string): Promise<void> {
  return call(
    putEncodeDraft,
    { params: { slotGUID }, body: withCanceled(draft) },
    { keepalive: true, headers: { [tabHeader]: tab } },
  );
}

/** A change without the fields that others have changed; null: nothing is left. */
function withoutConflicts(
  { slotGUID, draft }: UnsavedDraft,
  { conflicts }: z.infer<typeof draftConflicts>,
): UnsavedDraft | null {
  const { files, ...others } = draft;
  const names = conflicts.map(({ field, part }) => part ?? field);
  const without = <T extends object>(all: T) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
  const rest: UnsavedDraft['draft'] = { ...without(others), files: without(files) };
  const { version: _version, canceled: _canceled, files: left, ...choices } = rest;
  const isEmpty = Object.keys(left).length + Object.keys(choices).length === 0;
  return isEmpty ? null : { slotGUID, draft: rest };
}

/**
 * Saves a change; the request continues when the page closes. Fields that others have changed are left as they are: the
 * others are saved, and it rejects with DRAFT_CHANGED. Otherwise it rejects as `call` does. `tab`: where it was made.
 */
export async function saveDraft(change: UnsavedDraft, tab = tabName()): Promise<void> {
  await put(change, tab).catch(async (thrown: unknown) => {
    const details = thrown instanceof Refusal && thrown.code === 'DRAFT_CHANGED' && thrown.details;
    const conflicts = draftConflicts.safeParse(details);
    const rest = conflicts.success ? withoutConflicts(change, conflicts.data) : null;
    if (rest !== null) await put(rest, tab);
    throw thrown;
  });
}

/**
 * Milliseconds for which a change is kept: later, another tab may have changed the draft. After the session has expired,
 * no tab of this browser can, until the user has signed in again.
 */
const longest = { signedIn: 60_000, expired: 600_000 };

const keyOf = (slotGUID: string): string => `recodery.unsaved-draft.${slotGUID}`;

interface Kept {
  readonly draft: UnsavedDraft['draft'];
  /** The tab before it was reloaded. */
  readonly tab: string;
  /** When the change expires, in milliseconds since 1970. */
  readonly end: number;
}

/** Keeps a change that the server may not have, because the page is closing; nothing is kept after a sign-out. */
export function keepUnsaved({ slotGUID, draft }: UnsavedDraft): void {
  const hasEnded = readSessionId() === null;
  if (hasEnded && wasSignedOut()) return;
  const end = Date.now() + longest[hasEnded ? 'expired' : 'signedIn'];
  const kept: Kept = { draft: withCanceled(draft), tab: tabName(), end };
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
  const { draft, tab, end }: Kept = JSON.parse(text);
  if (Date.now() < end) {
    await saveDraft({ slotGUID, draft }, tab).catch((thrown: unknown) => {
      if (!isFinal(thrown)) throw thrown;
    });
  }
  forgetUnsaved(slotGUID);
}
