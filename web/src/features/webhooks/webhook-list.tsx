/** The webhooks, each with its deliveries, which are requested when they are shown. */
import { deliveryDays, type Webhook } from '@recodery/contract/features/webhooks';
import Trash from 'lucide-react/icons/trash-2';
import Webhooks from 'lucide-react/icons/webhook';
import { useState } from 'react';
import { timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { LossDialog } from '../../ui/dialogs/loss.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { Deliveries } from './deliveries.tsx';
import { useRemoveWebhook } from './webhooks.ts';

/**
 * With at most this many webhooks, their deliveries are shown initially; with more, there would be too many requests.
 */
const fewWebhooks = 3;

interface RowProps {
  readonly webhook: Webhook;
  readonly now: Date;
  readonly isOpenAtFirst: boolean;
  /** Absent: the user can only look. */
  readonly onRemove: ((webhook: Webhook) => void) | undefined;
}

function Row({ webhook, now, isOpenAtFirst, onRemove }: RowProps) {
  const { t, language } = useTexts();
  const { guid, url, createdOn } = webhook;
  return (
    <li className="rounded-l border border-line bg-surface px-4 py-4 sm:px-[22px]">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <h2 className="font-mono text-sm leading-6 font-semibold break-all xs:text-md">{url}</h2>
          <p className="text-sm text-ink-3">
            {t('webhooks.created', { time: timeText(createdOn, now, language) })}
          </p>
        </div>
        {onRemove && (
          <Button
            look="quiet"
            icon={Trash}
            label={t('webhooks.removeNamed', { url })}
            onPress={() => onRemove(webhook)}
          />
        )}
      </div>
      <div className="mt-2">
        <Deliveries
          receiverGuid={guid}
          title={t('webhooks.deliveries')}
          label={t('webhooks.deliveriesOf', { url })}
          empty={t('webhooks.noDeliveries', { days: deliveryDays })}
          canReplay={onRemove !== undefined}
          {...(onRemove && { test: t('webhooks.testNamed', { url }) })}
          isOpenAtFirst={isOpenAtFirst}
        />
      </div>
    </li>
  );
}

interface RemoveQuestionProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/**
 * Asks before a webhook is removed with its waiting messages. Rendered only while it is open, so that the next one does
 * not show its error.
 */
function RemoveQuestion({ webhook, onClose }: RemoveQuestionProps) {
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

export interface WebhookListProps {
  readonly webhooks: readonly Webhook[];
  /** The reference time for formatting times. */
  readonly now: Date;
  /** Whether the user can remove webhooks and send messages. */
  readonly canManage: boolean;
}

export function WebhookList({ webhooks, now, canManage }: WebhookListProps) {
  const { t } = useTexts();
  const [removed, setRemoved] = useState<Webhook | null>(null);
  if (webhooks.length === 0) {
    return (
      <Panel>
        <EmptyState icon={Webhooks} title={t('webhooks.empty')}>
          {t('webhooks.invitation')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <ul className="flex flex-col gap-4">
        {webhooks.map((webhook) => (
          <Row
            key={webhook.guid}
            webhook={webhook}
            now={now}
            isOpenAtFirst={webhooks.length <= fewWebhooks}
            onRemove={canManage ? setRemoved : undefined}
          />
        ))}
      </ul>
      {removed !== null && <RemoveQuestion webhook={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}
