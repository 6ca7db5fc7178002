/**
 * Saves the encode draft of a slot. What a page was still saving when it was closed is kept in the tab: the next page
 * saves it again before it reads the draft, which might otherwise be out of date.
 */
import { draftConflicts } from '@recodery/contract/features/recoding/draft-changes';
import { putEncodeDraft } from '@recodery/contract/features/slots';
import { tabHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import type * as z from 'zod/mini';
import type { Call } from '../../../../api/call.ts';
import { readSessionId, wasSignedOut } from '../../../../api/session-id.ts';
import { tabName } from '../../../../api/tab.ts';
import { tellCanceled } from '../cancel-uploads.ts';
import { isFinal, type UnsavedDraft } from './draft-saver.ts';

/** A change without the fields that others have changed, and notes about their files; null: nothing is left. */
function withoutConflicts(
  { slotGUID, draft }: UnsavedDraft,
  { conflicts }: z.infer<typeof draftConflicts>,
): UnsavedDraft | null {
  const { files, refused = {}, ...others } = draft;
  const names = conflicts.map(({ field, part }) => part ?? field);
  const without = <T extends object>(all: T) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
  const notes = without(refused);
  const noted = Object.keys(notes).length === 0 ? {} : { refused: notes };
  const rest: UnsavedDraft['draft'] = { ...without(others), files: without(files), ...noted };
  const { version: _version, files: left, ...choices } = rest;
  const isEmpty = Object.keys(left).length + Object.keys(choices).length === 0;
  return isEmpty ? null : { slotGUID, draft: rest };
}

/** What the server may not have when a page closes: a change (null: none), and the names of canceled uploads. */
export interface KeptWork {
  readonly slotGUID: string;
  readonly draft: UnsavedDraft['draft'] | null;
  readonly canceled: readonly string[];
}

/**
 * Milliseconds for which a change is kept: later, another tab may have changed the draft. After the session has expired,
 * no tab of this browser can, until the user has signed in again.
 */
const longest = { signedIn: 60_000, expired: 600_000 };

const keyOf = (slotGUID: string): string => `recodery.unsaved-draft.${slotGUID}`;

interface Kept extends Omit<KeptWork, 'slotGUID'> {
  /** The tab before it was reloaded. */
  readonly tab: string;
  /** When the change expires, in milliseconds since 1970. */
  readonly end: number;
}

type Stored = Omit<Kept, 'canceled'> & Partial<Kept>;

/**
 * Keeps what the server may not have, because the page is closing; nothing is kept after a sign-out. A change that was
 * kept before stays if there is no later one: pages and canceled uploads of a slot are kept one after the other.
 */
export function keepUnsaved({ slotGUID, draft, canceled }: KeptWork): void {
  const hasEnded = readSessionId() === null;
  if (hasEnded && wasSignedOut()) return;
  const end = Date.now() + longest[hasEnded ? 'expired' : 'signedIn'];
  const before = draft === null ? keptOf(slotGUID) : null;
  const names = [...new Set([...(before?.canceled ?? []), ...canceled])];
  const kept: Kept = { draft, tab: tabName(), end, ...before, canceled: names };
  sessionStorage.setItem(keyOf(slotGUID), JSON.stringify(kept));
}

/** What is kept of a slot; null: nothing. */
function keptOf(slotGUID: string): Stored | null {
  const text = sessionStorage.getItem(keyOf(slotGUID));
  // Written by `keepUnsaved`.
  return text === null ? null : (JSON.parse(text) as Stored);
}

/** Forgets the change of a slot that was kept, but not which uploads were canceled. */
export function forgetUnsaved(slotGUID: string): void {
  const kept = keptOf(slotGUID);
  if (kept === null) return;
  const others: Stored = { ...kept, draft: null };
  if ((kept.canceled ?? []).length === 0) sessionStorage.removeItem(keyOf(slotGUID));
  else sessionStorage.setItem(keyOf(slotGUID), JSON.stringify(others));
}

/** Saves drafts with these calls. */
export function draftCalls(call: Call) {
  const put = ({ slotGUID, draft }: UnsavedDraft, tab: string): Promise<void> => {
    const options = { keepalive: true, headers: { [tabHeader]: tab } };
    return call(putEncodeDraft, { params: { slotGUID }, body: draft }, options);
  };
  const save = async (change: UnsavedDraft, tab: string): Promise<void> => {
    await put(change, tab).catch(async (thrown: unknown) => {
      const details =
        thrown instanceof Refusal && thrown.code === 'DRAFT_CHANGED' && thrown.details;
      const conflicts = draftConflicts.safeParse(details);
      const rest = conflicts.success ? withoutConflicts(change, conflicts.data) : null;
      if (rest !== null) await put(rest, tab);
      throw thrown;
    });
  };
  return {
    /**
     * Saves a change; the request continues when the page closes. Fields that others have changed are left as they are:
     * the others are saved, and it rejects with DRAFT_CHANGED. Otherwise it rejects as `call` does.
     */
    save: (change: UnsavedDraft): Promise<void> => save(change, tabName()),
    /** Saves what was kept of a slot, if there is anything. Rejects if this may succeed later; it is then kept. */
    async saveKept(slotGUID: string): Promise<void> {
      const kept = keptOf(slotGUID);
      if (kept === null) return;
      // a page of an older version keeps no names
      const { draft, canceled = [], tab, end } = kept;
      // a name is canceled whatever other tabs have changed meanwhile
      for (const name of canceled) await tellCanceled(call, { slotGUID, name }, tab);
      if (Date.now() < end) {
        const change = draft && save({ slotGUID, draft }, tab);
        await change?.catch((thrown: unknown) => {
          if (!isFinal(thrown)) throw thrown;
        });
      }
      sessionStorage.removeItem(keyOf(slotGUID));
    },
  };
}

export type DraftCalls = ReturnType<typeof draftCalls>;
