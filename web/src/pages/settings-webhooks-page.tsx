/** The webhooks of the organisation and their deliveries. */
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { trueTime } from '../api/server-clock.ts';
import { WebhookList } from '../features/webhooks/webhook-list.tsx';
import { useWebhooks } from '../features/webhooks/webhooks.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { SettingsSections } from './settings-sections.tsx';

const AddWebhookDialog = onDemand(
  async () => (await import('../features/webhooks/add-webhook-dialog.tsx')).AddWebhookDialog,
);

export function WebhooksPage() {
  const { t } = useTexts();
  const query = useWebhooks();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <LoadedPage
      query={query}
      title={t('menu.settings')}
      head={
        <SettingsSections
          path="/settings/webhooks"
          about="webhooks.about"
          aside={
            <Button
              look="primary"
              icon={Plus}
              className="max-sm:w-full"
              onPress={() => setIsAdding(true)}
            >
              {t('webhooks.add')}
            </Button>
          }
        />
      }
    >
      {(webhooks) => (
        <>
          <WebhookList webhooks={webhooks} now={trueTime(query.dataUpdatedAt)} />
          {isAdding && <AddWebhookDialog onClose={() => setIsAdding(false)} />}
        </>
      )}
    </LoadedPage>
  );
}
