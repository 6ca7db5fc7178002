/**
 * Shows a toast for each new notification, once, and marks it as read; operations that this tab already displays are
 * marked as seen instead.
 */
import { type Notification, notificationPolling } from '@recodery/contract/features/notifications';
import { useEffect, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { useIsPageCovered } from '../../ui/dialogs/open-dialogs.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { detailLines, isUnshown, keyOf } from './notification-rules.ts';
import { markRead, useMarkInteracted } from './notifications.ts';
import { jobAddress, outcomeLook, problemOfNotification } from './notification-words.ts';
import { type Here, hereStore, isKnownHere, settleSeen } from './seen-here.ts';

/** If more than this arrive at once (the first sign-in after a weekend), one line summarizes them. */
const mostToasts = 3;

/** Notifications that this tab has already shown; the server records it a moment later. */
const shown = new Set<string>();

function showToasts(
  t: TextOf,
  fresh: readonly Notification[],
  openJob: (address: string) => void,
): void {
  if (fresh.length > mostToasts) {
    showToast({ title: t('notifications.manyNew', { count: fresh.length }) });
    return;
  }
  // The oldest first: the newest then appears in front.
  for (const seen of fresh.toReversed()) {
    const [detail] = detailLines(seen);
    const problem = problemOfNotification(t, seen);
    const job = jobAddress(seen);
    const { state } = outcomeLook(seen);
    showToast({
      title: seen.message,
      tone: state === 'open' ? 'neutral' : state,
      ...(detail === undefined ? {} : { detail }),
      ...(problem === null ? {} : { problem: problem.headline }),
      ...(problem === null || job === null
        ? {}
        : { action: { label: t('job.show'), onAction: () => openJob(job) } }),
    });
  }
}

/** Asks the server to mark what the user has opened in this tab. On failure, retries at the polling interval. */
function useMarkOpenedHere(latest: readonly Notification[] | undefined, here: Here): void {
  // no user waits for it, so without a network it is sent later
  const { mutateAsync: markInteracted } = useMarkInteracted('online');
  useEffect(() => {
    const { toMark, settled } = settleSeen(here, latest ?? []);
    if (settled.length > 0) hereStore.forget(settled);
    if (toMark.length === 0) return;
    const guids = toMark.map(({ guid }) => guid);
    hereStore.mark(guids);
    markInteracted(toMark).catch(() => {
      setTimeout(() => hereStore.unmark(guids), notificationPolling);
    });
  }, [latest, here, markInteracted]);
}

/**
 * Only a page that the user sees shows toasts: while it is hidden, or covered by a dialog, notifications wait. Returns
 * the operations that the tab displays itself.
 */
export function useNewNotifications(latest: readonly Notification[] | undefined): Here {
  const { t } = useTexts();
  const here = useSyncExternalStore(hereStore.subscribe, hereStore.now);
  const isCovered = useIsPageCovered();
  const navigate = useNavigate();
  useMarkOpenedHere(latest, here);
  useEffect(() => {
    const showNew = (): void => {
      if (isCovered || document.visibilityState !== 'visible') return;
      const fresh = (latest ?? []).filter(
        (seen) => isUnshown(seen) && !shown.has(keyOf(seen)) && !isKnownHere(here, seen),
      );
      if (fresh.length === 0) return;
      for (const seen of fresh) shown.add(keyOf(seen));
      showToasts(t, fresh, (address) => void navigate(address));
      // If marking fails now, the notification is shown again after the next page load.
      void Promise.allSettled(fresh.map(markRead));
    };
    showNew();
    document.addEventListener('visibilitychange', showNew);
    return () => document.removeEventListener('visibilitychange', showNew);
  }, [latest, t, here, isCovered, navigate]);
  return here;
}
