/**
 * The uploads that this tab has canceled. The server may already have their files, and keeps them unless the next draft
 * names these uploads. An upload whose page was only closed is kept.
 */
import type { EncodeDraftChange } from '@recodery/contract/features/slots';

/** The names in the headers of the uploads, oldest first. */
const names: string[] = [];

/** Notes that the user has canceled an upload. */
export const noteCanceled = (name: string): void => void names.push(name);

/** Adds the most recently canceled uploads to a change of a draft. */
export function withCanceled(draft: EncodeDraftChange): EncodeDraftChange {
  const canceled = [...(draft.canceled ?? []), ...names].slice(-20);
  return canceled.length === 0 ? draft : { ...draft, canceled };
}
