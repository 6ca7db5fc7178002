/** The icons of a notification: its result, its direction, and the dot that marks it as new. */
import type { Notification } from '@recodery/contract/features/notifications';
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Lock from 'lucide-react/icons/lock';
import Mail from 'lucide-react/icons/mail';
import MailX from 'lucide-react/icons/mail-x';
import Send from 'lucide-react/icons/send';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/display/icon.tsx';
import { directionOf, isPrivatelySent } from './notification-rules.ts';
import { outcomeLook } from './notification-words.ts';

const outcomeColors = { good: 'text-good', bad: 'text-bad', open: 'text-ink-2' } as const;

/** The result of the operation and whether its email was sent, also announced to screen readers. */
export function OutcomeMark({
  seen,
}: {
  readonly seen: Pick<Notification, 'isSuccessful' | 'mail'>;
}) {
  const { t } = useTexts();
  const { text, state } = outcomeLook(seen);
  const failed = seen.isSuccessful ? MailX : CircleAlert;
  const icon = { good: CircleCheck, bad: failed, open: Mail }[state];
  return (
    <>
      <Icon of={icon} size={20} className={outcomeColors[state]} />
      <span className="sr-only">{t(text)}: </span>
    </>
  );
}

const mark = 'inline-flex items-center gap-1.5 whitespace-nowrap';

/** Whether something was sent or received, and whether it is private; nothing if it concerns only the user. */
export function DirectionMark({ seen }: { readonly seen: Notification }) {
  const { t } = useTexts();
  const direction = directionOf(seen);
  const isReceived = direction === 'received';
  return (
    <>
      {direction !== null && (
        <span className={mark}>
          <Icon of={isReceived ? ArrowDownLeft : Send} size={14} />
          {t(isReceived ? 'notifications.received' : 'notifications.sent')}
        </span>
      )}
      {isPrivatelySent(seen) && (
        <span className={mark}>
          <Icon of={Lock} size={14} />
          {t('recoding.send.private')}
        </span>
      )}
    </>
  );
}

/** The dot of an unread notification. */
export function NewMark() {
  const { t } = useTexts();
  return (
    <span className="mt-2 size-2 shrink-0 rounded-full bg-accent forced-colors:bg-[Highlight]">
      <span className="sr-only">{t('notifications.new')}</span>
    </span>
  );
}
