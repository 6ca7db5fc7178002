/** Adds a webhook, then shows its secret. */
import { Refusal } from '@recodery/contract/refusal';
import { longestWebhookUrl, mostWebhooks } from '@recodery/contract/features/webhooks';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { AddDialog } from '../../ui/dialogs/add-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useAddWebhook } from './webhooks.ts';

const isWebAddress = (url: string): boolean =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= longestWebhookUrl;

/** The error for the submitted address. */
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
  const { url, fault, added, error, isPending, change, send } = useWebhookForm();
  return (
    <AddDialog
      title={t('webhooks.add')}
      addedTitle={t('webhooks.added')}
      secrets={
        added === undefined
          ? null
          : [
              { label: t('webhooks.url'), value: added.url },
              { label: t('webhooks.secret'), value: added.secret, hint: t('webhooks.secretHint') },
            ]
      }
      isPending={isPending}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
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
    </AddDialog>
  );
}
