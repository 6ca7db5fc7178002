/** Maps addresses to pages, and controls access to them. */
import type { Workflow } from '@recodery/contract/families/registry';
import {
  createBrowserRouter,
  type MiddlewareFunction,
  redirectDocument,
  type RouteObject,
} from 'react-router';
import { readSessionId } from '../api/session-id.ts';
import { listedWorkflows, loadPage } from '../features/families/workflows.ts';
import { configQuery } from '../features/service-status/service-status.ts';
import { sessionQuery } from '../features/session/session.ts';
import { beginLanguage, followCulture, onLanguageChange, type TextKey } from '../i18n/texts.ts';
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
  throw redirectDocument(loginAddress(`${pathname}${search}`));
};

/** Session and configuration are loaded before a private page is rendered. */
async function loadShell(): Promise<null> {
  const [session] = await Promise.all([
    queryClient.ensureQueryData(sessionQuery),
    queryClient.ensureQueryData(configQuery),
  ]);
  await followCulture(session.culture);
  return null;
}

// The configuration's links point to pages in the reader's language; the router below requests it immediately.
beginLanguage();
onLanguageChange(() => void queryClient.invalidateQueries({ queryKey: configQuery.queryKey }));

/** The name of a route's page, for users who may not open it. */
const named = (title: TextKey): RouteHandle => ({ title });

/** The page of a workflow: its code, and what its family shows and calls. */
function recodingRoute(id: Workflow): RouteObject {
  return {
    path: id,
    handle: named(`page.${id}`),
    lazy: async () => {
      const [{ RecodingPage }, page] = await Promise.all([
        import('../pages/recoding-page.tsx'),
        loadPage(id),
      ]);
      return { element: <RecodingPage key={id} page={page} /> };
    },
  };
}

const routes: RouteObject[] = [
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
          {
            index: true,
            handle: named('home.title'),
            lazy: async () => ({ Component: (await import('../pages/home-page.tsx')).HomePage }),
          },
          ...listedWorkflows.map(recodingRoute),
          {
            path: 'operations-log',
            handle: named('menu.operationsLog'),
            lazy: async () => ({
              Component: (await import('../pages/operations-log-page.tsx')).OperationsLogPage,
            }),
          },
          {
            path: 'notifications',
            handle: named('menu.notifications'),
            lazy: async () => ({
              Component: (await import('../pages/notifications-page.tsx')).NotificationsPage,
            }),
          },
          {
            path: 'settings',
            handle: named('menu.settings'),
            lazy: async () => ({
              Component: (await import('../pages/settings-page.tsx')).SettingsPage,
            }),
          },
          {
            path: '*',
            handle: named('notFound.title'),
            lazy: async () => ({
              Component: (await import('../pages/not-found-page.tsx')).NotFoundPage,
            }),
          },
        ],
      },
    ],
  },
];

/** Starts at the current address: the page's code and data are requested immediately. */
export function startRouter() {
  return createBrowserRouter(routes);
}
