/** The client applications of the organisation, and the program of the portal that can use them. */
import type { Client } from '@recodery/contract/features/clients';
import { deliveryDays } from '@recodery/contract/features/webhooks';
import { trueTime } from '../../api/server-clock.ts';
import { ClientList } from '../../features/clients/client-list.tsx';
import { useClients } from '../../features/clients/clients.ts';
import { useSession } from '../../features/session/session.ts';
import { Deliveries } from '../../features/webhooks/deliveries.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { SettingsFrame } from './settings-sections.tsx';

const AddClientDialog = onDemand(
  async () => (await import('../../features/clients/add-client-dialog.tsx')).AddClientDialog,
);
const RemoteProgram = onDemand(
  async () => (await import('../../features/clients/remote-program.tsx')).RemoteProgram,
);

function CallbackDeliveries({
  client,
  canReplay,
}: {
  readonly client: Client;
  readonly canReplay: boolean;
}) {
  const { t } = useTexts();
  const { clientApplicationGUID, name } = client;
  return (
    <Deliveries
      receiverGuid={clientApplicationGUID}
      title={t('clients.callbacks')}
      label={t('clients.callbacksOf', { name })}
      empty={t('clients.noCallbacks', { days: deliveryDays })}
      canReplay={canReplay}
    />
  );
}

const offered = import.meta.env.REMOTE_PROGRAM;

export function ClientsPage() {
  const query = useClients();
  const { isManager } = useSession();
  return (
    <SettingsFrame
      query={query}
      path="/settings/clients"
      about="clients.about"
      isManaged
      add={{ label: 'clients.add', Dialog: AddClientDialog }}
    >
      {(clients) => (
        <>
          <ClientList
            clients={clients}
            now={trueTime(query.dataUpdatedAt)}
            canManage={isManager}
            renderCallbacks={(client, isActive) => (
              <CallbackDeliveries client={client} canReplay={isActive && isManager} />
            )}
          />
          {offered !== null && <RemoteProgram {...offered} />}
        </>
      )}
    </SettingsFrame>
  );
}
