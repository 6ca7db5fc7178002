/** Asks for confirmation before a webhook is removed with its waiting messages. */
import type { Webhook } from '@recodery/contract/features/webhooks';
import { useTexts } from '../../i18n/texts.ts';
import { LossDialog } from '../../ui/loss-dialog.tsx';
import { useRemoveWebhook } from './webhooks.ts';

export interface RemoveWebhookDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function RemoveWebhookDialog({ webhook, onClose }: RemoveWebhookDialogProps) {
  const { t } = useTexts();
  const { mutate, isPending, error } = useRemoveWebhook();
  return (
    <LossDialog
      title={t('webhooks.removeTitle')}
      confirm={t('webhooks.remove')}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(webhook.guid, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('webhooks.removeAbout', { url: webhook.url })}
    </LossDialog>
  );
}
