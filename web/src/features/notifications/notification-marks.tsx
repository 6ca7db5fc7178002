/** The small marks of a notification: how it ended, whose it is, and the point that says that it is new. */
import type { Notification } from '@recodery/contract/notifications';
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Lock from 'lucide-react/icons/lock';
import Send from 'lucide-react/icons/send';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { directionOf, isPrivatelySent } from './notification-rules.ts';

/** How the operation ended, also said to screen readers. */
export function OutcomeMark({ isSuccessful }: Pick<Notification, 'isSuccessful'>) {
  const { t } = useTexts();
  return (
    <>
      <Icon
        of={isSuccessful ? CircleCheck : CircleAlert}
        size={20}
        className={isSuccessful ? 'text-good' : 'text-bad'}
      />
      <span className="sr-only">
        {t(isSuccessful ? 'notifications.successful' : 'notifications.failed')}:{' '}
      </span>
    </>
  );
}

const mark = 'inline-flex items-center gap-1.5 whitespace-nowrap';

/** Whether something was sent or received, and sent privately; nothing where it concerns no one else. */
export function DirectionMark({ seen }: { readonly seen: Notification }) {
  const { t } = useTexts();
  const direction = directionOf(seen);
  if (direction === null) return null;
  const isReceived = direction === 'received';
  return (
    <>
      <span className={mark}>
        <Icon of={isReceived ? ArrowDownLeft : Send} size={14} />
        {t(isReceived ? 'notifications.received' : 'notifications.sent')}
      </span>
      {isPrivatelySent(seen) && (
        <span className={mark}>
          <Icon of={Lock} size={14} />
          {t('recoding.send.private')}
        </span>
      )}
    </>
  );
}

/** The point of a notification that has not been read. */
export function NewMark() {
  const { t } = useTexts();
  return (
    <span className="mt-2 size-2 shrink-0 rounded-full bg-accent forced-colors:bg-[Highlight]">
      <span className="sr-only">{t('notifications.new')}</span>
    </span>
  );
}
