/** Whether a dialog covers the page. */
import { useSyncExternalStore } from 'react';

let count = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1): void {
  count += by;
  for (const listener of listeners) listener();
}

/** Counts a dialog from now on. Returns the function that ends this. */
export function coverPage(): () => void {
  change(1);
  return () => change(-1);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a dialog is open; rerenders when that changes. */
export function useIsPageCovered(): boolean {
  return useSyncExternalStore(subscribe, () => count > 0);
}
