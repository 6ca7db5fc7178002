/** The webhooks of the organisation and their deliveries. */
import { trueTime } from '../../api/server-clock.ts';
import { useSession } from '../../features/session/session.ts';
import { WebhookList } from '../../features/webhooks/webhook-list.tsx';
import { useWebhooks } from '../../features/webhooks/webhooks.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { SettingsFrame } from './settings-sections.tsx';

const AddWebhookDialog = onDemand(
  async () => (await import('../../features/webhooks/add-webhook-dialog.tsx')).AddWebhookDialog,
);

export function WebhooksPage() {
  const query = useWebhooks();
  const { isManager } = useSession();
  return (
    <SettingsFrame
      query={query}
      path="/settings/webhooks"
      about="webhooks.about"
      isManaged
      add={{ label: 'webhooks.add', Dialog: AddWebhookDialog }}
    >
      {(webhooks) => (
        <WebhookList
          webhooks={webhooks}
          now={trueTime(query.dataUpdatedAt)}
          canManage={isManager}
        />
      )}
    </SettingsFrame>
  );
}
