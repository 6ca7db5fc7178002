/**
 * The pages for operators by their address: they are loaded together, because they consist of the same parts. The setup
 * and the user's account use some of these too, and are loaded after them.
 */
import { Navigate, useParams } from 'react-router';
import { isOperatorResource, resourcePages } from '../../features/admin/resource-pages.ts';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { AdminListPage } from './admin-list-page.tsx';
import { AdminOverviewPage } from './admin-overview-page.tsx';
import { AdminRecordPage } from './admin-record-page.tsx';
import { PeoplePages } from './people-pages.tsx';

export const AccountOnDemand = onDemand(
  async () => (await import('../account-page.tsx')).AccountPage,
);
export const SetupOnDemand = onDemand(async () => (await import('../setup-page.tsx')).SetupPage);

const DirectoryOnDemand = onDemand(async () => {
  const part = import('./admin-directory-page.tsx');
  return (await withTexts(part, 'directory')).AdminDirectoryPage;
});

function usePlace(): readonly string[] {
  return (useParams()['*'] ?? '').split('/');
}

function Page() {
  const [name = '', guid] = usePlace();
  if (name === '') return <AdminOverviewPage />;
  if (name === 'directory') return <DirectoryOnDemand />;
  // a section of another version
  if (!isOperatorResource(name)) return <Navigate to="/admin" replace />;
  const { single } = resourcePages[name];
  if (single !== undefined) return <AdminRecordPage key={name} name={name} guid={single} />;
  if (guid === undefined || guid === '') return <AdminListPage key={name} name={name} />;
  return <AdminRecordPage key={`${name} ${guid}`} name={name} guid={guid} />;
}

export function AdminPages() {
  const [name, guid = ''] = usePlace();
  // for managers, in the settings of their organization
  if (name === 'people') return <PeoplePages guid={guid} />;
  return (
    <AdminFrame>
      <Page />
    </AdminFrame>
  );
}
