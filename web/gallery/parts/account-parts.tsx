/** The setup of an installation, and the user's own account. */
import type { AccountSession } from '@recodery/contract/admin/account';
import type { SeenConnection } from '@recodery/contract/admin/setup';
import { Refusal } from '@recodery/contract/refusal';
import { DeviceRows } from '../../src/features/admin/setup/device-rows.tsx';
import { ConnectionPanel } from '../../src/features/admin/setup/connection-panel.tsx';
import { EmailTest } from '../../src/features/admin/setup/email-test.tsx';
import { NextStepsPanel } from '../../src/features/admin/setup/next-steps-panel.tsx';
import { OperatorSignIn } from '../../src/features/admin/setup/operator-sign-in.tsx';
import type { SetupDraft } from '../../src/features/admin/setup/setup-draft.ts';
import { SetupForm } from '../../src/features/admin/setup/setup-form.tsx';
import { NewPassword } from '../../src/features/admin/new-password.tsx';
import { OwnSessions } from '../../src/features/admin/account/own-sessions.tsx';
import { PasswordForm } from '../../src/features/admin/account/password-form.tsx';
import { ProfileForm } from '../../src/features/admin/account/profile-form.tsx';
import { AccountPage } from '../../src/pages/account-page.tsx';
import { SetupPage } from '../../src/pages/setup-page.tsx';
import { broken, guidOf } from '../made/answers.ts';
import { factorsAre, noFactors } from './factor-parts.tsx';
import { Part, report, State } from '../state.tsx';

const start: SetupDraft = {
  texts: {
    'operator.name': 'Anna Conti',
    'operator.email': 'anna@demo.test',
    'organisation.name': 'Officina Demo',
    'organisation.customerCode': 'CC-1001',
    'organisation.culture': 'it-IT',
    groupCode: 'G-10',
  },
  password: 'password',
  way: 'password',
  masters: [{ id: 1, family: 'kess3', serial: 'KS3-M-0001' }],
  slaves: [
    { id: 1, serial: 'KS3-000042', master: 1 },
    { id: 2, serial: 'KS3-000042', master: 1 },
  ],
};

const notAccepted = new Refusal('FIELDS_NOT_ACCEPTED', {
  fields: {
    'operator.password': 'PASSWORD_TOO_COMMON',
    'masters.0.serial': 'INVALID',
    'slaves.1.serial': 'TAKEN',
  },
});

function linkOf(seen: Partial<SeenConnection> = {}, issuer: string | null = null) {
  const { origin, protocol, host } = location;
  return {
    expiresOn: new Date(Date.now() + 3_600_000).toISOString(),
    issuer,
    canAddPasskey: issuer === null,
    connection: {
      publicUrl: origin,
      protocol: protocol.replace(':', ''),
      host,
      address: '203.0.113.7',
      untrustedProxy: null,
      ...seen,
    },
  };
}

const wrongLink = linkOf({
  publicUrl: 'https://portal.example.org',
  host: 'recodery:3000',
  protocol: 'ftp',
});

const form = {
  token: 'token',
  link: linkOf(),
  isSaving: false,
  error: null,
  start,
  onChange: () => undefined,
  onSave: () => report('saved'),
} as const;

const setupIs = (answer: { readonly data?: unknown; readonly thrown?: Error }) => [
  { key: ['setup', 'token'], ...answer },
];

function SetupPanels() {
  return (
    <>
      <Part file="features/admin/setup/operator-sign-in.tsx">
        <State name="passkey refused">
          <OperatorSignIn
            draft={{ way: 'passkey', password: '' }}
            faults={{ 'operator.passkey': 'PASSKEY_REFUSED' }}
            canAddPasskey
            onChange={({ way }) => report(way ?? '')}
          />
        </State>
        <State name="both">
          <OperatorSignIn
            draft={{ way: 'both', password: '' }}
            faults={{}}
            canAddPasskey
            onChange={({ way }) => report(way ?? '')}
          />
        </State>
      </Part>
      <Part file="features/admin/setup/connection-panel.tsx">
        <State name="right">
          <ConnectionPanel connection={form.link.connection} origin={location.origin} />
        </State>
        <State name="wrong">
          <ConnectionPanel connection={wrongLink.connection} origin={location.origin} />
        </State>
        <State name="proxy that is not trusted">
          <ConnectionPanel
            connection={linkOf({ untrustedProxy: '10.0.0.7' }).connection}
            origin={location.origin}
          />
        </State>
      </Part>
      <Part file="features/admin/setup/email-test.tsx">
        <State name="not tested">
          <EmailTest token="token" to="anna@demo.test" culture="it-IT" />
        </State>
        <State name="without address">
          <EmailTest token="token" to={null} culture="it-IT" />
        </State>
      </Part>
      <Part file="features/admin/setup/next-steps-panel.tsx">
        <State name="with devices">
          <NextStepsPanel hasDevices onClose={() => report('closed')} />
        </State>
        <State name="without devices">
          <NextStepsPanel hasDevices={false} onClose={() => report('closed')} />
        </State>
      </Part>
    </>
  );
}

function SetupPages() {
  return (
    <Part file="pages/setup-page.tsx">
      <State
        name="empty"
        at="/setup?token=token"
        given={setupIs({ data: form.link })}
        window={1300}
      >
        <SetupPage />
      </State>
      <State name="loading" at="/setup?token=token" given={setupIs({})} window={500}>
        <SetupPage />
      </State>
      <State
        name="link refused"
        at="/setup?token=token"
        given={setupIs({ thrown: new Refusal('SETUP_LINK_EXPIRED') })}
        window={500}
      >
        <SetupPage />
      </State>
      <State
        name="network error"
        at="/setup?token=token"
        given={setupIs({ thrown: broken })}
        window={500}
      >
        <SetupPage />
      </State>
    </Part>
  );
}

function Setup() {
  return (
    <>
      <Part file="features/admin/new-password.tsx">
        <State name="easy to guess">
          <NewPassword
            label="Password"
            value="password"
            fault="PASSWORD_TOO_COMMON"
            onChange={report}
          />
        </State>
      </Part>
      <Part file="features/admin/setup/device-rows.tsx">
        <State name="a master and two slaves">
          <DeviceRows
            draft={start}
            faults={{}}
            onChange={({ masters, slaves }) => report(`${masters?.length} ${slaves?.length}`)}
          />
        </State>
      </Part>
      <Part file="features/admin/setup/setup-form.tsx">
        <State name="filled">
          <SetupForm {...form} />
        </State>
        <State name="not accepted">
          <SetupForm {...form} error={notAccepted} />
        </State>
        <State name="external sign-in, saving">
          <SetupForm {...form} link={linkOf({}, 'https://sso.demo.test')} isSaving />
        </State>
      </Part>
    </>
  );
}

const account = {
  email: 'anna@demo.test',
  name: 'Anna Conti',
  culture: 'en-US',
  hasPassword: true,
} as const;

const seen = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const sessions: readonly AccountSession[] = [
  {
    guid: guidOf(980),
    device: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    address: '203.0.113.7',
    createdOn: seen(90),
    lastSeenOn: seen(0),
    isCurrent: true,
  },
  {
    guid: guidOf(981),
    device:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    address: '2001:db8:0:1:ffff:ffff:ffff:1',
    createdOn: seen(5000),
    lastSeenOn: seen(200),
    isCurrent: false,
  },
  {
    guid: guidOf(982),
    device: null,
    address: null,
    createdOn: seen(20_000),
    lastSeenOn: seen(9000),
    isCurrent: false,
  },
];

const accountIs = (answer: { readonly data?: unknown; readonly thrown?: Error }) => ({
  key: ['account'],
  ...answer,
});
const sessionsAre = (data: readonly AccountSession[]) => ({ key: ['account', 'sessions'], data });

const frame = { at: '/account', isInLayout: true, window: 1100 } as const;

function Account() {
  return (
    <>
      <Part file="features/admin/account/profile-form.tsx">
        <State name="unchanged">
          <ProfileForm account={account} onSaved={() => report('saved')} />
        </State>
      </Part>
      <Part file="features/admin/account/password-form.tsx">
        <State name="empty">
          <PasswordForm />
        </State>
      </Part>
      <Part file="features/admin/account/own-sessions.tsx">
        <State name="three" given={[sessionsAre(sessions)]}>
          <OwnSessions />
        </State>
        <State name="only this one" given={[sessionsAre(sessions.slice(0, 1))]}>
          <OwnSessions />
        </State>
      </Part>
      <Part file="pages/account-page.tsx">
        <State
          {...frame}
          name="filled"
          given={[accountIs({ data: account }), factorsAre(noFactors), sessionsAre(sessions)]}
        >
          <AccountPage />
        </State>
        <State
          {...frame}
          name="external sign-in"
          given={[accountIs({ data: { ...account, hasPassword: false } }), sessionsAre(sessions)]}
        >
          <AccountPage />
        </State>
        <State {...frame} name="loading" given={[accountIs({})]}>
          <AccountPage />
        </State>
        <State {...frame} name="network error" given={[accountIs({ thrown: broken })]}>
          <AccountPage />
        </State>
      </Part>
    </>
  );
}

export function AccountParts() {
  return (
    <>
      <Setup />
      <SetupPanels />
      <SetupPages />
      <Account />
    </>
  );
}
