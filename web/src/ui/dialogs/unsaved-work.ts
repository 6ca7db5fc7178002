/**
 * Unsaved work on the page: while there is any, the browser asks before it closes the page, and other tabs can detect
 * it.
 */

/**
 * `upload`: a file is being uploaded. `import`: an export is being imported. `files`: dropped files for which the user must choose a place. `settings`:
 * they were changed and are kept in the tab. `changes`: of anything else, such as a note, that were not saved.
 */
export const unsavedKinds = ['upload', 'import', 'files', 'settings', 'changes'] as const;
export type Unsaved = (typeof unsavedKinds)[number];

/** `customerCode`: the only one that the work belongs to; null if it belongs to the current one. */
interface Held {
  readonly kind: Unsaved;
  readonly customerCode: string | null;
}

const held: Held[] = [];
let questions = 0;
const lockName = ({ kind, customerCode }: Held): string =>
  `recodery.unsaved.${kind}${customerCode === null ? '' : ` ${customerCode}`}`;

function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Has the browser ask before it closes the page until the returned function is called. */
function askBeforeClosing(): () => void {
  if (questions === 0) globalThis.addEventListener?.('beforeunload', askBeforeUnload);
  questions += 1;
  return () => {
    questions -= 1;
    if (questions === 0) globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
  };
}

/**
 * Registers unsaved work of this kind until the returned function is called. A shared lock makes it visible to the
 * other tabs: the lock ends with the tab, even if the tab crashes.
 * @param customerCode of work that continues while the user works under another code
 */
export function registerUnsaved(kind: Unsaved, customerCode: string | null = null): () => void {
  const work: Held = { kind, customerCode };
  const endQuestion = askBeforeClosing();
  held.push(work);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  if (globalThis.navigator?.locks) {
    void navigator.locks.request(lockName(work), { mode: 'shared' }, () => released);
  }
  return () => {
    release();
    held.splice(held.indexOf(work), 1);
    endQuestion();
  };
}

/**
 * Has the browser ask before it closes the page whenever `isNeeded` returns true after a change, until the returned
 * function is called. Unlike unsaved work, other tabs do not see this.
 */
export function askWhile(
  subscribe: (changed: () => void) => () => void,
  isNeeded: () => boolean,
): () => void {
  let stop: (() => void) | null = null;
  const follow = (isAsked: boolean): void => {
    if (isAsked === (stop !== null)) return;
    stop?.();
    stop = isAsked ? askBeforeClosing() : null;
  };
  const end = subscribe(() => follow(isNeeded()));
  return () => {
    follow(false);
    end();
  };
}

/** Lets the page close without a question: the user has already confirmed that unsaved work is lost. */
export function discardUnsaved(): void {
  globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
}

/**
 * The kinds of unsaved work in this tab and, if the browser supports locks, in all others.
 * @param leaving the customer code that the user is leaving: work of other codes is not affected; absent: all work
 */
export async function findUnsaved(leaving?: string): Promise<readonly Unsaved[]> {
  const inOtherTabs = (await globalThis.navigator?.locks?.query())?.held ?? [];
  const names = [...held.map(lockName), ...inOtherTabs.map(({ name }) => name)];
  const isKind = (name: string | undefined, kind: Unsaved): boolean => {
    const own = lockName({ kind, customerCode: null });
    if (name === own) return true;
    return leaving === undefined
      ? name?.startsWith(`${own} `) === true
      : name === lockName({ kind, customerCode: leaving });
  };
  return unsavedKinds.filter((kind) => names.some((name) => isKind(name, kind)));
}
