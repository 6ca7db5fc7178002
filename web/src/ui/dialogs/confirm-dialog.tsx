/** A question with two answers, above the page. */
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../actions/button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The labels of the confirming and the canceling button; the latter is "Cancel" by default. */
  readonly confirm: string;
  readonly stay?: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

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
