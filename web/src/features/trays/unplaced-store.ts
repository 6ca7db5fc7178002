/**
 * The dropped files that trays did not accept: they stay in this tab while the user visits other pages. While one
 * of them is not assigned to a read, the browser asks before it closes the page.
 */
import { useSyncExternalStore } from 'react';
import { believedCustomerCode } from '../../api/customer-code.ts';
import { registerUnsaved } from '../../ui/unsaved-work.ts';
import type { Unplaced } from './take-files.ts';

const none: readonly Unplaced[] = [];
/** By the GUID of the tray. */
const kept = new Map<string, readonly Unplaced[]>();
const listeners = new Set<() => void>();
/** By the GUID of the tray: ends the question before the page is closed. */
const releases = new Map<string, () => void>();

/** Whether a file is still to be assigned: all but copies of a decoded file, which contain no work. */
export const isUnassigned = ({ match }: Unplaced): boolean => match.at !== 'identical';

/** Changes the files of a tray that were not taken. */
export function changeUnplaced(
  trayGUID: string,
  change: (before: readonly Unplaced[]) => readonly Unplaced[],
): void {
  const next = change(unplacedOf(trayGUID));
  if (next.length === 0) kept.delete(trayGUID);
  else kept.set(trayGUID, next);
  if (!next.some(isUnassigned)) {
    releases.get(trayGUID)?.();
    releases.delete(trayGUID);
  } else if (!releases.has(trayGUID)) {
    releases.set(trayGUID, registerUnsaved('files', believedCustomerCode()));
  }
  for (const listener of listeners) listener();
}

/** The files of a tray that were not taken. */
function unplacedOf(trayGUID: string): readonly Unplaced[] {
  return kept.get(trayGUID) ?? none;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same for a component, which rerenders when they change. */
export function useUnplaced(trayGUID: string): readonly Unplaced[] {
  return useSyncExternalStore(subscribe, () => unplacedOf(trayGUID));
}
