/** Tells of each notification once, when it is new, and says to the server that it was told. */
import type { Notification } from '@recodery/contract/notifications';
import { useEffect } from 'react';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { showToast } from '../../ui/toast.tsx';
import { detailLines, isUntold, keyOf } from './notification-rules.ts';
import { markRead } from './notifications.ts';
import { errorWords } from './notification-words.ts';

/** More than these at once (the first sign-in after a weekend) are told of in one line. */
const mostToasts = 3;

/** What this tab has told of already; the server learns it a moment later. */
const told = new Set<string>();

function tell(t: TextOf, fresh: readonly Notification[]): void {
  if (fresh.length > mostToasts) {
    showToast({ title: t('notifications.manyNew', { count: fresh.length }) });
    return;
  }
  // The oldest first: the newest then stands in front.
  for (const seen of fresh.toReversed()) {
    const detail = [...detailLines(seen).slice(0, 1), errorWords(t, seen)].filter(Boolean);
    showToast({
      title: seen.message,
      tone: seen.isSuccessful ? 'good' : 'bad',
      ...(detail.length > 0 ? { detail: detail.join('\n') } : {}),
    });
  }
}

/** Only a page that can be seen tells; a hidden one does it when it comes to the front. */
export function useNewNotifications(latest: readonly Notification[] | undefined): void {
  const { t } = useTexts();
  useEffect(() => {
    const tellNew = (): void => {
      if (document.visibilityState !== 'visible') return;
      const fresh = (latest ?? []).filter((seen) => isUntold(seen) && !told.has(keyOf(seen)));
      if (fresh.length === 0) return;
      for (const seen of fresh) told.add(keyOf(seen));
      tell(t, fresh);
      // One that cannot be marked now is told again after the next load of the page.
      void Promise.allSettled(fresh.map(markRead));
    };
    tellNew();
    document.addEventListener('visibilitychange', tellNew);
    return () => document.removeEventListener('visibilitychange', tellNew);
  }, [latest, t]);
}
