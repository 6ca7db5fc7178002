/** All notifications of the page, twenty at a time. */
import type { Notification } from '@recodery/contract/features/notifications';
import BellOff from 'lucide-react/icons/bell-off';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSeeMore } from '../../ui/see-more.ts';
import { keyOf } from './notification-rules.ts';
import { NotificationRow } from './notification-row.tsx';
import { useNotificationList } from './notifications.ts';

const RevokeDialog = onDemand(async () => (await import('./revoke-dialog.tsx')).RevokeDialog);

export interface NotificationListProps {
  readonly notifications: readonly Notification[];
  /** The reference time for formatting times and checking whether links have expired. */
  readonly now: Date;
}

export function NotificationList({ notifications, now }: NotificationListProps) {
  const { t } = useTexts();
  const query = useNotificationList();
  const { hasNextPage, isFetchingNextPage } = query;
  const [revoked, setRevoked] = useState<Notification | null>(null);
  const count = notifications.length;
  const { list, seeMore } = useSeeMore<HTMLUListElement>(count, query);
  if (count === 0) {
    return (
      <Panel>
        <EmptyState icon={BellOff} title={t('notifications.empty')}>
          {t('notifications.invitation')}
        </EmptyState>
      </Panel>
    );
  }
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
      {revoked !== null && <RevokeDialog seen={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
