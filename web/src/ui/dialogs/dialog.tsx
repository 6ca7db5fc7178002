/** A modal window that requires an answer before the work continues; open as long as it is rendered. */
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTexts } from '../../i18n/texts.ts';
import { AriaLocale } from '../aria-locale.tsx';
import { Button } from '../actions/button.tsx';
import { classNames } from '../class-names.ts';
import { coverPage } from './open-dialogs.ts';

export interface DialogProps {
  readonly title: string;
  /** Called when the dialog is closed by its close button, by Escape, or (when `closesOutside`) by a click outside. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the bottom; the primary one last. */
  readonly actions?: ReactNode;
  /** Whether a click on the overlay closes the dialog; off where something would be lost. */
  readonly closesOutside?: boolean;
  /** `wide`: as wide as the window allows. `full`: as high too; its content fills it, and scrolls where it must. */
  readonly size?: 'narrow' | 'wide' | 'full';
  /** False if it must be answered, or its request is in progress: it has no close button, and Escape does nothing. */
  readonly isDismissable?: boolean;
}

function Head({
  title,
  isDismissable,
  onClose,
}: Pick<DialogProps, 'title' | 'isDismissable' | 'onClose'>) {
  const { t } = useTexts();
  // exists as long as the dialog is shown
  useEffect(coverPage, []);
  return (
    // as high without the close button, which disappears while a request is in progress
    <div className="flex min-h-15 shrink-0 items-start justify-between gap-4 px-5 pt-4 pb-2">
      <Heading slot="title" className="min-w-0 pt-1 text-lg wrap-anywhere">
        {title}
      </Heading>
      {isDismissable && <Button look="quiet" icon={X} label={t('ui.close')} onPress={onClose} />}
    </div>
  );
}

export function Dialog({
  title,
  onClose,
  children,
  actions,
  closesOutside = false,
  size = 'narrow',
  isDismissable = true,
}: DialogProps) {
  return (
    <AriaLocale>
      <ModalOverlay
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        isDismissable={isDismissable && closesOutside}
        isKeyboardDismissDisabled={!isDismissable}
        className="fixed inset-0 z-40 flex items-end justify-center overflow-y-auto bg-scrim transition-opacity data-entering:opacity-0 sm:items-center sm:p-6"
      >
        <Modal
          className={classNames(
            'w-full rounded-t-l bg-surface shadow-pop outline-none transition-transform data-entering:translate-y-2 sm:rounded-l',
            size === 'narrow' ? 'sm:max-w-[30rem]' : 'sm:max-w-[88rem]',
          )}
        >
          <AriaDialog
            className={classNames(
              'flex max-h-[92dvh] flex-col outline-none',
              size === 'full' && 'h-[92dvh]',
            )}
          >
            <Head {...{ title, isDismissable, onClose }} />
            <div
              className={classNames(
                'overflow-y-auto px-5 pb-5',
                size === 'full' && 'flex min-h-0 flex-1 flex-col',
              )}
            >
              {children}
            </div>
            {actions && (
              <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
                {actions}
              </div>
            )}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </AriaLocale>
  );
}
