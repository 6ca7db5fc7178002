/**
 * The effect of a click on a notification: it marks the notification, and downloads its file or, without one, opens its
 * job.
 */
import { trueTime } from '../../api/server-clock.ts';
import type { Notification } from '@recodery/contract/features/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { startDownload } from '../../api/download.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { showFailure, showToast } from '../../ui/toast.tsx';
import { canDownload, isNew } from './notification-rules.ts';
import { jobAddress } from './notification-words.ts';
import { readAgain, useMarkInteracted } from './notifications.ts';

async function bringFile(t: TextOf, seen: Notification): Promise<void> {
  const fresh = await readAgain(seen);
  if (fresh?.targetURL != null) {
    startDownload(fresh.targetURL);
    return;
  }
  showToast({
    title: t('notifications.gone'),
    detail: t(seen.isSent ? 'notifications.goneAdviceSent' : 'notifications.goneAdvice'),
    tone: 'bad',
  });
}

/** Opens a notification. `isOpening` while its file is being requested; `markSeen` only marks it. */
export function useOpenNotification() {
  const { t } = useTexts();
  // the page shows no error for it, so without a network it is sent later
  const { mutate: markInteracted } = useMarkInteracted('online');
  const navigate = useNavigate();
  const markSeen = (seen: Notification): void => {
    if (isNew(seen)) markInteracted([seen]);
  };
  const { mutate, isPending: isOpening } = useMutation({
    mutationFn: (seen: Notification) => bringFile(t, seen),
    onError: (thrown) => showFailure(t, thrown),
    onSettled: (_file, _thrown, seen) => markSeen(seen),
  });
  const open = (seen: Notification): void => {
    if (isOpening) return;
    if (canDownload(seen, trueTime(Date.now()))) {
      mutate(seen);
      return;
    }
    markSeen(seen);
    const job = jobAddress(seen);
    if (job !== null) void navigate(job);
  };
  return { open, isOpening, markSeen };
}
