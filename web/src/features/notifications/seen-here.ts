/**
 * What this tab shows the user itself, so that no toast or badge repeats it: an operation that the page waits for or
 * shows the result of, or whose file was downloaded automatically. The bell marks it as seen on the server, which
 * passes it on to the user's other tabs.
 */
import type { Notification } from '@recodery/contract/notifications';
import { useEffect } from 'react';
import { isNew } from './notification-rules.ts';

/**
 * `awaited`: the page waits for its end, or shows it while the tab is hidden. `seen`: the user knows the end.
 * `marked`: the server is being told.
 */
export type Standing = 'awaited' | 'seen' | 'marked';
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

/** For the bell: the operations that this tab shows itself. */
export const hereStore = {
  now: (): Here => here,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Notes that the server is being told of these. */
  mark: (guids: readonly string[]): void => change(guids, 'marked'),
  /** Forgets what the server knows: if something new happens to it, the user hears of it. */
  forget: (guids: readonly string[]): void => change(guids, null),
};

/** Withholds the notification of an operation that the page shows. Call the returned function when it no longer does. */
export function awaitHere(operationGUID: string): () => void {
  if (!here.has(operationGUID)) change([operationGUID], 'awaited');
  return () => {
    if (here.get(operationGUID) === 'awaited') change([operationGUID], null);
  };
}

/** Notes that the user knows how an operation ended. Doing it again changes nothing. */
export function seenHere(operationGUID: string): void {
  if (here.get(operationGUID) !== 'marked') change([operationGUID], 'seen');
}

/** Whether this tab shows it itself: then neither a toast nor the badge does. */
export function isKnownHere(shown: Here, { isSent, guid }: Notification): boolean {
  return isSent && shown.has(guid);
}

/** Notifications to mark as seen on the server, and operations that the server has marked since. */
export function settleSeen(shown: Here, latest: readonly Notification[]) {
  const known = latest.filter(
    (one) => isKnownHere(shown, one) && shown.get(one.guid) !== 'awaited',
  );
  return {
    toMark: known.filter((one) => isNew(one) && shown.get(one.guid) === 'seen'),
    settled: known.filter((one) => !isNew(one)).map(({ guid }) => guid),
  };
}

/** The operation that a page shows. */
export interface OnShow {
  readonly guid: string;
  readonly hasEnded: boolean;
}

/** While a page shows an operation no toast tells of it; once the user can see its end here, it counts as seen. */
export function useShownHere(onShow: OnShow | null): void {
  const guid = onShow?.guid ?? null;
  const hasEnded = onShow?.hasEnded ?? false;
  useEffect(() => (guid === null ? undefined : awaitHere(guid)), [guid]);
  useEffect(() => {
    if (guid === null || !hasEnded) return;
    const stop = (): void => document.removeEventListener('visibilitychange', look);
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      seenHere(guid);
      stop();
    };
    document.addEventListener('visibilitychange', look);
    look();
    return stop;
  }, [guid, hasEnded]);
}
