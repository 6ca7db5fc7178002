/** The list that the bell opens: the latest notifications, each with its file one click away. */
import { trueTime } from '../../api/server-clock.ts';
import type { Notification } from '@recodery/contract/features/notifications';
import { notificationPageSize } from '@recodery/contract/features/notifications';
import BellOff from 'lucide-react/icons/bell-off';
import Download from 'lucide-react/icons/download';
import type { RefObject } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { notificationTimeText } from '../../i18n/formats.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AriaLocale } from '../../ui/aria-locale.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { PlainButton } from '../../ui/actions/plain-button.tsx';
import { Skeleton } from '../../ui/display/skeleton.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { ExpiringNotice } from './expiring-notice.tsx';
import { DirectionMark, NewMark, OutcomeMark } from './notification-marks.tsx';
import { canDownload, detailLines, isNew, keyOf } from './notification-rules.ts';
import { useOpenNotification } from './notification-target.ts';
import { jobAddress, problemOfNotification } from './notification-words.ts';
import { useLatestNotifications } from './notifications.ts';

interface ItemProps {
  readonly seen: Notification;
  readonly now: Date;
  readonly onOpen: (seen: Notification) => void;
}

function ItemWords({ seen, now }: Omit<ItemProps, 'onOpen'>) {
  const { t } = useTexts();
  const problem = problemOfNotification(t, seen);
  return (
    <>
      <OutcomeMark seen={seen} />
      <span className="min-w-0 flex-1">
        <span className={classNames('block text-md', isNew(seen) && 'font-semibold')}>
          {seen.message}
        </span>
        {detailLines(seen).map((line, index) => (
          <span key={index} title={line} className="line-clamp-3 text-sm break-words text-ink-2">
            <LongText>{line}</LongText>
          </span>
        ))}
        {problem !== null && (
          <>
            <span className="block text-sm text-bad">{problem.headline}</span>
            <span className="block text-sm text-ink-2">{problem.advice}</span>
            <span className="block font-mono text-xs break-all text-ink-3">{problem.code}</span>
          </>
        )}
        <span className="mt-0.5 flex flex-wrap items-center gap-x-3 text-sm text-ink-3">
          <time dateTime={seen.completedOn} className="tabular-nums">
            {notificationTimeText(seen.completedOn, now)}
          </time>
          <DirectionMark seen={seen} />
        </span>
      </span>
      {canDownload(seen, now) && (
        <span className="text-ink-2">
          <Icon of={Download} />
          <span className="sr-only">{t('notifications.download')}</span>
        </span>
      )}
      {isNew(seen) && <NewMark />}
    </>
  );
}

const item = 'flex w-full items-start gap-3 rounded-s px-3 py-2.5 text-left';

/** An item is a button while a click has an effect: downloading the file, opening the job, or marking it as seen. */
function Item({ seen, now, onOpen }: ItemProps) {
  const words = <ItemWords seen={seen} now={now} />;
  if (!isNew(seen) && !canDownload(seen, now) && jobAddress(seen) === null)
    return <div className={item}>{words}</div>;
  return (
    <PlainButton
      onPress={() => onOpen(seen)}
      className={classNames(item, 'hover:bg-sunken', isNew(seen) && 'bg-accent-soft/60')}
    >
      {words}
    </PlainButton>
  );
}

interface ItemsProps extends Pick<ItemProps, 'onOpen'> {
  readonly onLeave: () => void;
}

function Items({ onOpen, onLeave }: ItemsProps) {
  const { t } = useTexts();
  const { data, error, dataUpdatedAt } = useLatestNotifications();
  if (data === undefined) {
    return error === null ? (
      <Skeleton lines={4} className="p-4" />
    ) : (
      <p role="alert" className="p-4 text-md text-ink-2">
        {thrownProblem(t, error).headline}
      </p>
    );
  }
  if (data.length === 0) {
    return (
      <div className="px-4 py-2">
        <EmptyState icon={BellOff} title={t('notifications.empty')}>
          {t('notifications.invitation')}
        </EmptyState>
      </div>
    );
  }
  const now = trueTime(dataUpdatedAt);
  return (
    <ul className="flex flex-col gap-0.5 p-1">
      {data.slice(0, notificationPageSize).map((seen) => (
        <li key={keyOf(seen)}>
          <Item
            seen={seen}
            now={now}
            onOpen={(one) => {
              onOpen(one);
              if (!canDownload(one, now) && jobAddress(one) !== null) onLeave();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

export interface BellListProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function BellList({ button, isOpen, onClose }: BellListProps) {
  const { t } = useTexts();
  // the question is above the page: the list below it closes
  const { open, question } = useOpenNotification(onClose);
  return (
    <AriaLocale>
      <Popover
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={(next) => {
          if (!next) onClose();
        }}
        placement="bottom end"
        offset={6}
        className="pop-in w-[26rem] max-w-[calc(100vw-1rem)] overflow-hidden rounded-m border border-line bg-surface text-ink shadow-pop outline-none"
      >
        <Dialog aria-label={t('menu.notifications')} className="flex flex-col outline-none">
          <div className="max-h-[min(34rem,70dvh)] overflow-y-auto">
            <ExpiringNotice onLeave={onClose} />
            <Items onOpen={open} onLeave={onClose} />
          </div>
          <p className="border-t border-line px-4 py-3 text-center text-md">
            <TextLink href="/notifications" onClick={onClose}>
              {t('notifications.details')}
            </TextLink>
          </p>
        </Dialog>
      </Popover>
      {question}
    </AriaLocale>
  );
}
