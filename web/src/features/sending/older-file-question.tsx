/** Asks before a file is downloaded that the slave may refuse. */
import { useTexts } from '../../i18n/texts.ts';
import { Confirm } from '../../ui/dialogs/confirm.tsx';

export interface OlderFileQuestionProps {
  /** Whether the slave has a new key since. */
  readonly hasFormerKey: boolean;
  /** Whether the time in which the slave accepts the file is over; otherwise a later file was encoded for it. */
  readonly isExpired: boolean;
  /** Whether another organization sent the file, which only its sender can encode again. */
  readonly isReceived: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

export function OlderFileQuestion({
  hasFormerKey,
  isExpired,
  isReceived,
  onCancel,
  onConfirm,
}: OlderFileQuestionProps) {
  const { t } = useTexts();
  const reason = hasFormerKey ? 'job.formerKey' : isExpired ? 'job.expired' : 'job.older';
  return (
    <Confirm
      title={t(isExpired ? 'job.expiredTitle' : 'job.outdatedTitle')}
      confirm={t('job.outdatedDownload')}
      stay={t('ui.cancel')}
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      <p>{t(isReceived ? 'job.askSender' : reason)}</p>
    </Confirm>
  );
}
