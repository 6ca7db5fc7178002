/** Asks before starting over discards files that have not been encoded; loaded once a read is decoded. */
import { useTexts } from '../../../i18n/texts.ts';
import { Confirm } from '../../../ui/dialogs/confirm.tsx';

export interface ResetQuestionProps {
  /** The file that is then decoded; null: none. */
  readonly fileName: string | null;
  /** Whether a file is still uploading. */
  readonly isUploading: boolean;
  /** Whether files were uploaded. */
  readonly hasUploaded: boolean;
  /** Whether a form of the page was changed and not saved. */
  readonly hasUnsaved: boolean;
  readonly onStay: () => void;
  readonly onReset: () => void;
}

export function ResetQuestion({
  fileName,
  isUploading: isLoading,
  hasUploaded: hasOthers,
  hasUnsaved,
  onStay,
  onReset,
}: ResetQuestionProps) {
  const { t } = useTexts();
  return (
    <Confirm
      title={
        fileName === null
          ? t('recoding.reset.title')
          : t('recoding.reset.titleFor', { file: fileName })
      }
      confirm={t('recoding.startOver')}
      stay={t('recoding.reset.stay')}
      onCancel={onStay}
      onConfirm={onReset}
    >
      {isLoading && <p>{t('recoding.reset.aboutUpload')}</p>}
      {(hasOthers || !isLoading) && <p>{t('recoding.reset.about')}</p>}
      {hasUnsaved && <p>{t('ui.leaveAbout')}</p>}
    </Confirm>
  );
}
