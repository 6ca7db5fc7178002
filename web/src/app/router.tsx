/** Maps addresses to pages, and controls access to them. */
import type { Workflow } from '@recodery/contract/families/registry';
import type { ComponentType } from 'react';
import {
  createBrowserRouter,
  type MiddlewareFunction,
  redirectDocument,
  type RouteObject,
} from 'react-router';
import { readSessionId } from '../api/session-id.ts';
import { listedWorkflows, loadPage } from '../features/recoding/families/registry.ts';
import { workflowTitle } from '../features/recoding/families/workflow-names.ts';
import { configQuery } from '../features/service-status/service-status.ts';
import { sessionQuery } from '../features/session/session.ts';
import {
  beginLanguage,
  followCulture,
  onLanguageChange,
  type TextKey,
  type TextPart,
  withTexts,
} from '../i18n/texts.ts';
import { ownWordsOf } from '../i18n/own-words.ts';
import { Layout } from './layout.tsx';
import type { RouteHandle } from './no-access.tsx';
import { PageLoader } from './page-loader.tsx';
import { queryClient } from './query-client.ts';
import { RootError, RouteError } from './route-error.tsx';
import { loginAddress } from './session-end.ts';

/** Private routes: users who are not signed in go to the sign-in, which is a separate document. */
const requireSession: MiddlewareFunction = ({ request }) => {
  if (readSessionId() !== null) return;
  const { pathname, search } = new URL(request.url);
  // the address of a request has no fragment
  const fragment = pathname === location.pathname ? location.hash : '';
  throw redirectDocument(loginAddress(`${pathname}${search}${fragment}`));
};

/** Session and configuration are loaded before a private page is rendered. */
async function loadShell(): Promise<null> {
  try {
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      queryClient.ensureQueryData(configQuery),
    ]);
    await followCulture(session.culture);
    return null;
  } catch (thrown) {
    if (readSessionId() !== null) throw thrown;
    // The session has ended: the browser is on its way to the sign-in, and until then the page is loading.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
    return new Promise(() => {});
  }
}

// The configuration's links point to pages in the reader's language; the router below requests it immediately.
beginLanguage();
onLanguageChange(() => void queryClient.invalidateQueries({ queryKey: configQuery.queryKey }));

/** A route whose page is loaded when the user opens it; its title is shown to users who may not open it. */
function pageRoute(
  path: string,
  title: TextKey | RouteHandle['title'],
  load: () => Promise<ComponentType>,
  ...texts: TextPart[]
): RouteObject {
  const handle: RouteHandle = { title: typeof title === 'string' ? (t) => t(title) : title };
  return { path, handle, lazy: async () => ({ Component: await withTexts(load(), ...texts) }) };
}

/** The page of a workflow: its code, and what its family shows and calls. */
function recodingRoute(id: Workflow): RouteObject {
  const load = async (): Promise<ComponentType> => {
    const [{ RecodingPage }, page] = await Promise.all([
      import('../pages/recoding-page.tsx'),
      loadPage(id),
    ]);
    return () => <RecodingPage page={page} />;
  };
  return pageRoute(
    id,
    (t) => workflowTitle(t, id),
    load,
    'device',
    ...(ownWordsOf(id) === null ? [] : ['utility' as const]),
  );
}

/** A page about jobs, with texts that only they need. */
function jobRoute(path: string, load: () => Promise<ComponentType>): RouteObject {
  return pageRoute(path, 'menu.jobs', load, 'jobs');
}

/** A section of the settings, with texts that only the settings need. */
function settingsRoute(
  path: string,
  load: () => Promise<ComponentType>,
  ...texts: TextPart[]
): RouteObject {
  return pageRoute(path, 'menu.settings', load, 'settings', ...texts);
}

/** Administration, setup and account, which share the form and its fields. */
const administration = () => import('../pages/admin/admin-pages.tsx');

const routes: RouteObject[] = [
  {
    // for an installation without users, so without a session
    ...pageRoute(
      'setup',
      'menu.admin',
      async () => (await administration()).SetupOnDemand,
      'admin',
      'account',
    ),
    HydrateFallback: PageLoader,
    ErrorBoundary: RootError,
  },
  {
    middleware: [requireSession],
    loader: loadShell,
    // The shell's data is in the query cache; a page change need not wait for it again.
    shouldRevalidate: () => false,
    Component: Layout,
    HydrateFallback: PageLoader,
    ErrorBoundary: RootError,
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          pageRoute(
            '/',
            'home.title',
            async () => (await import('../pages/home/home-page.tsx')).HomePage,
            'home',
          ),
          ...listedWorkflows.map(recodingRoute),
          pageRoute(
            'trays',
            'home.trays',
            async () => (await import('../pages/trays/trays-page.tsx')).TraysPage,
            'tray',
          ),
          pageRoute(
            'trays/:guid',
            'home.tray',
            async () => (await import('../pages/trays/tray-page.tsx')).TrayPage,
            'tray',
            'foreign',
            'utility',
            'encode',
          ),
          pageRoute(
            'operations-log',
            'menu.operationsLog',
            async () => (await import('../pages/operations-log-page.tsx')).OperationsLogPage,
            'log',
          ),
          pageRoute(
            'notifications',
            'menu.notifications',
            async () => (await import('../pages/notifications-page.tsx')).NotificationsPage,
            'notifications',
          ),
          jobRoute('jobs', async () => (await import('../pages/jobs/jobs-page.tsx')).JobsPage),
          jobRoute(
            'jobs/:slotGUID',
            async () => (await import('../pages/jobs/job-page.tsx')).JobPage,
          ),
          settingsRoute(
            'settings',
            async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage,
            'preferences',
          ),
          settingsRoute(
            'settings/clients',
            async () => (await import('../pages/settings/settings-clients-page.tsx')).ClientsPage,
          ),
          settingsRoute(
            'settings/webhooks',
            async () => (await import('../pages/settings/settings-webhooks-page.tsx')).WebhooksPage,
          ),
          settingsRoute(
            'settings/engines',
            async () => (await import('../pages/settings/settings-engines-page.tsx')).EnginesPage,
          ),
          settingsRoute(
            'settings/storage',
            async () => (await import('../pages/settings/settings-storage-page.tsx')).StoragePage,
            'storage',
          ),
          pageRoute(
            'admin/*',
            'menu.admin',
            async () => (await administration()).AdminPages,
            'admin',
            'settings',
          ),
          pageRoute(
            'account',
            'layout.account',
            async () => (await administration()).AccountOnDemand,
            'admin',
            'account',
          ),
          pageRoute(
            '*',
            'notFound.title',
            async () => (await import('../pages/not-found-page.tsx')).NotFoundPage,
          ),
        ],
      },
    ],
  },
];

/** Starts at the current address: the page's code and data are requested immediately. */
export function startRouter() {
  return createBrowserRouter(routes);
}
