/** Reports an ad blocker; one click continues the work. */
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

export function AdBlockModal({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts();
  return (
    <Dialog
      closesOutside
      title={t('adBlock.title')}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('adBlock.confirm')}
        </Button>
      }
    >
      <p className="text-ink-2">{t('AdBlockTextMessage')}</p>
    </Dialog>
  );
}
