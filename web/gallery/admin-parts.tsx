/** The administration: the one list, the one form, and their pages. */
import { users as declaredUsers } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { ReactNode } from 'react';
import { ActOnRecords } from '../src/features/admin/act-on-records.tsx';
import { ImageField } from '../src/features/admin/image-field.tsx';
import { RecordConflict } from '../src/features/admin/record-conflict.tsx';
import { RecordEditor } from '../src/features/admin/record-editor.tsx';
import { RecordField, type RecordFieldProps } from '../src/features/admin/record-field.tsx';
import { RecordList } from '../src/features/admin/record-list.tsx';
import { RecordPage } from '../src/features/admin/record-page.tsx';
import { RecordTable } from '../src/features/admin/record-table.tsx';
import type { AnyRecord } from '../src/features/admin/records.ts';
import { declaredResource, resourcePages } from '../src/features/admin/resource-pages.ts';
import { SelectedRecords } from '../src/features/admin/selected-records.tsx';
import { ValueCell } from '../src/features/admin/value-cell.tsx';
import { useTexts } from '../src/i18n/texts.ts';
import { AdminFrame } from '../src/pages/admin/admin-frame.tsx';
import { AdminListPage } from '../src/pages/admin/admin-list-page.tsx';
import { AdminOverviewPage } from '../src/pages/admin/admin-overview-page.tsx';
import { AdminPages } from '../src/pages/admin/admin-pages.tsx';
import { AdminRecordPage } from '../src/pages/admin/admin-record-page.tsx';
import { type Answer, broken, guidOf, session } from './answers.ts';
import { Part, report, State } from './state.tsx';

const operator: Answer = { key: ['session'], data: { ...session, isOperator: true } };
const now = new Date();
const logo = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="teal"/></svg>')}`;

const longName = `Officina Meccanica di Precisione ${'Fratelli Bartolomeo '.repeat(3)}`;
const organisations: readonly AnyRecord[] = [
  ['CC-1001', 'Officina Demo', 'officina@demo.test', 'it-IT', 3, 4],
  ['CC-2002', 'Tuning Nord', 'nord@demo.test', 'de-DE', 12, 2],
  ['CC-3003', longName, null, 'en-US', 0, 0],
  ['CC-9001', 'Garage Rossi', 'garage@rossi.test', 'it-IT', 1, 0],
].map(([customerCode, name, email, culture, users, masters], at) => ({
  guid: guidOf(900 + at),
  revision: 'r1',
  customerCode: customerCode ?? null,
  name: name ?? null,
  email: email ?? null,
  culture: culture ?? null,
  rights: ['kess3', 'ktag', 'recod'],
  groupCodes: ['G-10', 'G-11'],
  logo: at === 0 ? logo : null,
  users: users ?? 0,
  masters: masters ?? 0,
}));
const user: AnyRecord = {
  guid: guidOf(950),
  revision: 'r1',
  email: 'anna@demo.test',
  name: 'Anna Conti',
  culture: 'it-IT',
  customerCodes: ['CC-1001', 'CC-2002', 'CC-3003', 'CC-9001'],
  manager: ['CC-1001'],
  operator: false,
  portalAccess: true,
  hasPassword: true,
};
const people: readonly AnyRecord[] = [
  user,
  {
    ...user,
    guid: guidOf(951),
    email: 'olga@demo.test',
    name: 'Olga Meier',
    customerCodes: ['CC-1001'],
    operator: true,
  },
  {
    ...user,
    guid: guidOf(952),
    email: 'paolo@demo.test',
    name: 'Paolo Neri',
    customerCodes: ['CC-1001'],
    manager: [],
    portalAccess: false,
  },
];

const [organisation = user] = organisations;
const list = (name: string, sort: string, answer: Omit<Answer, 'key'>, search = ''): Answer => ({
  key: ['code', 'records', name, 'list', { search, sort }],
  ...answer,
});
const pagesOf = (items: readonly AnyRecord[], next: string | null = null) => ({
  data: { pages: [{ items, next, total: next === null ? items.length : 312 }], pageParams: [null] },
});
const record = (name: string, guid: string, answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'records', name, 'record', guid],
  ...answer,
});
const noSuggestions = ['organisations', 'engines', 'masters'].flatMap((name) =>
  ['', 'built-in'].map(
    (typed): Answer => ({
      key: ['code', 'records', name, 'suggestions', typed],
      data: { items: [], next: null, total: 0 },
    }),
  ),
);

function Words({ children }: { readonly children: (t: ReturnType<typeof useTexts>) => ReactNode }) {
  return children(useTexts());
}

function Lists() {
  const resource = declaredResource('users');
  const { icon } = resourcePages.users;
  const empty = { icon, title: 'No one yet', about: 'Add someone.' };
  const shared = {
    resource,
    label: 'People',
    query: { search: '', sort: 'email' },
    onQuery: ({ search, sort }: { search: string; sort: string }) => report(`${search} ${sort}`),
    base: '/admin/users',
    empty,
  };
  return (
    <>
      <Part file="features/admin/record-list.tsx">
        <State name="filled" given={[list('users', 'email', pagesOf(people))]}>
          <RecordList {...shared} />
        </State>
        <State name="with more" given={[list('users', 'email', pagesOf(people, '50'))]}>
          <RecordList {...shared} />
        </State>
        <State name="empty" given={[list('users', 'email', pagesOf([]))]}>
          <RecordList {...shared} />
        </State>
        <State name="nothing found" given={[list('users', 'email', pagesOf([]), 'zzz')]}>
          <RecordList {...shared} query={{ search: 'zzz', sort: 'email' }} />
        </State>
        <State name="loading" given={[list('users', 'email', {})]}>
          <RecordList {...shared} />
        </State>
        <State name="network error" given={[list('users', 'email', { thrown: broken })]}>
          <RecordList {...shared} />
        </State>
      </Part>
      <Part file="features/admin/record-table.tsx">
        <State name="sorted downward, one selected">
          <RecordTable
            label="Records"
            columns={[
              { name: 'code', label: 'Code', isSortable: true, isNumber: false },
              { name: 'count', label: 'Count', isSortable: true, isNumber: true },
            ]}
            rows={['one', 'two', 'three'].map((title, at) => ({
              id: title,
              title,
              href: `/admin/x/${title}`,
              cells: [String(at)],
              summary: `count ${at}`,
              isInactive: at === 2,
            }))}
            sort="-code"
            onSort={report}
            selected={new Set(['two'])}
            onSelect={(id, isSelected) => report(`${id} ${isSelected}`)}
            isBusy={false}
            body={null}
          />
        </State>
      </Part>
      <Part file="features/admin/selected-records.tsx">
        <State name="two users">
          <SelectedRecords
            resource={resource}
            records={people.slice(0, 2)}
            onDone={() => report('done')}
          />
        </State>
      </Part>
      <Part file="features/admin/act-on-records.tsx">
        <State name="a question before">
          <ActOnRecords
            resource={resource}
            records={[user]}
            actions={['invite', 'suspend', 'remove']}
            onDone={report}
          />
        </State>
      </Part>
      <Part file="features/admin/value-cell.tsx">
        <State name="kinds">
          <Words>
            {({ t, language }) => (
              <div className="flex flex-wrap gap-4">
                {(
                  [
                    ['operator', 'switch', true],
                    ['portalAccess', 'switch', false],
                    ['customerCodes', 'references', ['A', 'B', 'C', 'D', 'E']],
                    ['quota', 'bytes', 5 * 1024 ** 3],
                    ['family', 'choice', 'kessv2'],
                    ['state', 'choice', 'expired'],
                  ] as const
                ).map(([name, kind, value]) => (
                  <ValueCell key={name} writing={{ t, language, now }} {...{ name, kind, value }} />
                ))}
              </div>
            )}
          </Words>
        </State>
      </Part>
    </>
  );
}

const inputs: readonly Pick<RecordFieldProps, 'name' | 'field' | 'label' | 'value' | 'error'>[] = [
  { name: 'name', field: { kind: 'text', edit: 'always' }, label: 'Text', value: 'A', error: null },
  {
    name: 'serial',
    field: { kind: 'text', edit: 'always' },
    label: 'Refused',
    value: 'KS3',
    error: 'This already exists.',
  },
  {
    name: 'count',
    field: { kind: 'number', edit: 'always' },
    label: 'Number',
    value: 7,
    error: null,
  },
  {
    name: 'quota',
    field: { kind: 'bytes', edit: 'always' },
    label: 'Size',
    value: 5_368_709_120,
    error: null,
  },
  {
    name: 'operator',
    field: { kind: 'switch', edit: 'always' },
    label: 'Switch',
    value: true,
    error: null,
  },
  {
    name: 'culture',
    field: { kind: 'choice', edit: 'always', options: ['it-IT', 'de-DE'] },
    label: 'Choice',
    value: null,
    error: null,
  },
  {
    name: 'rights',
    field: { kind: 'choices', edit: 'always', options: ['kess3', 'recod'] },
    label: 'Choices',
    value: ['recod'],
    error: null,
  },
  {
    name: 'groupCodes',
    field: { kind: 'list', edit: 'always' },
    label: 'List',
    value: ['G-10', 'G-11'],
    error: null,
  },
  {
    name: 'owner',
    field: { kind: 'reference', edit: 'always', to: 'organisations', by: 'customerCode' },
    label: 'Reference',
    value: null,
    error: null,
  },
];

function Forms() {
  return (
    <>
      <Part file="features/admin/record-field.tsx">
        <State name="kinds" given={noSuggestions}>
          <div className="flex flex-col gap-4">
            {inputs.map((input) => (
              <RecordField
                key={input.name}
                {...input}
                hint={null}
                onChange={(value) => report(JSON.stringify(value))}
              />
            ))}
          </div>
        </State>
      </Part>
      <Part file="features/admin/image-field.tsx">
        {(
          [
            ['a logo', logo, null],
            ['none, refused', null, 'This is too long.'],
          ] as const
        ).map(([name, value, error]) => (
          <State key={name} name={name}>
            <ImageField
              name="logo"
              field={{ kind: 'image', edit: 'always', most: 131_072 }}
              label="Logo"
              hint={null}
              {...{ value, error }}
              onChange={(next) => report(JSON.stringify(next).slice(0, 25))}
            />
          </State>
        ))}
      </Part>
      <Part file="features/admin/record-conflict.tsx">
        {(['clash', 'other fields'] as const).map((name) => (
          <State key={name} name={name}>
            <Words>
              {({ t, language }) => (
                <RecordConflict
                  resource={declaredUsers}
                  writing={{ t, language, now }}
                  overtaken={{
                    taken: [{ field: 'operator', before: false, theirs: true }],
                    clashes:
                      name === 'clash'
                        ? [{ field: 'name', before: 'Anna', theirs: 'Anna C.', mine: 'Anna Conti' }]
                        : [],
                  }}
                  onDecide={(takesTheirs) => report(takesTheirs ? 'theirs' : 'mine')}
                />
              )}
            </Words>
          </State>
        ))}
      </Part>
      <Part file="features/admin/record-editor.tsx">
        <State name="a new user" given={noSuggestions}>
          <RecordEditor
            resource={declaredResource('users')}
            record={null}
            defaults={{ portalAccess: true }}
            create="Add user"
            onSaved={() => report('saved')}
          />
        </State>
        <State name="an existing user" given={noSuggestions}>
          <RecordEditor
            resource={declaredResource('users')}
            record={user}
            defaults={{}}
            create=""
            onSaved={() => report('saved')}
          />
        </State>
      </Part>
      <Part file="features/admin/record-page.tsx">
        <State name="read only" given={[record('engines', guidOf(960), { data: engine })]}>
          <RecordPage
            resource={declaredResource('engines')}
            guid={guidOf(960)}
            list={{ href: '/admin/engines', text: 'Engines' }}
            add=""
            defaults={{}}
            related={[]}
          />
        </State>
      </Part>
    </>
  );
}

const engine: AnyRecord = {
  guid: guidOf(960),
  revision: 'r1',
  name: 'built-in',
  kind: 'built-in',
  families: ['kessv2', 'ktag', 'kess3'],
  masters: 4,
};

const counts = (['organisations', 'users', 'masters', 'slaves', 'engines'] as const).map(
  (name, at): Answer => ({ key: ['code', 'records', name, 'list', 'count'], data: 4 + at * 97 }),
);

function Pages() {
  const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;
  const listed = (answer: Omit<Answer, 'key'>) => list('organisations', 'customerCode', answer);
  const one = (answer: Omit<Answer, 'key'>) => record('organisations', organisation.guid, answer);
  return (
    <>
      <Part file="pages/admin/admin-frame.tsx">
        <State {...frame} name="no operator">
          <AdminFrame>Nothing.</AdminFrame>
        </State>
      </Part>
      <Part file="pages/admin/admin-overview-page.tsx">
        <State {...frame} name="filled" given={[operator, ...counts]}>
          <AdminOverviewPage />
        </State>
      </Part>
      <Part file="pages/admin/admin-list-page.tsx">
        {(
          [
            ['filled', pagesOf(organisations)],
            ['empty', pagesOf([])],
            ['network error', { thrown: broken }],
          ] as const
        ).map(([name, answer]) => (
          <State key={name} {...frame} name={name} given={[operator, listed(answer)]}>
            <AdminListPage name="organisations" />
          </State>
        ))}
      </Part>
      <Part file="pages/admin/admin-record-page.tsx">
        {(
          [
            ['filled', { data: organisation }],
            ['loading', {}],
            ['removed meanwhile', { thrown: new Refusal('NOT_FOUND') }],
          ] as const
        ).map(([name, answer]) => (
          <State key={name} {...frame} name={name} given={[operator, one(answer)]}>
            <AdminRecordPage name="organisations" guid={organisation.guid} />
          </State>
        ))}
        <State {...frame} name="new slave" given={[operator, ...noSuggestions]}>
          <AdminRecordPage name="slaves" guid="new" />
        </State>
      </Part>
      <Part file="pages/admin/admin-pages.tsx">
        <State {...frame} name="another version" at="/admin/nothing" given={[operator, ...counts]}>
          <AdminPages />
        </State>
      </Part>
    </>
  );
}

export function AdminParts() {
  return (
    <>
      <Lists />
      <Forms />
      <Pages />
    </>
  );
}
