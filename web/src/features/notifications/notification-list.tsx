/** All notifications of the page, twenty at a time. */
import type { Notification } from '@recodery/contract/features/notifications';
import BellOff from 'lucide-react/icons/bell-off';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { LossDialog } from '../../ui/dialogs/loss.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { useSeeMore } from '../../ui/actions/see-more.ts';
import { keyOf } from './notification-rules.ts';
import { NotificationRow } from './notification-row.tsx';
import { useNotificationList, useRevokeShare } from './notifications.ts';

interface RevokeQuestionProps {
  readonly seen: Notification;
  readonly onClose: () => void;
}

/**
 * Asks before a link is withdrawn, which cannot be undone. Rendered only while it is open, so that the next one does not
 * show its error.
 */
function RevokeQuestion({ seen, onClose }: RevokeQuestionProps) {
  const { t } = useTexts();
  const { mutate: revoke, isPending, error } = useRevokeShare();
  return (
    <LossDialog
      title={t('notifications.revokeTitle')}
      confirm={t('notifications.revoke')}
      isPending={isPending}
      error={error}
      onConfirm={() => revoke(seen.guid, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('notifications.revokeAbout', { whom: seen.mail?.email ?? '' })}
    </LossDialog>
  );
}

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
      {revoked !== null && <RevokeQuestion seen={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
