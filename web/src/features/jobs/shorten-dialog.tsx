/** Asks for confirmation before a shorter retention deletes older jobs. */
import { useTexts } from '../../i18n/texts.ts';
import { LossDialog, type LossDialogProps } from '../../ui/loss-dialog.tsx';

export interface ShortenDialogProps
  extends Pick<LossDialogProps, 'isPending' | 'error' | 'onConfirm' | 'onClose'> {
  /** The new retention. */
  readonly days: number;
}

export function ShortenDialog({ days, ...rest }: ShortenDialogProps) {
  const { t } = useTexts();
  return (
    <LossDialog title={t('storage.shortenTitle')} confirm={t('storage.shorten')} {...rest}>
      {t('storage.shortenAbout', { count: days })}
    </LossDialog>
  );
}
