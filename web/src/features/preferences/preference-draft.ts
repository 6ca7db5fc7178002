/** Keeps what was changed on the settings page and not saved: it outlives a visit to another page, and a reload. */
import { describeNameFormats } from '@recodery/contract/families/registry';
import { autoSendActions } from '@recodery/contract/recoding';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import type { PreferenceDraft } from './preference-values.ts';

const shape = z.object({
  ...describeNameFormats(() => z.optional(z.string())),
  action: z.optional(z.nullable(z.enum(autoSendActions))),
  isPrivate: z.optional(z.nullable(z.boolean())),
});

/** In this tab, for each customer code apart. */
const keyOf = (customerCode: string): string => `recodery.settings.${customerCode}`;

function keptDraft(customerCode: string): PreferenceDraft {
  // an older version may have kept another shape
  const kept = z.safeParse(shape, JSON.parse(sessionStorage.getItem(keyOf(customerCode)) ?? '{}'));
  return kept.success ? kept.data : {};
}

/** The entries of a draft that are not those of another. */
function without(draft: PreferenceDraft, other: PreferenceDraft): PreferenceDraft {
  const left = Object.entries(draft).filter(
    ([name, value]) => value !== other[name as keyof PreferenceDraft],
  );
  return Object.fromEntries(left);
}

/**
 * The draft of this tab, how to change it, and how to forget what was saved of it: what was changed meanwhile stays.
 * The caller is drawn anew for another customer code.
 */
export function usePreferenceDraft(customerCode: string) {
  const [draft, setDraft] = useState(() => keptDraft(customerCode));
  useEffect(() => {
    sessionStorage.setItem(keyOf(customerCode), JSON.stringify(draft));
  }, [customerCode, draft]);
  const change = (next: PreferenceDraft): void => setDraft((now) => ({ ...now, ...next }));
  const forget = (saved: PreferenceDraft): void => setDraft((now) => without(now, saved));
  return { draft, change, forget };
}
