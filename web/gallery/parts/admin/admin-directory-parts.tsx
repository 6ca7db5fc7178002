/** The directory file: the page, and a preview in each of its states. */
import type { PreviewedChange } from '@recodery/contract/admin/directory';
import {
  DirectoryPanels,
  Preview,
} from '../../../src/features/admin/directory/directory-panels.tsx';
import { PreviewedChanges } from '../../../src/features/admin/directory/previewed-changes.tsx';
import { AdminDirectoryPage } from '../../../src/pages/admin/admin-directory-page.tsx';
import { operator } from '../../made/admin-records.ts';
import { Part, report, State } from '../../state.tsx';

const changes: readonly PreviewedChange[] = [
  {
    kind: 'organisation',
    key: 'CC-9001',
    action: 'add',
    fields: [
      { name: 'name', before: null, after: 'Garage Rossi' },
      { name: 'culture', before: null, after: 'it-IT' },
      { name: 'rights', before: null, after: 'kess3, recod' },
    ],
    moves: [],
  },
  {
    kind: 'slave',
    key: 'kess3 KS3-000007',
    action: 'change',
    fields: [
      { name: 'owner', before: 'CC-1001', after: 'CC-9001' },
      { name: 'revoked', before: 'true', after: 'false' },
    ],
    moves: ['moves from the owner CC-1001 to CC-9001'],
  },
  {
    kind: 'user',
    key: 'paolo.neri.with.a.very.long.address@officina-meccanica-di-precisione.test',
    action: 'remove',
    fields: [{ name: 'name', before: 'Paolo Neri', after: null }],
    moves: [],
  },
];
const shared = {
  fileName: 'directory_2026-11-28.yaml',
  isNew: false,
  isPending: false,
  onApply: (move: boolean) => report(`apply ${move}`),
  onClear: () => report('clear'),
};

export function DirectoryParts() {
  const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;
  return (
    <>
      <Part file="features/admin/directory/directory-panels.tsx">
        <State name="no file yet">
          <DirectoryPanels />
        </State>
        <State name="changes, one moves a device">
          <Preview {...shared} {...{ changes }} mistakes={[]} />
        </State>
        <State name="changed by a colleague">
          <Preview {...shared} isNew changes={changes.slice(0, 1)} mistakes={[]} />
        </State>
        <State name="nothing to change">
          <Preview {...shared} changes={[]} mistakes={[]} />
        </State>
        <State name="refused">
          <Preview
            {...shared}
            changes={[]}
            mistakes={[
              { line: 14, text: 'slave KS3-000007: its owner CC-9009 does not exist' },
              {
                line: null,
                text: 'the last operator must stay one: make another user an operator first',
              },
            ]}
          />
        </State>
      </Part>
      <Part file="features/admin/directory/previewed-changes.tsx">
        <State name="added, changed, removed">
          <PreviewedChanges {...{ changes }} />
        </State>
      </Part>
      <Part file="pages/admin/admin-directory-page.tsx">
        <State {...frame} name="the page" given={[operator]}>
          <AdminDirectoryPage />
        </State>
      </Part>
    </>
  );
}
