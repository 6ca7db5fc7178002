/** Resources with filters, tasks and exports, and those that set up the installation. */
import { ListFilters } from '../../../src/features/admin/list/list-filters.tsx';
import { MarkdownField } from '../../../src/features/admin/form/markdown-field.tsx';
import { declaredResource } from '../../../src/features/admin/resource-pages.ts';
import { WholeResource } from '../../../src/features/admin/list/whole-resource.tsx';
import { AdminListPage } from '../../../src/pages/admin/admin-list-page.tsx';
import { AdminRecordPage } from '../../../src/pages/admin/admin-record-page.tsx';
import type { AnyRecord } from '../../../src/features/admin/records/records.ts';
import { list, now, operator, organisations, pagesOf, record } from '../../made/admin-records.ts';
import { type Answer, guidOf } from '../../made/answers.ts';
import { Part, report, State } from '../../state.tsx';

const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();

const email = {
  guid: guidOf(980),
  revision: 'r1',
  email: 'garage@rossi.test',
  status: 'failed',
  kind: 'file',
  customerCode: 'CC-1001',
  createdOn: ago(40),
  nextOn: null,
  sentOn: null,
  attempts: 1,
  error: '550 5.7.1 <garage@rossi.test>: Recipient address rejected: access denied',
};
const emails: readonly AnyRecord[] = [
  {
    ...email,
    guid: guidOf(981),
    status: 'waiting',
    kind: 'invitation',
    nextOn: ago(-3),
    error: '451 4.7.1 Try again later',
  },
  email,
  {
    ...email,
    guid: guidOf(982),
    email: 'mario.rossi@officina-meccanica.test',
    status: 'sent',
    kind: 'password',
    customerCode: null,
    sentOn: ago(90),
    error: null,
  },
];

const gib = 1024 ** 3;
const stored: readonly AnyRecord[] = organisations.map(({ guid, customerCode, name }, at) => ({
  guid,
  revision: 'r1',
  customerCode: customerCode ?? null,
  name: name ?? null,
  usedBytes: [93.5 * gib, 12 * gib, 0, 0][at] ?? 0,
  quotaBytes: 100 * gib,
  usedPercent: [94, 12, 0, 0][at] ?? 0,
  damaged: at === 1 ? 2 : 0,
  retentionDays: 365,
}));

const version: AnyRecord = {
  guid: guidOf(995),
  revision: 'r1',
  version: '2027-01',
  state: 'current',
  source: 'page',
  variables: [],
  publishedOn: ago(900),
  acceptances: 12,
  asksAgain: true,
  articles: ['4.2', '7'],
  en: '# Terms of use\n\nBetween you and Rossi Tuning.\n\n## 1. Scope\n\nAll files.',
  it: '# Condizioni d’uso\n\n## 1. Oggetto\n\nTutti i file.',
  ...Object.fromEntries(['de', 'fr', 'es', 'pt', 'pl', 'ru', 'zh'].map((name) => [name, null])),
};
const versions: readonly AnyRecord[] = [
  { ...version, guid: guidOf(996), version: '2027-02', state: 'draft', publishedOn: null },
  version,
  { ...version, guid: guidOf(997), version: '2026-11', state: 'former', source: 'default' },
];

const setting: AnyRecord = {
  guid: guidOf(961),
  revision: 'r1',
  name: 'link.support',
  value: 'https://rossi.test/help',
  lines: [],
  image: null,
  source: 'page',
  variable: null,
  about: null,
  type: 'link',
  isEditable: true,
};
const fixedSetting = { source: 'environment', isEditable: false, type: 'fixed' } as const;
const settings: readonly AnyRecord[] = [
  setting,
  { ...setting, guid: guidOf(962), name: 'productName', value: null, source: 'default' },
  {
    ...setting,
    ...fixedSetting,
    guid: guidOf(963),
    name: 'RECODERY_PUBLIC_URL',
    value: 'https://portal.rossi.test',
    variable: 'RECODERY_PUBLIC_URL',
    about: 'Address that browsers use, and that all links start with.',
  },
  {
    ...setting,
    ...fixedSetting,
    guid: guidOf(964),
    type: 'secret',
    name: 'RECODERY_SMTP_URL',
    value: '••••••••',
    variable: 'RECODERY_SMTP_URL',
  },
];

const keysOf = (purpose: string, at: number): AnyRecord => ({
  guid: guidOf(970 + at),
  revision: 'r1',
  purpose,
  createdOn: ago(80_000),
  renewOn: purpose === 'master' ? null : ago(-400_000),
  valid: purpose === 'master' ? 14 : 2,
  retired: at,
  care: purpose === 'master' ? 'stay' : 'renew',
});
const keys = ['session', 'share', 'master'].map(keysOf);

const details = {
  guid: guidOf(990),
  changes: { operator: [false, true], rights: [['kess3'], ['kess3', 'recod']] },
};
const entry = {
  guid: '00000000-0000-0000-0000-0000000012fb',
  revision: 'r1',
  on: ago(5),
  who: 'olga@demo.test',
  whoKind: 'user',
  action: 'adminUsers.update',
  outcome: 'done',
  customerCode: null,
  address: '203.0.113.7',
  position: 4859,
  details: JSON.stringify(details, null, 2),
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
const entries: readonly AnyRecord[] = [
  entry,
  {
    ...entry,
    guid: '00000000-0000-0000-0000-0000000012fa',
    on: ago(9),
    who: 'anna@demo.test',
    action: 'kess3.encodeFile',
    customerCode: 'CC-1001',
  },
  {
    ...entry,
    guid: '00000000-0000-0000-0000-0000000012f9',
    on: ago(70),
    who: null,
    whoKind: 'anyone',
    action: 'sign-in',
    outcome: 'wrong password',
    address: '2001:db8:0:0:8d3:1319:8a2e:370',
  },
];

const listed = (name: string, sort: string, items: readonly AnyRecord[]): Answer => ({
  key: ['code', 'records', name, 'list', { search: '', sort, filters: {} }],
  data: { pages: [{ items, next: null, total: null }], pageParams: [null] },
});

function Filters() {
  const resource = declaredResource('audit');
  const noOrganisations: Answer = {
    key: ['code', 'records', 'organisations', 'suggestions', ''],
    data: { items: [], next: null, total: 0 },
  };
  return (
    <>
      <Part file="features/admin/list/list-filters.tsx">
        <State name="none in use" given={[noOrganisations]}>
          <ListFilters
            {...{ resource }}
            filters={{}}
            onFilters={(next) => report(JSON.stringify(next))}
          />
        </State>
        <State name="two in use" given={[noOrganisations]}>
          <ListFilters
            {...{ resource }}
            filters={{ who: 'anna@demo.test', action: 'adminUsers' }}
            onFilters={(next) => report(JSON.stringify(next))}
          />
        </State>
      </Part>
      <Part file="features/admin/form/markdown-field.tsx">
        {[String(version['en']), null].map((value) => (
          <State key={value} name={value === null ? 'empty' : 'filled'}>
            <MarkdownField
              name="en"
              field={{ kind: 'markdown', edit: 'always', most: 60_000 }}
              label="English"
              hint={null}
              error={value === null ? 'This is too long.' : null}
              value={value}
              onChange={(next) => report(String(next))}
            />
          </State>
        ))}
      </Part>
      <Part file="features/admin/list/whole-resource.tsx">
        <State name="a task and downloads">
          <WholeResource {...{ resource }} query={{ search: '', sort: '-on', filters: {} }} />
        </State>
      </Part>
    </>
  );
}

const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;

function ListPages() {
  return (
    <Part file="pages/admin/admin-list-page.tsx">
      <State {...frame} name="emails" given={[operator, listed('emails', '-createdOn', emails)]}>
        <AdminListPage name="emails" />
      </State>
      <State
        {...frame}
        name="storage"
        given={[operator, list('storage', '-usedBytes', pagesOf(stored))]}
      >
        <AdminListPage name="storage" />
      </State>
      <State
        {...frame}
        name="settings"
        given={[operator, list('settings', 'name', pagesOf(settings))]}
      >
        <AdminListPage name="settings" />
      </State>
      <State {...frame} name="keys" given={[operator, list('keys', 'purpose', pagesOf(keys))]}>
        <AdminListPage name="keys" />
      </State>
      <State
        {...frame}
        name="terms of use"
        given={[operator, list('terms', '-publishedOn', pagesOf(versions))]}
      >
        <AdminListPage name="terms" />
      </State>
      <State {...frame} name="audit trail" given={[operator, listed('audit', '-on', entries)]}>
        <AdminListPage name="audit" />
      </State>
    </Part>
  );
}

function RecordPages() {
  return (
    <Part file="pages/admin/admin-record-page.tsx">
      <State
        {...frame}
        name="failed email"
        given={[operator, record('emails', email.guid, { data: email })]}
      >
        <AdminRecordPage name="emails" guid={email.guid} />
      </State>
      <State
        {...frame}
        name="setting"
        given={[operator, record('settings', guidOf(961), { data: setting })]}
      >
        <AdminRecordPage name="settings" guid={guidOf(961)} />
      </State>
      <State
        {...frame}
        name="terms in force"
        given={[operator, record('terms', guidOf(995), { data: version })]}
      >
        <AdminRecordPage name="terms" guid={guidOf(995)} />
      </State>
      <State
        {...frame}
        name="entry of the audit trail"
        given={[operator, record('audit', entry.guid, { data: entry })]}
      >
        <AdminRecordPage name="audit" guid={entry.guid} />
      </State>
    </Part>
  );
}

export function WholeParts() {
  return (
    <>
      <Filters />
      <ListPages />
      <RecordPages />
    </>
  );
}
