/** Adds a webhook, then shows its secret. */
import { Refusal } from '@recodery/contract/errors';
import { longestWebhookUrl, mostWebhooks, type NewWebhook } from '@recodery/contract/webhooks';
import { type FormEvent, useId, useState } from 'react';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemPanel } from '../../ui/problem-panel.tsx';
import { SecretsDialog } from '../../ui/secrets-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAddWebhook } from './webhooks.ts';

export interface NewWebhookDialogProps {
  readonly webhook: NewWebhook;
  readonly onClose: () => void;
}

/** The secret of a webhook that was just added. */
export function NewWebhookDialog({ webhook, onClose }: NewWebhookDialogProps) {
  const { t } = useTexts();
  return (
    <SecretsDialog
      title={t('webhooks.added')}
      onClose={onClose}
      fields={[
        { label: t('webhooks.url'), value: webhook.url },
        { label: t('webhooks.secret'), value: webhook.secret, hint: t('webhooks.secretHint') },
      ]}
    />
  );
}

const isWebAddress = (url: string): boolean =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= longestWebhookUrl;

/** What is wrong with the address, once it was sent. */
type UrlFault = 'notAllowed' | 'tooMany' | null;

function useWebhookForm() {
  const { mutate, data, error, isPending, reset } = useAddWebhook();
  const [url, setUrl] = useState('');
  const [isTried, setIsTried] = useState(false);
  const code = error instanceof Refusal ? error.code : null;
  const isFaulty = isTried && !isWebAddress(url.trim());
  const fault: UrlFault =
    isFaulty || code === 'CALLBACK_URL_NOT_ALLOWED'
      ? 'notAllowed'
      : code === 'BAD_REQUEST'
        ? 'tooMany'
        : null;
  return {
    url,
    fault,
    added: data,
    isPending,
    error: fault === null ? error : null,
    change: (next: string): void => {
      if (error !== null) reset();
      setUrl(next);
    },
    send: (): void => {
      setIsTried(true);
      if (isWebAddress(url.trim()) && !isPending) mutate(url.trim());
    },
  };
}

export function AddWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts();
  const formId = useId();
  const { url, fault, added, error, isPending, change, send } = useWebhookForm();
  if (added !== undefined) return <NewWebhookDialog webhook={added} onClose={onClose} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <Dialog
      isOpen
      title={t('webhooks.add')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" form={formId} look="primary" isPending={isPending}>
            {t('webhooks.add')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('webhooks.url')}
          value={url}
          isMono
          autoComplete="off"
          placeholder="https://example.org/webhooks"
          maxLength={longestWebhookUrl}
          hint={t('webhooks.urlHint')}
          error={fault === null ? null : t(`webhooks.${fault}`, { most: mostWebhooks })}
          onChange={change}
        />
        {error !== null && (
          <ProblemPanel {...thrownProblem(t, error)} headline={t('settings.notAdded')} />
        )}
      </form>
    </Dialog>
  );
}
