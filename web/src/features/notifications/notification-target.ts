/** The effect of a click on a notification: it marks the notification and downloads its file. */
import { trueTime } from '../../api/server-clock.ts';
import type { Notification } from '@recodery/contract/notifications';
import { useState } from 'react';
import { startDownload } from '../../api/download.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { showToast } from '../../ui/toast.tsx';
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
    detail: t('notifications.goneAdvice'),
    tone: 'bad',
  });
}

/** Opens a notification. `isOpening` while its file is being requested. */
export function useOpenNotification() {
  const { t } = useTexts();
  const { mutate: markInteracted } = useMarkInteracted();
  const [isOpening, setIsOpening] = useState(false);
  const open = (seen: Notification): void => {
    if (isOpening) return;
    const mark = (): void => {
      if (isNew(seen)) markInteracted([seen]);
    };
    if (!canDownload(seen, trueTime(Date.now()))) {
      mark();
      return;
    }
    setIsOpening(true);
    bringFile(t, seen)
      .catch((thrown: unknown) => {
        const { headline, advice } = thrownProblem(t, thrown);
        showToast({ title: headline, detail: advice, tone: 'bad' });
      })
      .finally(() => {
        setIsOpening(false);
        mark();
      });
  };
  return { open, isOpening };
}
