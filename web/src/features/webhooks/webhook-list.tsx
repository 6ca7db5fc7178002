/** The webhooks, each with its deliveries, which are requested when they are shown. */
import type { Webhook } from '@recodery/contract/webhooks';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Trash from 'lucide-react/icons/trash-2';
import Webhooks from 'lucide-react/icons/webhook';
import { useId, useState } from 'react';
import { timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { DeliveryList } from './delivery-list.tsx';

const RemoveWebhookDialog = onDemand(
  async () => (await import('./remove-webhook-dialog.tsx')).RemoveWebhookDialog,
);

/** The deliveries of so few webhooks are shown at first; those of more would be too many requests. */
const fewWebhooks = 3;

interface RowProps {
  readonly webhook: Webhook;
  readonly now: Date;
  readonly isOpenAtFirst: boolean;
  readonly onRemove: (webhook: Webhook) => void;
}

function Row({ webhook, now, isOpenAtFirst, onRemove }: RowProps) {
  const { t } = useTexts();
  const id = useId();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { guid, url, createdOn } = webhook;
  return (
    <li className="rounded-l border border-line bg-surface px-4 py-4 sm:px-[22px]">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <h2 className="font-mono text-sm leading-6 font-semibold break-all xs:text-md">{url}</h2>
          <p className="text-sm text-ink-3">
            {t('webhooks.created', { time: timeText(createdOn, now) })}
          </p>
        </div>
        <Button
          look="quiet"
          icon={Trash}
          label={t('webhooks.removeNamed', { url })}
          onPress={() => onRemove(webhook)}
        />
      </div>
      <PlainButton
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t('webhooks.deliveriesOf', { url })}
        onPress={() => setIsOpen(!isOpen)}
        className="-ml-1.5 mt-2 inline-flex min-h-8 items-center gap-1.5 rounded-s px-1.5 text-md font-medium text-ink-2 hover:text-ink"
      >
        <Icon
          of={ChevronDown}
          size={16}
          className={classNames('transition-transform', !isOpen && '-rotate-90')}
        />
        {t('webhooks.deliveries')}
      </PlainButton>
      <div id={id} hidden={!isOpen} className="pt-1">
        {isOpen && <DeliveryList webhookGuid={guid} />}
      </div>
    </li>
  );
}

export interface WebhookListProps {
  readonly webhooks: readonly Webhook[];
  /** The reference time for formatting times. */
  readonly now: Date;
}

export function WebhookList({ webhooks, now }: WebhookListProps) {
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
            onRemove={setRemoved}
          />
        ))}
      </ul>
      {removed !== null && (
        <RemoveWebhookDialog webhook={removed} onClose={() => setRemoved(null)} />
      )}
    </>
  );
}
