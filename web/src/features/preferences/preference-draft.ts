/** Stores unsaved changes of the settings page: they survive visits to other pages and a reload. */
import { autoSendActions } from '@recodery/contract/features/recoding/recoding';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { byTextField, type PreferenceDraft } from './preference-values.ts';

const shape = z.object({
  ...byTextField(() => z.optional(z.string())),
  action: z.optional(z.nullable(z.enum(autoSendActions))),
  isPrivate: z.optional(z.nullable(z.boolean())),
});

/** Stored in this tab, separately for each customer code. */
const keyOf = (customerCode: string): string => `recodery.settings.${customerCode}`;

function keptDraft(customerCode: string): PreferenceDraft {
  // an older version may have stored a different shape
  const kept = z.safeParse(shape, JSON.parse(sessionStorage.getItem(keyOf(customerCode)) ?? '{}'));
  return kept.success ? kept.data : {};
}

/** The entries of a draft that differ from another draft. */
function without(draft: PreferenceDraft, other: PreferenceDraft): PreferenceDraft {
  const left = Object.entries(draft).filter(
    ([name, value]) => value !== other[name as keyof PreferenceDraft],
  );
  return Object.fromEntries(left);
}

/**
 * The draft after a change, without what equals the saved values: what the user changed back is not unsaved, and would
 * overwrite what others save. While a save is running, `saved` is null and everything is kept.
 */
export function withPreference(
  draft: PreferenceDraft,
  next: PreferenceDraft,
  saved: PreferenceDraft | null,
): PreferenceDraft {
  return without({ ...draft, ...next }, saved ?? {});
}

/**
 * The draft of this tab, a function to change it, and a function to remove what was saved: later changes stay. The
 * caller is remounted for another customer code.
 */
export function usePreferenceDraft(customerCode: string) {
  const [draft, setDraft] = useState(() => keptDraft(customerCode));
  useEffect(() => {
    sessionStorage.setItem(keyOf(customerCode), JSON.stringify(draft));
  }, [customerCode, draft]);
  const change = (next: PreferenceDraft, saved: PreferenceDraft | null): void =>
    setDraft((now) => withPreference(now, next, saved));
  const forget = (saved: PreferenceDraft): void => setDraft((now) => without(now, saved));
  return { draft, change, forget };
}
