/**
 * Unsaved work on the page: while there is any, the browser asks before it closes the page, and other tabs can detect
 * it.
 */

/**
 * `upload`: a file is being uploaded. `files`: dropped files for which the user must choose a place. `settings`,
 * `retention`, `note`: they were changed and not saved.
 */
export const unsavedKinds = ['upload', 'files', 'settings', 'retention', 'note'] as const;
export type Unsaved = (typeof unsavedKinds)[number];

const held: Unsaved[] = [];
const lockName = (kind: Unsaved): string => `recodery.unsaved.${kind}`;

function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Registers unsaved work of this kind until the returned function is called. A shared lock makes it visible to the
 * other tabs: the lock ends with the tab, even if the tab crashes.
 */
export function registerUnsaved(kind: Unsaved): () => void {
  if (held.length === 0) globalThis.addEventListener?.('beforeunload', askBeforeUnload);
  held.push(kind);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  if (globalThis.navigator?.locks) {
    void navigator.locks.request(lockName(kind), { mode: 'shared' }, () => released);
  }
  return () => {
    release();
    held.splice(held.indexOf(kind), 1);
    if (held.length === 0) globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
  };
}

/** Lets the page close without a question: the user has already confirmed that unsaved work is lost. */
export function discardUnsaved(): void {
  globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
}

/** The kinds of unsaved work in this tab and, if the browser supports locks, in all others. */
export async function findUnsaved(): Promise<readonly Unsaved[]> {
  const inOtherTabs = (await globalThis.navigator?.locks?.query())?.held ?? [];
  return unsavedKinds.filter(
    (kind) => held.includes(kind) || inOtherTabs.some(({ name }) => name === lockName(kind)),
  );
}
