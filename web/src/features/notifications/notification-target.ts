/**
 * The effect of a click on a notification: it marks the notification, and downloads its file or, without one, opens its
 * job.
 */
import { trueTime } from '../../api/server-clock.ts';
import type { Notification } from '@recodery/contract/features/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import {
  fetchAddress,
  fileGUIDOf,
  type FreshAddress,
  isDoubtful,
} from '../../api/files/fresh-address.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { showFailure, showToast } from '../../ui/toasts/toast.tsx';
import { useAskedDownload } from '../sending/asked-download.ts';
import { canDownload, isNew } from './notification-rules.ts';
import { jobAddress } from './notification-words.ts';
import { readAgain, useMarkInteracted } from './notifications.ts';

/** The address of a notification's file; null, with a toast, if it is no longer available. */
async function findAddress(t: TextOf, seen: Notification): Promise<FreshAddress | null> {
  const url = (await readAgain(seen))?.targetURL ?? null;
  if (url !== null) {
    const fileGUID = fileGUIDOf(url);
    return fileGUID === null ? { url } : fetchAddress(fileGUID);
  }
  showToast({
    title: t('notifications.gone'),
    detail: t(seen.isSent ? 'notifications.goneAdviceSent' : 'notifications.goneAdvice'),
    tone: 'bad',
  });
  return null;
}

/**
 * Opens a notification. `isOpening` while its file is being requested; `markSeen` only marks it; the caller renders
 * `question`. `onAsk` is called when there is one.
 */
export function useOpenNotification(onAsk?: () => void) {
  const { t } = useTexts();
  const { start, question } = useAskedDownload();
  // the page shows no error for it, so without a network it is sent later
  const { mutate: markInteracted } = useMarkInteracted('online');
  const navigate = useNavigate();
  const markSeen = (seen: Notification): void => {
    if (isNew(seen)) markInteracted([seen]);
  };
  const { mutate, isPending: isOpening } = useMutation({
    mutationFn: (seen: Notification) => findAddress(t, seen),
    onSuccess: (address, seen) => {
      if (address === null) return;
      if (isDoubtful(address)) onAsk?.();
      start({ ...address, isReceived: !seen.isSent });
    },
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
  return { open, isOpening, markSeen, question };
}
