/**
 * The bell in the header: the number of new notifications, and a list of the latest. The list is loaded when it is
 * first needed.
 */
import type { Notification } from '@recodery/contract/features/notifications';
import BellIcon from 'lucide-react/icons/bell';
import { useRef, useState } from 'react';
import { useTexts, withTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { TriggerContext, type TriggerProps } from '../../ui/actions/plain-button.tsx';
import { useExpiringJobs } from './expiring-jobs.ts';
import { useNewNotifications } from './new-notifications.ts';
import { badgeCount } from './notification-rules.ts';
import { useLatestNotifications, useOlderNew } from './notifications.ts';
import { isKnownHere } from './seen-here.ts';

const BellList = onDemand(
  async () => (await withTexts(import('./bell-list.tsx'), 'notifications', 'storage')).BellList,
);

export function Bell() {
  const { t } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useLatestNotifications();
  const here = useNewNotifications(data);
  const older = useOlderNew(data);
  const isExpiringNew = useExpiringJobs().data?.isNew === true;
  const isCounted = (seen: Notification): boolean => !isKnownHere(here, seen);
  const count = badgeCount([...(data ?? []), ...older].filter(isCounted), isExpiringNew ? 1 : 0);
  const props: TriggerProps = {
    ref: button,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onPointerEnter: () => setIsWanted(true),
    onFocus: () => setIsWanted(true),
    onClick: () => {
      setIsWanted(true);
      setIsOpen(!isOpen);
    },
  };
  return (
    <span className="relative">
      <TriggerContext value={props}>
        <Button
          look="quiet"
          icon={BellIcon}
          label={count === 0 ? t('menu.notifications') : t('notifications.bell', { count })}
        />
      </TriggerContext>
      {count > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute -top-0.5 -right-0.5 flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-accent px-1 text-[11px] leading-none font-semibold text-on-accent tabular-nums forced-colors:border"
        >
          {count}
        </span>
      )}
      {isWanted && <BellList button={button} isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </span>
  );
}
