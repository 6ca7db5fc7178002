/** A question with two answers, over the page. */
import { useTexts } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import type { ConfirmProps } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

export function ConfirmDialog({
  title,
  children,
  confirm,
  stay,
  onConfirm,
  onCancel,
}: ConfirmProps) {
  const { t } = useTexts();
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onCancel}
      actions={
        <>
          <Button onPress={onCancel}>{stay ?? t('ui.cancel')}</Button>
          <Button look="primary" onPress={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2 text-ink-2">{children}</div>
    </Dialog>
  );
}
