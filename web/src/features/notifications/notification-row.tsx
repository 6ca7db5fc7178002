/** One notification on the notifications page: what happened, the status of the email, and the available actions. */
import type { Notification } from '@recodery/contract/features/notifications';
import Check from 'lucide-react/icons/check';
import Download from 'lucide-react/icons/download';
import FolderOpen from 'lucide-react/icons/folder-open';
import Unlink from 'lucide-react/icons/unlink';
import { notificationTimeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyCode } from '../../ui/actions/copy-code.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { DirectionMark, NewMark, OutcomeMark } from './notification-marks.tsx';
import { canDownload, canRevoke, detailLines, isNew } from './notification-rules.ts';
import { useOpenNotification } from './notification-target.ts';
import { jobAddress, mailLook, problemOfNotification } from './notification-words.ts';

interface RowProps {
  readonly seen: Notification;
  readonly now: Date;
  readonly onRevoke: (seen: Notification) => void;
}

/** The status of the email, and when its file was first downloaded. */
function MailLine({ mail, now }: { mail: NonNullable<Notification['mail']>; now: Date }) {
  const { t } = useTexts();
  const { text, state } = mailLook(mail);
  const { firstDownloadOn } = mail;
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <Badge state={state}>{t(text)}</Badge>
      <span className="break-all">{mail.email}</span>
      {firstDownloadOn !== null ? (
        <span>
          {t('notifications.mail.fetched', { time: notificationTimeText(firstDownloadOn, now) })}
        </span>
      ) : (
        mail.status === 'sent' && <span>{t('notifications.mail.notFetched')}</span>
      )}
    </p>
  );
}

function Words({ seen, now }: Omit<RowProps, 'onRevoke'>) {
  const { t } = useTexts();
  const problem = problemOfNotification(t, seen);
  return (
    <div className="min-w-0 flex-1">
      <h2 className={classNames('text-base break-words', !isNew(seen) && 'font-normal')}>
        {seen.message}
      </h2>
      {detailLines(seen).map((line, index) => (
        <p key={index} className="text-md break-words text-ink-2">
          <LongText>{line}</LongText>
        </p>
      ))}
      {problem !== null && (
        <>
          <p className="text-md font-semibold text-bad">{problem.headline}</p>
          <p className="max-w-[70ch] text-md text-ink-2">{problem.advice}</p>
          <div className="-ml-1.5">
            <CopyCode code={problem.code} />
          </div>
        </>
      )}
      {seen.mail !== null && <MailLine mail={seen.mail} now={now} />}
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-sm text-ink-3">
        <time dateTime={seen.completedOn} className="tabular-nums">
          {notificationTimeText(seen.completedOn, now)}
        </time>
        <DirectionMark seen={seen} />
        {seen.otherOrganizationName !== null && <span>{seen.otherOrganizationName}</span>}
      </p>
    </div>
  );
}

function Actions({ seen, now, onRevoke }: RowProps) {
  const { t } = useTexts();
  const { open, isOpening, markSeen, question } = useOpenNotification();
  const file = seen.targetURLFileName ?? '';
  const job = jobAddress(seen);
  return (
    <div className="flex flex-wrap items-center gap-2 sm:max-w-72 sm:justify-end">
      {question}
      {canRevoke(seen, now) && (
        <Button look="quiet" icon={Unlink} onPress={() => onRevoke(seen)}>
          {t('notifications.revoke')}
        </Button>
      )}
      {canDownload(seen, now) ? (
        <Button
          icon={Download}
          isPending={isOpening}
          aria-label={t('notifications.downloadNamed', { file })}
          onPress={() => open(seen)}
        >
          {t('notifications.download')}
        </Button>
      ) : (
        job === null && <p className="text-md text-ink-3">{t('notifications.noAction')}</p>
      )}
      {job !== null && (
        <LinkButton
          icon={FolderOpen}
          href={job}
          onClick={() => markSeen(seen)}
          aria-label={t('ui.labelled', { label: t('job.show'), value: seen.message })}
        >
          {t('job.show')}
        </LinkButton>
      )}
      {isNew(seen) && !canDownload(seen, now) && (
        <Button
          look="quiet"
          icon={Check}
          label={t('notifications.markSeen', { message: seen.message })}
          onPress={() => markSeen(seen)}
        />
      )}
    </div>
  );
}

export function NotificationRow({ seen, now, onRevoke }: RowProps) {
  return (
    <li
      tabIndex={-1}
      className={classNames(
        'flex items-start gap-3.5 border-line px-4 py-4 outline-offset-[-2px] not-first:border-t sm:px-[22px]',
        isNew(seen) && 'bg-accent-soft/50',
      )}
    >
      <span className="mt-0.5 flex">
        <OutcomeMark seen={seen} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3 sm:flex-row sm:items-center sm:gap-6">
        <Words seen={seen} now={now} />
        <Actions seen={seen} now={now} onRevoke={onRevoke} />
      </div>
      <span className={classNames('-mt-1', !isNew(seen) && 'invisible')}>
        <NewMark />
      </span>
    </li>
  );
}
