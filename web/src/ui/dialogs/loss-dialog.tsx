/** Asks for confirmation before something is permanently lost, and shows why the action failed. */
import type { ReactNode } from 'react';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../actions/button.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemPanel } from '../display/problem-panel.tsx';

export interface LossDialogProps {
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** The label of the confirming button. */
  readonly confirm: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function LossDialog({
  title,
  children,
  confirm,
  isPending,
  error,
  onConfirm,
  onClose,
}: LossDialogProps) {
  const { t } = useTexts();
  return (
    <Dialog
      title={title}
      // closed while the request is in progress, the page would not learn that it succeeded
      isDismissable={!isPending}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            {t('ui.cancel')}
          </Button>
          <Button look="danger" isPending={isPending} onPress={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <p className="break-words text-ink-2">{children}</p>
      {error !== null && (
        <div className="mt-4">
          <ProblemPanel {...thrownProblem(t, error)} />
        </div>
      )}
    </Dialog>
  );
}
