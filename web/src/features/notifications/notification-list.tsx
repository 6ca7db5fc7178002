/** All notifications of the page, twenty at a time. */
import type { Notification } from '@recodery/contract/notifications';
import BellOff from 'lucide-react/icons/bell-off';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { keyOf } from './notification-rules.ts';
import { NotificationRow } from './notification-row.tsx';
import { useNotificationList } from './notifications.ts';

const RevokeDialog = lazy(async () => ({
  default: (await import('./revoke-dialog.tsx')).RevokeDialog,
}));

export interface NotificationListProps {
  readonly notifications: readonly Notification[];
  /** The time against which times are written and links are old. */
  readonly now: Date;
}

export function NotificationList({ notifications, now }: NotificationListProps) {
  const { t } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useNotificationList();
  const [revoked, setRevoked] = useState<Notification | null>(null);
  const count = notifications.length;
  // How many there were when more were asked for.
  const before = useRef<number | null>(null);
  // The button may be gone with the last page; the reading goes on at the first row that has come.
  useEffect(() => {
    const at = before.current;
    if (at === null || count <= at) return;
    before.current = null;
    const row = list.current?.children[at];
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  }, [count]);
  if (count === 0) {
    return (
      <Panel>
        <EmptyState icon={BellOff} title={t('notifications.empty')}>
          {t('notifications.invitation')}
        </EmptyState>
      </Panel>
    );
  }
  const seeMore = async (): Promise<void> => {
    before.current = count;
    const pages = data?.pages.length ?? 0;
    // A hint that comes meanwhile has the pages that are there asked for anew, and breaks this off: it is asked once more.
    let seen = await fetchNextPage({ cancelRefetch: false });
    while (seen.isSuccess && seen.hasNextPage && seen.data.pages.length <= pages) {
      seen = await fetchNextPage({ cancelRefetch: false });
    }
    // Where none has come, the next new notification must not take the focus.
    if (!seen.isSuccess || seen.data.pages.at(-1)?.length === 0) before.current = null;
  };
  return (
    <>
      <ul ref={list} className="overflow-hidden rounded-l border border-line bg-surface">
        {notifications.map((seen) => (
          <NotificationRow key={keyOf(seen)} seen={seen} now={now} onRevoke={setRevoked} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          isPending={isFetchingNextPage}
          onPress={() => void seeMore()}
          className="self-center"
        >
          {t('notifications.more')}
        </Button>
      )}
      {revoked !== null && (
        <Suspense fallback={null}>
          <RevokeDialog seen={revoked} onClose={() => setRevoked(null)} />
        </Suspense>
      )}
    </>
  );
}
