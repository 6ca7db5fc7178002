/** Asks before a file is downloaded that the slave may refuse. */
import { useTexts } from '../../i18n/texts.ts';
import { Confirm } from '../../ui/dialogs/confirm.tsx';

export interface OlderFileQuestionProps {
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

export function OlderFileQuestion({ onCancel, onConfirm }: OlderFileQuestionProps) {
  const { t } = useTexts();
  return (
    <Confirm
      title={t('job.outdatedTitle')}
      confirm={t('job.outdatedDownload')}
      stay={t('ui.cancel')}
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      <p>{t('job.older')}</p>
    </Confirm>
  );
}
