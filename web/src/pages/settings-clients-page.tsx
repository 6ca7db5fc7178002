/** The client applications of the organisation. */
import type { Client } from '@recodery/contract/features/clients';
import { deliveryDays } from '@recodery/contract/features/webhooks';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { trueTime } from '../api/server-clock.ts';
import { ClientList } from '../features/clients/client-list.tsx';
import { useClients } from '../features/clients/clients.ts';
import { Deliveries } from '../features/webhooks/deliveries.tsx';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { SettingsSections } from './settings-sections.tsx';

const AddClientDialog = onDemand(
  async () => (await import('../features/clients/add-client-dialog.tsx')).AddClientDialog,
);

function CallbackDeliveries({
  client,
  isActive,
}: {
  readonly client: Client;
  readonly isActive: boolean;
}) {
  const { t } = useTexts();
  const { clientApplicationGUID, name } = client;
  return (
    <Deliveries
      receiverGuid={clientApplicationGUID}
      title={t('clients.callbacks')}
      label={t('clients.callbacksOf', { name })}
      empty={t('clients.noCallbacks', { days: deliveryDays })}
      canReplay={isActive}
    />
  );
}

export function ClientsPage() {
  const { t } = useTexts();
  const query = useClients();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <LoadedPage
      query={query}
      title={t('menu.settings')}
      head={
        <SettingsSections
          path="/settings/clients"
          about="clients.about"
          aside={
            <Button
              look="primary"
              icon={Plus}
              className="max-sm:w-full"
              onPress={() => setIsAdding(true)}
            >
              {t('clients.add')}
            </Button>
          }
        />
      }
    >
      {(clients) => (
        <>
          <ClientList
            clients={clients}
            now={trueTime(query.dataUpdatedAt)}
            renderCallbacks={(client, isActive) => (
              <CallbackDeliveries client={client} isActive={isActive} />
            )}
          />
          {isAdding && <AddClientDialog onClose={() => setIsAdding(false)} />}
        </>
      )}
    </LoadedPage>
  );
}
