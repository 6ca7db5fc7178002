/** A form that adds something, then its secrets, which no one can read again: only its button closes them. */
import KeyRound from 'lucide-react/icons/key-round';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../actions/button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from '../display/icon.tsx';
import { ProblemPanel } from '../display/problem-panel.tsx';
import { SecretField, type SecretFieldProps } from '../fields/secret-field.tsx';

export interface AddDialogProps {
  /** The title of the form and the label of its button. */
  readonly title: string;
  /** The title above the secrets. */
  readonly addedTitle: string;
  /** The fields of the form. */
  readonly children: ReactNode;
  /** The secrets of what was added; null before. */
  readonly secrets: readonly SecretFieldProps[] | null;
  readonly isPending: boolean;
  /** Why it was not added. */
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

function Secrets({ secrets }: { readonly secrets: readonly SecretFieldProps[] }) {
  const { t } = useTexts();
  const warning = useRef<HTMLParagraphElement>(null);
  // the button that added them is gone, and screen readers read the focused warning first
  useEffect(() => warning.current?.focus(), []);
  return (
    <div className="flex flex-col gap-4">
      <p
        ref={warning}
        tabIndex={-1}
        className="flex items-start gap-3 rounded-m bg-modified-soft px-4 py-3 outline-none"
      >
        <Icon of={KeyRound} className="mt-0.5 text-modified" />
        {t('settings.secretOnce')}
      </p>
      {secrets.map((field) => (
        <SecretField key={field.label} {...field} />
      ))}
    </div>
  );
}

type FormProps = Pick<AddDialogProps, 'children' | 'error' | 'onSubmit'> & { readonly id: string };

function Form({ id, children, error, onSubmit }: FormProps) {
  const { t } = useTexts();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {children}
      {error !== null && (
        <ProblemPanel {...thrownProblem(t, error)} headline={t('settings.notAdded')} />
      )}
    </form>
  );
}

/** One dialog for both steps, so that the focus returns to the button that opened it. */
export function AddDialog({ title, addedTitle, secrets, isPending, ...rest }: AddDialogProps) {
  const { t } = useTexts();
  const formId = useId();
  const { onClose, children, error, onSubmit } = rest;
  return (
    <Dialog
      title={secrets === null ? title : addedTitle}
      // closed while it is being added, it would exist, and its secrets would be lost
      isDismissable={secrets === null && !isPending}
      onClose={onClose}
      actions={
        secrets === null ? (
          <>
            <Button onPress={onClose} isDisabled={isPending}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit" form={formId} look="primary" isPending={isPending}>
              {title}
            </Button>
          </>
        ) : (
          <Button look="primary" onPress={onClose}>
            {t('settings.secretSaved')}
          </Button>
        )
      }
    >
      {secrets === null ? (
        <Form id={formId} error={error} onSubmit={onSubmit}>
          {children}
        </Form>
      ) : (
        <Secrets secrets={secrets} />
      )}
    </Dialog>
  );
}
