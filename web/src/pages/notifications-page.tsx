/** All notifications: operations, sent and received files, and the files that are still available. */
import { trueTime } from '../api/server-clock.ts';
import CheckCheck from 'lucide-react/icons/check-check';
import { NotificationList } from '../features/notifications/notification-list.tsx';
import { isNew } from '../features/notifications/notification-rules.ts';
import { useMarkInteracted, useNotificationList } from '../features/notifications/notifications.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isForbidden, Unavailable } from './unavailable.tsx';

export function NotificationsPage() {
  const { t } = useTexts();
  const { data, error, refetch, isFetching, dataUpdatedAt } = useNotificationList();
  const { mutate: markSeen, isPending } = useMarkInteracted();
  if (data === undefined && isForbidden(error)) {
    return (
      <Unavailable
        pageTitle={t('menu.notifications')}
        thrown={error}
        onAgain={refetch}
        isAsking={isFetching}
      />
    );
  }
  const notifications = data?.pages.flat() ?? [];
  const fresh = notifications.filter(isNew);
  return (
    <div className="flex flex-col gap-6">
      <PageTitle
        title={t('menu.notifications')}
        aside={
          <Button
            icon={CheckCheck}
            isPending={isPending}
            isDisabled={fresh.length === 0}
            onPress={() => markSeen(fresh)}
          >
            {t('notifications.markAll')}
          </Button>
        }
      >
        <p className="max-w-[70ch]">{t('notifications.about')}</p>
      </PageTitle>
      {data !== undefined ? (
        <NotificationList notifications={notifications} now={trueTime(dataUpdatedAt)} />
      ) : error !== null ? (
        <Unavailable
          pageTitle={t('menu.notifications')}
          thrown={error}
          onAgain={refetch}
          isAsking={isFetching}
        />
      ) : (
        <Panel>
          <Skeleton lines={8} className="py-2" />
        </Panel>
      )}
    </div>
  );
}
