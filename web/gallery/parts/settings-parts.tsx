/** The settings for programs: client applications, webhooks, engines. */
import type { Client } from '@recodery/contract/features/clients';
import { builtInEngine, engineKinds, engineOf } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import type { Delivery, Webhook } from '@recodery/contract/features/webhooks';
import { AddClientDialog } from '../../src/features/clients/add-client-dialog.tsx';
import { ClientList } from '../../src/features/clients/client-list.tsx';
import { RemoteProgram } from '../../src/features/clients/remote-program.tsx';
import { EngineList } from '../../src/features/engines/engine-list.tsx';
import type { MasterEngine } from '../../src/features/engines/engines.ts';
import { AddWebhookDialog } from '../../src/features/webhooks/add-webhook-dialog.tsx';
import { Deliveries } from '../../src/features/webhooks/deliveries.tsx';
import { DeliveryList } from '../../src/features/webhooks/delivery-list.tsx';
import { WebhookList } from '../../src/features/webhooks/webhook-list.tsx';
import { ClientsPage } from '../../src/pages/settings/settings-clients-page.tsx';
import { EnginesPage } from '../../src/pages/settings/settings-engines-page.tsx';
import { SettingsSections } from '../../src/pages/settings/settings-sections.tsx';
import { WebhooksPage } from '../../src/pages/settings/settings-webhooks-page.tsx';
import { AddDialog } from '../../src/ui/dialogs/add-dialog.tsx';
import { Button } from '../../src/ui/actions/button.tsx';
import { LossDialog as LossOnDemand } from '../../src/ui/dialogs/loss.tsx';
import { LossDialog } from '../../src/ui/dialogs/loss-dialog.tsx';
import { SecretField } from '../../src/ui/fields/secret-field.tsx';
import { type Answer, broken, guidOf } from '../made/answers.ts';
import { Part, report, State } from '../state.tsx';

const now = new Date();
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
const close = (): void => report('close');
const secret = 'whsec_b0ZpY2luYSBEZW1vLCB0d2VudHkgYnl0ZXMgYW5kIG1vcmU=';

const secrets = [
  { label: 'GUID', value: guidOf(1) },
  { label: 'Secret', value: secret },
];

const client: Client = {
  clientApplicationGUID: guidOf(1),
  name: 'Workshop server',
  allowedNetworks: [],
  createdOn: daysAgo(40),
  expiresOn: null,
  lastUsedOn: daysAgo(0),
  revokedOn: null,
};
const clients: readonly Client[] = [
  { ...client, clientApplicationGUID: guidOf(2), name: 'Old import', revokedOn: daysAgo(3) },
  client,
  {
    ...client,
    clientApplicationGUID: guidOf(3),
    name: `A program with ${'a very long name '.repeat(4)}`,
    allowedNetworks: ['203.0.113.7/32', '2001:db8:85a3:8d3:1319:8a2e:370:7348/128'],
    expiresOn: daysAgo(-20),
    lastUsedOn: null,
  },
  { ...client, clientApplicationGUID: guidOf(4), name: 'Trial', expiresOn: daysAgo(1) },
];

const webhook: Webhook = {
  guid: guidOf(10),
  url: 'https://workshop.example/recodery/webhooks',
  createdOn: daysAgo(12),
};
const long: Webhook = {
  ...webhook,
  guid: guidOf(11),
  url: `https://hooks.example/${'a-very-long-path/'.repeat(9)}`,
};
const delivery: Delivery = {
  guid: guidOf(20),
  webhookId: guidOf(30),
  type: 'operation.completed',
  status: 204,
  error: null,
  durationMs: 128,
  attemptedOn: daysAgo(0),
};
const deliveries: readonly Delivery[] = [
  delivery,
  { ...delivery, guid: guidOf(21), type: 'file.received', status: 500, durationMs: 42 },
  { ...delivery, guid: guidOf(22), status: null, error: 'TIMEOUT', durationMs: 15_000 },
  { ...delivery, guid: guidOf(23), status: null, error: 'CERTIFICATE_NOT_TRUSTED' },
  { ...delivery, guid: guidOf(24), status: 410, attemptedOn: daysAgo(2) },
  { ...delivery, guid: guidOf(25), attemptedOn: daysAgo(3) },
  { ...delivery, guid: guidOf(26), attemptedOn: daysAgo(4) },
];

/** A master with each kind of engine. */
const masters: readonly MasterEngine[] = engineKinds.map((kind, at) => {
  const { families, offers } = engineOf(kind);
  return {
    family: families[0] ?? 'kess3',
    groupCode: 'G-10',
    masterDeviceSerialNumber: `M-000${at}`,
    engine: { name: kind === builtInEngine ? kind : `our ${kind}`, kind, offers },
  };
});

const clientsAre = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'clients'], ...answer },
  { key: ['code', 'webhooks', client.clientApplicationGUID, 'deliveries'], data: deliveries },
];
const deliveriesAre = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'webhooks', webhook.guid, 'deliveries'], ...answer },
];
const webhooksAre = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'webhooks'], ...answer },
  ...deliveriesAre({ data: deliveries }),
];
const enginesAre = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'engines'], ...answer },
];

function Ui() {
  return (
    <>
      <Part file="ui/fields/secret-field.tsx">
        <State name="with a hint">
          <SecretField label="Secret" value={secret} hint="Verifies messages." />
        </State>
      </Part>
      <Part file="ui/dialogs/add-dialog.tsx">
        {(
          [
            ['form', null, null],
            ['in progress', null, null],
            ['not added', broken, null],
            ['added', null, secrets],
          ] as const
        ).map(([name, error, shown]) => (
          <State key={name} name={name} window={480}>
            <AddDialog
              title="Add it"
              addedTitle="Added"
              secrets={shown}
              isPending={name === 'in progress'}
              error={error}
              onSubmit={() => report('submit')}
              onClose={close}
            >
              The fields.
            </AddDialog>
          </State>
        ))}
      </Part>
    </>
  );
}

function Losses() {
  return (
    <>
      <Part file="ui/dialogs/loss-dialog.tsx">
        {(
          [
            ['before', null],
            ['in progress', null],
            ['failed', broken],
          ] as const
        ).map(([name, error]) => (
          <State key={name} name={name} window={480}>
            <LossDialog
              title="Lose it?"
              confirm="Lose"
              isPending={name === 'in progress'}
              error={error}
              onConfirm={() => report('confirm')}
              onClose={close}
            >
              It is gone for good.
            </LossDialog>
          </State>
        ))}
      </Part>
      <Part file="ui/dialogs/loss.tsx">
        <State name="loaded on demand" window={480}>
          <LossOnDemand
            title="Lose it?"
            confirm="Lose"
            isPending={false}
            error={null}
            onConfirm={() => report('confirm')}
            onClose={close}
          >
            It is gone for good.
          </LossOnDemand>
        </State>
      </Part>
    </>
  );
}

function Clients() {
  return (
    <>
      <Part file="features/clients/client-list.tsx">
        <State name="filled">
          <ClientList
            clients={clients}
            now={now}
            canManage
            renderCallbacks={({ name }) => `To ${name}`}
          />
        </State>
        <State name="of a user who is no manager">
          <ClientList
            clients={clients}
            now={now}
            canManage={false}
            renderCallbacks={({ name }) => `To ${name}`}
          />
        </State>
        <State name="empty">
          <ClientList clients={[]} now={now} canManage renderCallbacks={() => null} />
        </State>
      </Part>
      <Part file="features/clients/remote-program.tsx">
        <State name="offered">
          <RemoteProgram version="0.9.0" sha256={'5e884898da280471'.repeat(4)} />
        </State>
      </Part>
      <Part file="features/clients/add-client-dialog.tsx">
        <State name="empty" window={720}>
          <AddClientDialog onClose={close} />
        </State>
      </Part>
    </>
  );
}

function Webhooks() {
  return (
    <>
      <Part file="features/webhooks/webhook-list.tsx">
        <State name="filled" given={webhooksAre({})}>
          <WebhookList webhooks={[webhook, long]} now={now} canManage />
        </State>
        <State name="many">
          <WebhookList
            webhooks={[1, 2, 3, 4].map((number) => ({ ...webhook, guid: guidOf(number) }))}
            now={now}
            canManage
          />
        </State>
        <State name="of a user who is no manager" given={webhooksAre({})}>
          <WebhookList webhooks={[webhook]} now={now} canManage={false} />
        </State>
        <State name="empty">
          <WebhookList webhooks={[]} now={now} canManage />
        </State>
      </Part>
      <Part file="features/webhooks/delivery-list.tsx">
        <State name="filled" given={deliveriesAre({ data: deliveries })}>
          <DeliveryList receiverGuid={webhook.guid} empty="None." />
        </State>
        <State name="only shown" given={deliveriesAre({ data: deliveries })}>
          <DeliveryList receiverGuid={webhook.guid} empty="None." canReplay={false} />
        </State>
        <State name="empty" given={deliveriesAre({ data: [] })}>
          <DeliveryList receiverGuid={webhook.guid} empty="None." />
        </State>
        <State name="network error" given={deliveriesAre({ thrown: broken })}>
          <DeliveryList receiverGuid={webhook.guid} empty="None." />
        </State>
      </Part>
      <Part file="features/webhooks/deliveries.tsx">
        <State name="closed" given={deliveriesAre({ data: deliveries })}>
          <Deliveries
            receiverGuid={webhook.guid}
            title="Deliveries"
            label="Deliveries: Workshop"
            empty="None."
          />
        </State>
      </Part>
      <Part file="features/webhooks/add-webhook-dialog.tsx">
        <State name="empty" window={480}>
          <AddWebhookDialog onClose={close} />
        </State>
      </Part>
    </>
  );
}

function Pages() {
  return (
    <>
      <Part file="features/engines/engine-list.tsx">
        <State name="each kind">
          <EngineList masters={masters} />
        </State>
        <State name="empty">
          <EngineList masters={[]} />
        </State>
      </Part>
      <Part file="pages/settings/settings-sections.tsx">
        <State name="with an action" at="/settings/clients">
          <SettingsSections
            path="/settings/clients"
            about="clients.about"
            aside={<Button>Act</Button>}
          />
        </State>
      </Part>
      {(
        [
          ['clients', ClientsPage, clientsAre, clients],
          ['webhooks', WebhooksPage, webhooksAre, [webhook]],
          ['engines', EnginesPage, enginesAre, masters],
        ] as const
      ).map(([name, Page, given, data]) => {
        const frame = { window: 700, isInLayout: true, at: `/settings/${name}` } as const;
        return (
          <Part key={name} file={`pages/settings/settings-${name}-page.tsx`}>
            <State {...frame} name="filled" given={given({ data })}>
              <Page />
            </State>
            <State {...frame} name="loading" given={given({})}>
              <Page />
            </State>
            <State {...frame} name="network error" given={given({ thrown: broken })}>
              <Page />
            </State>
            <State
              {...frame}
              name="forbidden"
              given={given({ thrown: new Refusal('USER_NO_RIGHTS') })}
            >
              <Page />
            </State>
          </Part>
        );
      })}
    </>
  );
}

export function SettingsParts() {
  return (
    <>
      <Ui />
      <Losses />
      <Clients />
      <Webhooks />
      <Pages />
    </>
  );
}
