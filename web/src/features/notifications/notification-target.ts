/** The effect of a click on a notification: it marks the notification and downloads its file. */
import { trueTime } from '../../api/server-clock.ts';
import type { Notification } from '@recodery/contract/features/notifications';
import { useMutation } from '@tanstack/react-query';
import { startDownload } from '../../api/download.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { showFailure, showToast } from '../../ui/toast.tsx';
import { canDownload, isNew } from './notification-rules.ts';
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

/** Opens a notification. `isOpening` while its file is being requested. */
export function useOpenNotification() {
  const { t } = useTexts();
  // the page shows no error for it, so without a network it is sent later
  const { mutate: markInteracted } = useMarkInteracted('online');
  const { mutate, isPending: isOpening } = useMutation({
    mutationFn: async (seen: Notification) => {
      if (canDownload(seen, trueTime(Date.now()))) await bringFile(t, seen);
    },
    onError: (thrown) => showFailure(t, thrown),
    onSettled: (_file, _thrown, seen) => {
      if (isNew(seen)) markInteracted([seen]);
    },
  });
  const open = (seen: Notification): void => {
    if (!isOpening) mutate(seen);
  };
  return { open, isOpening };
}
