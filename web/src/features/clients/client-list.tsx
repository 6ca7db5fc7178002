/** The client applications with their networks, times and state; a button revokes one. */
import type { Client } from '@recodery/contract/features/clients';
import Bot from 'lucide-react/icons/bot';
import Ban from 'lucide-react/icons/ban';
import { type ReactNode, useState } from 'react';
import { timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Badge, type BadgeState } from '../../ui/display/badge.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { CopyCode } from '../../ui/actions/copy-code.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { LossDialog } from '../../ui/dialogs/loss.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { activeFirst, type ClientState, stateOf } from './client-rules.ts';
import { useRevokeClient } from './clients.ts';

const looks: Readonly<Record<ClientState, BadgeState>> = {
  active: 'good',
  expired: 'modified',
  revoked: 'neutral',
};

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="text-md wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}

function Facts({ client, now }: { readonly client: Client; readonly now: Date }) {
  const { t, language } = useTexts();
  const { allowedNetworks, createdOn, expiresOn, lastUsedOn } = client;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-4">
      <Fact label={t('clients.networks')}>
        {allowedNetworks.length === 0 ? (
          t('clients.anyNetwork')
        ) : (
          <ul className="font-mono text-sm leading-6">
            {allowedNetworks.map((network) => (
              <li key={network}>{network}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact label={t('clients.created')}>{timeText(createdOn, now, language)}</Fact>
      <Fact label={t('clients.expires')}>
        {expiresOn === null ? t('clients.noEnd') : timeText(expiresOn, now, language)}
      </Fact>
      <Fact label={t('clients.lastUsed')}>
        {lastUsedOn === null ? t('clients.never') : timeText(lastUsedOn, now, language)}
      </Fact>
    </dl>
  );
}

interface RowProps {
  readonly client: Client;
  readonly now: Date;
  readonly callbacks: ReactNode;
  /** Absent: the user cannot revoke it. */
  readonly onRevoke: ((client: Client) => void) | undefined;
}

function Row({ client, now, callbacks, onRevoke }: RowProps) {
  const { t, language } = useTexts();
  const { name, clientApplicationGUID, revokedOn } = client;
  const state = stateOf(client, now);
  return (
    <li className="flex flex-col gap-3 border-line px-4 py-4 not-first:border-t sm:px-[22px]">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
            <LongText>{name}</LongText>
            <Badge state={looks[state]}>
              {revokedOn === null
                ? t(`clients.${state}`)
                : t('clients.revokedOn', { time: timeText(revokedOn, now, language) })}
            </Badge>
          </h2>
          <div className="-ml-1.5">
            <CopyCode code={clientApplicationGUID} kind="GUID" of={name} />
          </div>
        </div>
        {state !== 'revoked' && onRevoke && (
          <Button
            look="quiet"
            icon={Ban}
            aria-label={t('clients.revokeNamed', { name })}
            onPress={() => onRevoke(client)}
          >
            {t('clients.revoke')}
          </Button>
        )}
      </div>
      <Facts client={client} now={now} />
      {callbacks}
    </li>
  );
}

interface RevokeQuestionProps {
  readonly client: Client;
  readonly onClose: () => void;
}

/**
 * Asks before a client application is revoked. Rendered only while it is open, so that the next one does not show its
 * error.
 */
function RevokeQuestion({ client, onClose }: RevokeQuestionProps) {
  const { t } = useTexts();
  const { mutate, isPending, error } = useRevokeClient();
  return (
    <LossDialog
      title={t('clients.revokeTitle')}
      confirm={t('clients.revoke')}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(client.clientApplicationGUID, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('clients.revokeAbout', { name: client.name })}
    </LossDialog>
  );
}

export interface ClientListProps {
  readonly clients: readonly Client[];
  /** The reference time for formatting times and checking expiry. */
  readonly now: Date;
  /** Whether the user can revoke client applications. */
  readonly canManage: boolean;
  /** Shows the deliveries to the callback addresses of a client application. */
  readonly renderCallbacks: (client: Client, isActive: boolean) => ReactNode;
}

export function ClientList({ clients, now, canManage, renderCallbacks }: ClientListProps) {
  const { t } = useTexts();
  const [revoked, setRevoked] = useState<Client | null>(null);
  if (clients.length === 0) {
    return (
      <Panel>
        <EmptyState icon={Bot} title={t('clients.empty')}>
          {t('clients.invitation')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <ul className="overflow-hidden rounded-l border border-line bg-surface">
        {activeFirst(clients, now).map((client) => (
          <Row
            key={client.clientApplicationGUID}
            client={client}
            now={now}
            callbacks={renderCallbacks(client, stateOf(client, now) === 'active')}
            onRevoke={canManage ? setRevoked : undefined}
          />
        ))}
      </ul>
      {revoked !== null && <RevokeQuestion client={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
