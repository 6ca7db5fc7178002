/**
 * The files that other organisations have sent, newest first: the content of the home page for users who only receive
 * files.
 */
import type { Notification } from '@recodery/contract/features/notifications';
import { trueTime } from '../../api/server-clock.ts';
import Inbox from 'lucide-react/icons/inbox';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { keyOf } from './notification-rules.ts';
import { NotificationRow } from './notification-row.tsx';
import { useLatestNotifications } from './notifications.ts';

/** How many files are listed. */
const shown = 10;

function Files({
  received,
  now,
}: {
  readonly received: readonly Notification[];
  readonly now: Date;
}) {
  return (
    // flush with the panel's edges: the rows have their own margins
    <ul className="-mx-4 -mb-4 overflow-hidden rounded-b-l border-t border-line sm:-mx-[22px] sm:-mb-[18px]">
      {received.map((seen) => (
        <NotificationRow key={keyOf(seen)} seen={seen} now={now} onRevoke={() => undefined} />
      ))}
    </ul>
  );
}

export function ReceivedFiles({ organization }: { readonly organization: string }) {
  const { t } = useTexts();
  const query = useLatestNotifications();
  const received = query.data?.filter(({ isReceived }) => isReceived).slice(0, shown) ?? [];
  return (
    <Panel
      title={t('home.received')}
      actions={<TextLink href="/notifications">{t('home.received.all')}</TextLink>}
    >
      <Loaded query={query}>
        {() =>
          received.length > 0 ? (
            <Files received={received} now={trueTime(query.dataUpdatedAt)} />
          ) : (
            <EmptyState icon={Inbox} title={t('home.received.empty')}>
              {t('home.received.invitation', { organization })}
            </EmptyState>
          )
        }
      </Loaded>
    </Panel>
  );
}
