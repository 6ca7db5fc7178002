/** A page whose content comes from one query: its title and content, or why the user may not open it. */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { ReactNode } from 'react';
import { thrownProblem } from '../i18n/problems.ts';
import { useTexts } from '../i18n/texts.ts';
import { ForbiddenScreen } from '../ui/loading/forbidden-screen.tsx';
import { Loaded, type LoadedProps } from '../ui/loading/loaded.tsx';
import { PageTitle } from '../ui/display/page-title.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';

export interface LoadedPageProps<T> extends Pick<LoadedProps<T>, 'query' | 'children'> {
  readonly title: string;
  /** The line below the title, and what is to its right. */
  readonly about?: ReactNode;
  readonly aside?: ReactNode;
  /** Replaces all three above the content. */
  readonly head?: ReactNode;
}

export function LoadedPage<T>({ query, title, about, aside, head, children }: LoadedPageProps<T>) {
  const { t } = useTexts();
  const { data, error } = query;
  if (data === undefined && error instanceof Refusal && statusOf(error.code) === 403) {
    return <ForbiddenScreen {...thrownProblem(t, error)} pageTitle={title} />;
  }
  return (
    <div className="flex flex-col gap-6">
      {head ?? (
        <PageTitle title={title} aside={aside}>
          <p className="max-w-[70ch]">{about}</p>
        </PageTitle>
      )}
      <Loaded
        query={query}
        waiting={
          <Panel>
            <Skeleton lines={8} className="py-2" />
          </Panel>
        }
      >
        {children}
      </Loaded>
    </div>
  );
}
