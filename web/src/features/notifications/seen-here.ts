/**
 * The operations that this tab displays itself, so that no toast or badge repeats them: the page waits for them, or
 * their file was downloaded automatically. They are marked as seen on the server, which informs the other tabs.
 */
import {
  markAsInteractedBySender,
  type Notification,
} from '@recodery/contract/features/notifications';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { isNew } from './notification-rules.ts';

/**
 * `awaited`: the page waits for it to finish, or shows it while the tab is hidden. `opened`: the user has opened an
 * operation that had finished before, or marking a seen one on the server failed. `marked`: the server was told that
 * the user has seen it.
 */
export type SeenState = 'awaited' | 'opened' | 'marked';
/** By the operation's GUID. */
export type Here = ReadonlyMap<string, SeenState>;

let here: Here = new Map();
const listeners = new Set<() => void>();

function change(guids: readonly string[], state: SeenState | null): void {
  const next = new Map(here);
  for (const guid of guids) {
    if (state === null) next.delete(guid);
    else next.set(guid, state);
  }
  here = next;
  for (const listener of listeners) listener();
}

/** Marking on the server failed: these count as opened again, so that marking is retried. */
function unmark(guids: readonly string[]): void {
  const marked = guids.filter((guid) => here.get(guid) === 'marked');
  if (marked.length > 0) change(marked, 'opened');
}

/** For the bell: the operations that this tab displays itself. */
export const hereStore = {
  now: (): Here => here,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  mark: (guids: readonly string[]): void => change(guids, 'marked'),
  unmark,
  /** Removes entries that the server has recorded: the user is notified of anything new about them. */
  forget: (guids: readonly string[]): void => change(guids, null),
};

/** Suppresses the notification of an operation that the page waits for. */
export function awaitHere(operationGUID: string): void {
  if (!here.has(operationGUID)) change([operationGUID], 'awaited');
}

/** The page no longer shows the operation: the user is notified of what they have not seen. */
export function leaveHere(operationGUID: string): void {
  if (here.get(operationGUID) === 'awaited') change([operationGUID], null);
}

/**
 * Records that the user knows the result of an operation, and reports it to the server. Repeated calls change nothing.
 */
export function seenHere(operationGUID: string): void {
  if (here.get(operationGUID) === 'marked') return;
  change([operationGUID], 'marked');
  // Sent even if the page is being closed. A colleague's operation is not in this user's bell: the server returns not
  // found.
  const asked = { params: { guid: operationGUID } };
  call(markAsInteractedBySender, asked, { keepalive: true }).catch(() => unmark([operationGUID]));
}

/**
 * Records that the user looks at an operation: an awaited operation is now seen; for any other, the bell decides
 * whether it is new.
 */
export function viewHere(operationGUID: string): void {
  const state = here.get(operationGUID);
  if (state === 'awaited') seenHere(operationGUID);
  else if (state === undefined) change([operationGUID], 'opened');
}

/**
 * Whether this tab displays it itself: then neither a toast nor the badge does. An operation that was opened after it
 * had finished may be shown without the status of its email, for example when its read no longer exists.
 */
export function isKnownHere(shown: Here, { isSent, guid, mail }: Notification): boolean {
  const state = isSent ? shown.get(guid) : undefined;
  return state !== undefined && (state !== 'opened' || mail === null);
}

/** The effect of the latest notifications: which to mark as seen, and which operations have nothing new left. */
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

/** While a page waits for an operation, no toast shows it; once the user can see its result here, it counts as seen. */
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
      viewHere(guid);
      stop();
    };
    document.addEventListener('visibilitychange', look);
    look();
    return stop;
  }, [guid, hasEnded]);
}
