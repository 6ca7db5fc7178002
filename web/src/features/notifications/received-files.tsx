/**
 * The files that other organisations have sent, newest first: the content of the home page for users who only receive
 * files.
 */
import { trueTime } from '../../api/server-clock.ts';
import Inbox from 'lucide-react/icons/inbox';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemPanel } from '../../ui/problem-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { keyOf } from './notification-rules.ts';
import { NotificationRow } from './notification-row.tsx';
import { useLatestNotifications } from './notifications.ts';

/** How many files are listed. */
const shown = 10;

function Files({ organization }: { readonly organization: string }) {
  const { t } = useTexts();
  const { data, dataUpdatedAt, error, refetch, isFetching } = useLatestNotifications();
  if (data === undefined && error !== null) {
    const { headline, advice, code } = thrownProblem(t, error);
    return (
      <ProblemPanel
        headline={headline}
        advice={advice}
        code={code}
        actions={
          <Button onPress={() => void refetch()} isPending={isFetching}>
            {t('ui.tryAgain')}
          </Button>
        }
      />
    );
  }
  if (data === undefined) return <Skeleton lines={4} className="py-2" />;
  const received = data.filter(({ isReceived }) => isReceived).slice(0, shown);
  if (received.length === 0) {
    return (
      <EmptyState icon={Inbox} title={t('home.received.empty')}>
        {t('home.received.invitation', { organization })}
      </EmptyState>
    );
  }
  const now = trueTime(dataUpdatedAt);
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
  return (
    <Panel
      title={t('home.received')}
      actions={<TextLink href="/notifications">{t('home.received.all')}</TextLink>}
    >
      <Files organization={organization} />
    </Panel>
  );
}
