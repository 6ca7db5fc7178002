/** Shows new secrets, which no one can read again: it is closed only by its button. */
import KeyRound from 'lucide-react/icons/key-round';
import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { SecretField, type SecretFieldProps } from './secret-field.tsx';

export interface SecretsDialogProps {
  readonly title: string;
  readonly fields: readonly SecretFieldProps[];
  readonly onClose: () => void;
}

export function SecretsDialog({ title, fields, onClose }: SecretsDialogProps) {
  const { t } = useTexts();
  const warning = useRef<HTMLParagraphElement>(null);
  // the button that added the secrets is gone, and screen readers read the focused warning first
  useEffect(() => warning.current?.focus(), []);
  return (
    <Dialog
      isOpen
      title={title}
      isDismissable={false}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('settings.secretSaved')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p
          ref={warning}
          tabIndex={-1}
          className="flex items-start gap-3 rounded-m bg-modified-soft px-4 py-3 outline-none"
        >
          <Icon of={KeyRound} className="mt-0.5 text-modified" />
          {t('settings.secretOnce')}
        </p>
        {fields.map((field) => (
          <SecretField key={field.label} {...field} />
        ))}
      </div>
    </Dialog>
  );
}
