/** The pages for operators, the setup and the user's account by their address: they are loaded together, because they consist of the same parts. */
import { Navigate, useLocation, useParams } from 'react-router';
import { isOperatorResource } from '../../features/admin/resource-pages.ts';
import { AccountPage } from '../account-page.tsx';
import { SetupPage } from '../setup-page.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { AdminListPage } from './admin-list-page.tsx';
import { AdminOverviewPage } from './admin-overview-page.tsx';
import { AdminRecordPage } from './admin-record-page.tsx';

function Page() {
  const [name = '', guid] = (useParams()['*'] ?? '').split('/');
  if (name === '') return <AdminOverviewPage />;
  // a section of another version
  if (!isOperatorResource(name)) return <Navigate to="/admin" replace />;
  if (guid === undefined || guid === '') return <AdminListPage key={name} name={name} />;
  return <AdminRecordPage key={`${name} ${guid}`} name={name} guid={guid} />;
}

export function AdminPages() {
  const { pathname } = useLocation();
  if (pathname === '/account') return <AccountPage />;
  if (pathname === '/setup') return <SetupPage />;
  return (
    <AdminFrame>
      <Page />
    </AdminFrame>
  );
}
