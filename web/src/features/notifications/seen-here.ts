/**
 * What this tab shows the user itself, so that no toast or badge repeats it: an operation that the page waits for, or
 * whose file was downloaded automatically. It is marked as seen on the server, which passes it on to the other tabs.
 */
import { markAsInteractedBySender, type Notification } from '@recodery/contract/notifications';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { isNew } from './notification-rules.ts';

/**
 * `awaited`: the page waits for its end, or shows it while the tab is hidden. `opened`: the user has opened an operation
 * that had ended before, or the server could not be told of one that was seen. `marked`: the server was told that the user has seen it.
 */
export type Standing = 'awaited' | 'opened' | 'marked';
/** By the operation's GUID. */
export type Here = ReadonlyMap<string, Standing>;

let here: Here = new Map();
const listeners = new Set<() => void>();

function change(guids: readonly string[], standing: Standing | null): void {
  const next = new Map(here);
  for (const guid of guids) {
    if (standing === null) next.delete(guid);
    else next.set(guid, standing);
  }
  here = next;
  for (const listener of listeners) listener();
}

/** The server could not be told: these count as opened again, so that they are marked once more. */
function unmark(guids: readonly string[]): void {
  const marked = guids.filter((guid) => here.get(guid) === 'marked');
  if (marked.length > 0) change(marked, 'opened');
}

/** For the bell: the operations that this tab shows itself. */
export const hereStore = {
  now: (): Here => here,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  mark: (guids: readonly string[]): void => change(guids, 'marked'),
  unmark,
  /** Forgets what the server knows: if something new happens to it, the user hears of it. */
  forget: (guids: readonly string[]): void => change(guids, null),
};

/** Withholds the notification of an operation that the page waits for. */
export function awaitHere(operationGUID: string): void {
  if (!here.has(operationGUID)) change([operationGUID], 'awaited');
}

/** The page no longer shows the operation: what the user has not seen of it is told. */
export function leaveHere(operationGUID: string): void {
  if (here.get(operationGUID) === 'awaited') change([operationGUID], null);
}

/** Notes that the user knows how an operation ended, and tells the server. Doing it again changes nothing. */
export function seenHere(operationGUID: string): void {
  if (here.get(operationGUID) === 'marked') return;
  change([operationGUID], 'marked');
  // Also when the page is left at this moment. A colleague's operation is in no bell of this user: it is not found.
  const asked = { params: { guid: operationGUID } };
  call(markAsInteractedBySender, asked, { keepalive: true }).catch(() => unmark([operationGUID]));
}

/** Notes that the user looks at an operation: one that was awaited is seen, of another only the bell knows what is new. */
export function lookAt(operationGUID: string): void {
  const standing = here.get(operationGUID);
  if (standing === 'awaited') seenHere(operationGUID);
  else if (standing === undefined) change([operationGUID], 'opened');
}

/**
 * Whether this tab shows it itself: then neither a toast nor the badge does. A page that was opened later does not show
 * what became of the mail.
 */
export function isKnownHere(shown: Here, { isSent, guid, mail }: Notification): boolean {
  const standing = isSent ? shown.get(guid) : undefined;
  return standing !== undefined && (standing !== 'opened' || mail === null);
}

/** What the latest notifications settle: those to mark as seen, and the operations of which nothing is new any more. */
export function settleSeen(shown: Here, latest: readonly Notification[]) {
  const known = latest.filter(
    (one) => isKnownHere(shown, one) && shown.get(one.guid) !== 'awaited',
  );
  return {
    toMark: known.filter((one) => isNew(one) && shown.get(one.guid) === 'opened'),
    settled: known.filter((one) => !isNew(one)).map(({ guid }) => guid),
  };
}

/** The operation that a page shows. */
export interface OnShow {
  readonly guid: string;
  readonly hasEnded: boolean;
}

/** While a page waits for an operation no toast tells of it; once the user can see its end here, it counts as seen. */
export function useShownHere(onShow: OnShow | null): void {
  const guid = onShow?.guid ?? null;
  const hasEnded = onShow?.hasEnded ?? false;
  useEffect(() => (guid === null ? undefined : () => leaveHere(guid)), [guid]);
  useEffect(() => {
    if (guid === null) return;
    if (!hasEnded) {
      awaitHere(guid);
      return;
    }
    const stop = (): void => document.removeEventListener('visibilitychange', look);
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      lookAt(guid);
      stop();
    };
    document.addEventListener('visibilitychange', look);
    look();
    return stop;
  }, [guid, hasEnded]);
}
