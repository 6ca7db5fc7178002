/**
 * The pages for operators by their address: they are loaded together, because they consist of the same parts. The setup
 * and the user's account use some of these too, and are loaded after them.
 */
import { Navigate, useParams } from 'react-router';
import { isOperatorResource } from '../../features/admin/resource-pages.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { AdminListPage } from './admin-list-page.tsx';
import { AdminOverviewPage } from './admin-overview-page.tsx';
import { AdminRecordPage } from './admin-record-page.tsx';

export const AccountOnDemand = onDemand(
  async () => (await import('../account-page.tsx')).AccountPage,
);
export const PeopleOnDemand = onDemand(
  async () => (await import('../people-pages.tsx')).PeoplePages,
);
export const SetupOnDemand = onDemand(async () => (await import('../setup-page.tsx')).SetupPage);

function Page() {
  const [name = '', guid] = (useParams()['*'] ?? '').split('/');
  if (name === '') return <AdminOverviewPage />;
  // a section of another version
  if (!isOperatorResource(name)) return <Navigate to="/admin" replace />;
  if (guid === undefined || guid === '') return <AdminListPage key={name} name={name} />;
  return <AdminRecordPage key={`${name} ${guid}`} name={name} guid={guid} />;
}

export function AdminPages() {
  return (
    <AdminFrame>
      <Page />
    </AdminFrame>
  );
}
