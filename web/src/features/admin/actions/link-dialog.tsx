/** The link that an action returns, which is shown once. */
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SecretField } from '../../../ui/fields/secret-field.tsx';

export interface LinkDialogProps {
  /** The users whom it is for. */
  readonly names: string;
  readonly link: string;
  readonly onClose: () => void;
}

export function LinkDialog({ names, link, onClose }: LinkDialogProps) {
  const { t } = useTexts();
  return (
    <Dialog
      title={t('admin.linkTitle')}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('ui.close')}
        </Button>
      }
    >
      <SecretField label={names} value={link} hint={t('admin.linkAbout')} />
    </Dialog>
  );
}
