/** The sign-in provider and the failed sign-ins. */
import { zeroGuid } from '@recodery/contract/api';
import { FindingsDialog } from '../../../src/features/admin/actions/findings-dialog.tsx';
import type { AnyRecord } from '../../../src/features/admin/records/records.ts';
import { resourcePages } from '../../../src/features/admin/resource-pages.ts';
import { ProviderNotes } from '../../../src/features/admin/sign-in/provider-notes.tsx';
import { AdminListPage } from '../../../src/pages/admin/admin-list-page.tsx';
import { AdminRecordPage } from '../../../src/pages/admin/admin-record-page.tsx';
import { now, operator, record } from '../../made/admin-records.ts';
import { type Answer, guidOf } from '../../made/answers.ts';
import { Part, report, State } from '../../state.tsx';

const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();

const shownFailures = resourcePages.signInFailures;

const external: AnyRecord = {
  guid: zeroGuid,
  revision: 'r1',
  provider: 'external',
  source: 'environment',
  variables: ['RECODERY_OIDC_ISSUER', 'RECODERY_OIDC_CLIENT_ID', 'RECODERY_OIDC_CLIENT_SECRET'],
  issuer: 'https://login.rossi.test/realms/workshops',
  clientId: 'recodery',
  hasSecret: true,
  matching: 'subject',
  hasPasskeys: false,
  sendsPasswords: false,
  needsFactor: false,
  redirectAddress: 'https://portal.rossi.test/sso/callback',
  signOutAddress: 'https://portal.rossi.test/',
};
const builtIn: AnyRecord = {
  ...external,
  provider: 'built-in',
  source: 'default',
  variables: [],
  issuer: 'https://portal.rossi.test/idp',
  clientId: null,
  hasSecret: false,
  matching: 'email',
  hasPasskeys: true,
  needsFactor: true,
  redirectAddress: null,
  signOutAddress: null,
};

const failure: AnyRecord = {
  guid: guidOf(951),
  revision: 'r1',
  reason: 'no-account',
  email: 'mario.rossi@officina-meccanica.test',
  failedOn: ago(4),
  address: '2001:db8:0:0:8d3:1319:8a2e:370',
  detail: null,
};
const failures: readonly AnyRecord[] = [
  failure,
  {
    ...failure,
    guid: guidOf(952),
    reason: 'failed',
    email: null,
    detail: 'invalid_client, status 401: Client authentication failed',
    address: '203.0.113.7',
  },
  { ...failure, guid: guidOf(953), reason: 'wrong-password', email: 'anna@demo.test' },
];

const listed = (items: readonly AnyRecord[]): Answer => ({
  key: [
    ...['code', 'records', 'signInFailures', 'list'],
    { search: '', sort: '-failedOn', filters: {} },
  ],
  data: { pages: [{ items, next: null, total: null }], pageParams: [null] },
});

const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;

const found = {
  name: 'external',
  state: 'wrong',
  text: '',
  checks: [
    {
      what: 'metadata',
      state: 'ok',
      text: 'https://login.rossi.test responds, and its metadata names this issuer.',
    },
    {
      what: 'client',
      state: 'wrong',
      text: 'https://login.rossi.test refuses the client recodery with this secret (invalid_client).',
    },
    {
      what: 'redirect',
      state: 'unchecked',
      text: 'Whether the redirect address is registered cannot be seen without a sign-in.',
    },
  ],
} as const;

export function SignInParts() {
  return (
    <>
      <Part file="pages/admin/admin-record-page.tsx">
        <State
          {...frame}
          name="external sign-in provider"
          given={[operator, record('signIn', zeroGuid, { data: external }), listed(failures)]}
        >
          <AdminRecordPage name="signIn" guid={zeroGuid} />
        </State>
        <State
          {...frame}
          name="built-in sign-in provider"
          given={[operator, record('signIn', zeroGuid, { data: builtIn }), listed([])]}
        >
          <AdminRecordPage name="signIn" guid={zeroGuid} />
        </State>
      </Part>
      <Part file="pages/admin/admin-list-page.tsx">
        <State {...frame} name="failed sign-ins" given={[operator, listed(failures)]}>
          <AdminListPage name="signInFailures" />
        </State>
      </Part>
      <Part file="features/admin/sign-in/provider-notes.tsx">
        <State name="an external provider" given={[listed(failures)]}>
          <ProviderNotes record={external} failures={shownFailures} />
        </State>
        <State name="the built-in provider" given={[listed([])]}>
          <ProviderNotes record={builtIn} failures={shownFailures} />
        </State>
      </Part>
      <Part file="features/admin/actions/findings-dialog.tsx">
        <State name="the parts of a test" window={420}>
          <FindingsDialog
            findings={[{ ...found, checks: [...found.checks] }]}
            onClose={() => report('close')}
          />
        </State>
      </Part>
    </>
  );
}
