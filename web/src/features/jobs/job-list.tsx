/** The jobs that a search finds; more are loaded when the end of the list comes into view. */
import FolderSearch from 'lucide-react/icons/folder-search';
import FolderOpen from 'lucide-react/icons/folder-open';
import { useEffect, useRef } from 'react';
import { trueTime } from '../../api/server-clock.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSeeMore } from '../../ui/see-more.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { JobRow } from './job-row.tsx';
import { type JobQuery, useJobs } from './jobs.ts';

/** Calls `load` when the marked end of a list is about to come into view. */
function useEndInView(isActive: boolean, load: () => void) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = end;
    if (current === null || !isActive) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) load();
      },
      { rootMargin: '600px' },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isActive, load]);
  return end;
}

function Found({ query }: { readonly query: ReturnType<typeof useJobs> }) {
  const { t } = useTexts();
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const jobs = data?.pages.flat() ?? [];
  const { list, seeMore } = useSeeMore<HTMLUListElement>(jobs.length, query);
  const mayLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const end = useEndInView(mayLoad, () => void fetchNextPage());
  const now = trueTime(query.dataUpdatedAt);
  return (
    <>
      <ul
        ref={list}
        aria-label={t('menu.jobs')}
        aria-busy={query.isPlaceholderData || undefined}
        className="overflow-hidden rounded-l border border-line bg-surface"
      >
        {jobs.map((job) => (
          <JobRow key={job.slotGUID} job={job} now={now} />
        ))}
      </ul>
      {hasNextPage && (
        <div ref={end} className="flex justify-center">
          <Button isPending={isFetchingNextPage} onPress={() => void seeMore()}>
            {t('notifications.more')}
          </Button>
        </div>
      )}
    </>
  );
}

export interface JobListProps {
  readonly query: JobQuery;
}

export function JobList({ query }: JobListProps) {
  const { t } = useTexts();
  const jobs = useJobs(query);
  const isAll = Object.keys(query).length === 0;
  return (
    <Loaded
      query={jobs}
      waiting={
        <Panel>
          <Skeleton lines={8} className="py-2" />
        </Panel>
      }
    >
      {({ pages }) =>
        pages[0]?.length === 0 ? (
          <Panel>
            <div role="status">
              <EmptyState
                icon={isAll ? FolderOpen : FolderSearch}
                title={t(isAll ? 'jobs.empty' : 'jobs.none')}
              >
                {t(isAll ? 'jobs.invitation' : 'jobs.noneAbout')}
              </EmptyState>
            </div>
          </Panel>
        ) : (
          <Found query={jobs} />
        )
      }
    </Loaded>
  );
}
