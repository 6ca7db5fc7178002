/** The administration: the one list, the one form, and their pages. */
import { Refusal } from '@recodery/contract/refusal';
import { ActOnRecords } from '../../../src/features/admin/actions/act-on-records.tsx';
import { RecordList } from '../../../src/features/admin/list/record-list.tsx';
import { RecordTable } from '../../../src/features/admin/list/record-table.tsx';
import {
  declaredResource,
  operatorResources,
  resourcePages,
} from '../../../src/features/admin/resource-pages.ts';
import { SelectedRecords } from '../../../src/features/admin/list/selected-records.tsx';
import { ValueCell } from '../../../src/features/admin/list/value-cell.tsx';
import { AdminFrame } from '../../../src/pages/admin/admin-frame.tsx';
import { AdminListPage } from '../../../src/pages/admin/admin-list-page.tsx';
import { AdminOverviewPage } from '../../../src/pages/admin/admin-overview-page.tsx';
import { AdminPages } from '../../../src/pages/admin/admin-pages.tsx';
import { AdminRecordPage } from '../../../src/pages/admin/admin-record-page.tsx';
import { installation, OverviewParts } from './admin-overview-parts.tsx';
import { DirectoryParts } from './admin-directory-parts.tsx';
import { BackupParts } from './admin-backup-parts.tsx';
import { SlavesParts } from './admin-slaves-parts.tsx';
import { SignInParts } from './admin-sign-in-parts.tsx';
import { WholeParts } from './admin-whole-parts.tsx';
import { FormParts, Words } from './admin-form-parts.tsx';
import {
  list,
  noSuggestions,
  now,
  operator,
  organisation,
  organisations,
  pagesOf,
  people,
  record,
  user,
} from '../../made/admin-records.ts';
import { type Answer, broken } from '../../made/answers.ts';
import { Part, report, State } from '../../state.tsx';

const filtered = { search: '', sort: 'email', filters: { name: 'Zoe' } };

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
      <Part file="features/admin/list/record-list.tsx">
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
        <State
          name="nothing with these filters"
          given={[{ ...pagesOf([]), key: ['code', 'records', 'users', 'list', filtered] }]}
        >
          <RecordList {...shared} query={filtered} />
        </State>
        <State name="loading" given={[list('users', 'email', {})]}>
          <RecordList {...shared} />
        </State>
        <State name="network error" given={[list('users', 'email', { thrown: broken })]}>
          <RecordList {...shared} />
        </State>
      </Part>
    </>
  );
}

function Tables() {
  return (
    <>
      <Part file="features/admin/list/record-table.tsx">
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
    </>
  );
}

function Rows() {
  const resource = declaredResource('users');
  return (
    <>
      <Part file="features/admin/list/selected-records.tsx">
        <State name="two users">
          <SelectedRecords
            resource={resource}
            records={people.slice(0, 2)}
            onDone={() => report('done')}
          />
        </State>
      </Part>
      <Part file="features/admin/actions/act-on-records.tsx">
        <State name="a question before">
          <ActOnRecords
            resource={resource}
            records={[user]}
            actions={['invite', 'suspend', 'remove']}
            onDone={report}
          />
        </State>
      </Part>
      <Part file="features/admin/list/value-cell.tsx">
        <State name="kinds">
          <Words>
            {({ t, language }) => (
              <div className="flex flex-wrap gap-4">
                {(
                  [
                    ['operator', 'switch', true],
                    ['accountSuspended', 'switch', true],
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

const counts = operatorResources.map(
  (name, at): Answer => ({ key: ['code', 'records', name, 'list', 'count'], data: 4 + at * 97 }),
);

const shown = { search: '', sort: 'customerCode', filters: {} };
const listed = (answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'records', 'organisations', 'list', shown],
  ...answer,
});

const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;

function Frame() {
  return (
    <Part file="pages/admin/admin-frame.tsx">
      <State {...frame} name="no operator">
        <AdminFrame>Nothing.</AdminFrame>
      </State>
      <State {...frame} at="/admin/acceptances" name="part of a section" given={[operator]}>
        <AdminFrame>
          <h1>The page</h1>
        </AdminFrame>
      </State>
    </Part>
  );
}

function Pages() {
  const one = (answer: Omit<Answer, 'key'>) => record('organisations', organisation.guid, answer);
  return (
    <>
      <Frame />
      <Part file="pages/admin/admin-overview-page.tsx">
        <State {...frame} name="filled" given={[operator, ...counts, ...installation]}>
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
        <State
          {...frame}
          name="another version"
          at="/admin/nothing"
          given={[operator, ...counts, ...installation]}
        >
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
      <Tables />
      <Rows />
      <FormParts />
      <OverviewParts />
      <WholeParts />
      <BackupParts />
      <SlavesParts />
      <SignInParts />
      <DirectoryParts />
      <Pages />
    </>
  );
}
