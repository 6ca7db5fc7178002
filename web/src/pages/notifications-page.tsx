/** All notifications: operations, sent and received files, and the files that are still available. */
import { trueTime } from '../api/server-clock.ts';
import CheckCheck from 'lucide-react/icons/check-check';
import { NotificationList } from '../features/notifications/notification-list.tsx';
import { isNew } from '../features/notifications/notification-rules.ts';
import { useMarkInteracted, useNotificationList } from '../features/notifications/notifications.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/actions/button.tsx';
import { showFailure } from '../ui/toasts/toast.tsx';
import { LoadedPage } from './loaded-page.tsx';

export function NotificationsPage() {
  const { t } = useTexts();
  const query = useNotificationList();
  const { mutate: markSeen, isPending } = useMarkInteracted();
  const notifications = query.data?.pages.flat() ?? [];
  const fresh = notifications.filter(isNew);
  return (
    <LoadedPage
      query={query}
      title={t('menu.notifications')}
      about={t('notifications.about')}
      aside={
        // while the list loads, its place is reserved
        (notifications.length > 0 || query.isPending) && (
          <Button
            icon={CheckCheck}
            isPending={isPending}
            isDisabled={fresh.length === 0}
            onPress={() => markSeen(fresh, { onError: (thrown) => showFailure(t, thrown) })}
          >
            {t('notifications.markAll')}
          </Button>
        )
      }
    >
      {() => <NotificationList notifications={notifications} now={trueTime(query.dataUpdatedAt)} />}
    </LoadedPage>
  );
}
