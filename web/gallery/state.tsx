/** The environment of each state in the gallery: a router, fixed responses, and an iframe if it needs the whole window. */
import type { QueryKey } from '@tanstack/react-query';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Layout } from '../src/app/layout.tsx';
import { call } from '../src/api/call.ts';
import { Work, WorkContext } from '../src/api/work.ts';
import { SupportAddress } from '../src/ui/actions/support-link.tsx';
import { ToastList } from '../src/ui/toasts/toast-region.tsx';
import { type Answer, answers } from './made/answers.ts';

/** The options in the gallery's address; `only` names a single state, which is then alone in the window. */
export interface View {
  readonly only: string | null;
}
/** Used instead of a state: lists all states without rendering any. */
export const namesAlone = 'names';
export const ViewContext = createContext<View>({ only: null });
const PartContext = createContext('');

/** Records the reports of a component in the document, where the gallery tests read them. */
export function report(words: string): void {
  const { dataset } = document.documentElement;
  dataset.reports = dataset.reports === undefined ? words : `${dataset.reports}, ${words}`;
}

/** A query client without a server: each query has a fixed response, or is pending. */
function clientWith(own: readonly Answer[]): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { enabled: false, retry: false, gcTime: Number.POSITIVE_INFINITY },
    },
  });
  const given = [...answers.filter(({ key }) => !own.some((other) => sameKey(key, other.key)))];
  for (const { key, data, thrown } of [...given, ...own]) {
    const query = client.getQueryCache().build(client, { queryKey: key });
    if (data !== undefined) client.setQueryData(key, data);
    else if (thrown === undefined) query.setState({ fetchStatus: 'fetching' });
    if (thrown !== undefined) {
      query.setState({
        status: 'error',
        error: thrown,
        errorUpdatedAt: Date.now(),
        fetchStatus: 'idle',
      });
    }
  }
  return client;
}

function sameKey(one: QueryKey, other: QueryKey): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface EnvironmentProps {
  readonly at: string;
  readonly path: string;
  readonly isInLayout: boolean;
  readonly given: readonly Answer[];
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

function Environment({ at, path, isInLayout, given, instead, children }: EnvironmentProps) {
  const [client] = useState(() => clientWith(given));
  const [work] = useState(() => new Work(call, client));
  const [router] = useState(() => {
    const page = { path, element: children, errorElement: instead };
    return createMemoryRouter([isInLayout ? { Component: Layout, children: [page] } : page], {
      initialEntries: [at],
    });
  });
  return (
    <QueryClientProvider client={client}>
      <SupportAddress value="#support">
        <WorkContext value={work}>
          <RouterProvider router={router} />
        </WorkContext>
      </SupportAddress>
    </QueryClientProvider>
  );
}

/** A component with all its states; `file` is its path under `src/`. */
export function Part({ file, children }: { readonly file: string; readonly children: ReactNode }) {
  const { only } = use(ViewContext);
  const states = <PartContext value={file}>{children}</PartContext>;
  // without rendering the states of other parts: a single state takes less time
  if (only !== null && only !== namesAlone && !only.startsWith(`${file}: `)) return null;
  if (only !== null && only !== namesAlone) return states;
  return (
    <section className="g-part" id={file}>
      <h2>
        {file.split('/').at(-1)} <small>{file}</small>
      </h2>
      {states}
    </section>
  );
}

export interface StateProps {
  readonly name: string;
  readonly children: ReactNode;
  /** The address that the component sees. */
  readonly at?: string;
  /** The route's path, for a page that reads parameters from its address. */
  readonly path?: string;
  /** Inside of the page's frame, with header, menu and footer. */
  readonly isInLayout?: boolean;
  /** Responses that differ from those in `answers.ts`. */
  readonly given?: readonly Answer[];
  /** Shown if the component throws. */
  readonly instead?: ReactNode;
  /** For a component that needs the whole window (a dialog, a page): its height in px in the gallery. */
  readonly window?: number;
}

/** One state of a component. */
export function State({
  name,
  children,
  at = '/kess3',
  path = '*',
  isInLayout = false,
  given = [],
  instead = 'This part broke down: see the console.',
  window: height,
}: StateProps) {
  const { only } = use(ViewContext);
  const part = use(PartContext);
  const id = `${part}: ${name}`;
  if (only !== null && only !== namesAlone && only !== id) return null;
  const environment = (
    <Environment at={at} path={path} isInLayout={isInLayout} given={given} instead={instead}>
      {children}
    </Environment>
  );
  if (only === namesAlone) {
    return (
      <figure className="g-state">
        <figcaption>{name}</figcaption>
      </figure>
    );
  }
  if (only === id) {
    return (
      <>
        {environment}
        {!isInLayout && <ToastList />}
      </>
    );
  }
  const address = `/gallery.html${location.search}#only=${encodeURIComponent(id)}`;
  return (
    <figure className="g-state">
      <figcaption>{name}</figcaption>
      {height === undefined ? (
        environment
      ) : (
        <iframe title={id} src={address} height={height} loading="lazy" />
      )}
    </figure>
  );
}

/** Small components side by side. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className="g-row">{children}</div>;
}
