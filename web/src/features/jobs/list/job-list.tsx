/** The jobs that a search finds, and how many; a button below loads more, so that the end of the page can be reached. */
import FolderSearch from 'lucide-react/icons/folder-search';
import FolderOpen from 'lucide-react/icons/folder-open';
import ListChecks from 'lucide-react/icons/list-checks';
import { useState } from 'react';
import { trueTime } from '../../../api/server-clock.ts';
import { numberText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { EmptyState } from '../../../ui/display/empty-state.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { useSeeMore } from '../../../ui/actions/see-more.ts';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { JobRow } from './job-row.tsx';
import type { KeepSelectedProps } from './keep-selected.tsx';
import { type JobQuery, useJobCount, useJobs } from '../jobs.ts';
import { onDemand } from '../../../ui/loading/on-demand.tsx';

const KeepSelected = onDemand(async () => (await import('./keep-selected.tsx')).KeepSelected);

interface SelectionProps extends Omit<KeepSelectedProps, 'selected'> {
  /** Null: jobs are not being selected. */
  readonly selected: KeepSelectedProps['selected'] | null;
}

/** The button that starts a selection, or what can be done with the selected jobs. */
function Selection({ selected, onChange, shown }: SelectionProps) {
  const { t } = useTexts();
  if (selected !== null)
    return <KeepSelected shown={shown} selected={selected} onChange={onChange} />;
  return (
    <Button
      look="quiet"
      size="small"
      icon={ListChecks}
      className="-mb-3 self-end"
      onPress={() => onChange(new Set())}
    >
      {t('jobs.select')}
    </Button>
  );
}

function Found({ query }: { readonly query: ReturnType<typeof useJobs> }) {
  const { t } = useTexts();
  const { data, hasNextPage, isFetchingNextPage } = query;
  const jobs = data?.pages.flat() ?? [];
  const { list, seeMore } = useSeeMore<HTMLUListElement>(jobs.length, query);
  const now = trueTime(query.dataUpdatedAt);
  /** The selected jobs; null: jobs are not being selected. */
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const select = (slotGUID: string, isSelected: boolean): void =>
    setSelected((before) => {
      const next = new Set(before);
      if (isSelected) next.add(slotGUID);
      else next.delete(slotGUID);
      return next;
    });
  return (
    <>
      <Selection
        shown={jobs.map(({ slotGUID }) => slotGUID)}
        selected={selected}
        onChange={setSelected}
      />
      <ul
        ref={list}
        aria-label={t('menu.jobs')}
        aria-busy={query.isPlaceholderData || undefined}
        className="overflow-hidden rounded-l border border-line bg-surface"
      >
        {jobs.map((job) => (
          <JobRow
            key={job.slotGUID}
            job={job}
            now={now}
            selection={
              selected === null
                ? undefined
                : {
                    isSelected: selected.has(job.slotGUID),
                    onChange: (isSelected) => select(job.slotGUID, isSelected),
                  }
            }
          />
        ))}
      </ul>
      {hasNextPage && (
        <div className="flex justify-center">
          <Button isPending={isFetchingNextPage} onPress={() => void seeMore()}>
            {t('notifications.more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** How many jobs a search finds. Rendered before the jobs are known, so that screen readers announce it. */
function Count({
  query,
  jobs,
}: {
  readonly query: JobQuery;
  readonly jobs: ReturnType<typeof useJobs>;
}) {
  const { t, language } = useTexts();
  const isSearch = Object.keys(query).length > 0;
  const shown = jobs.data?.pages.flat().length;
  // only the last page shows how many there are
  const isLonger = jobs.hasNextPage;
  const counted = useJobCount(query, isSearch && isLonger);
  const total = isLonger ? counted?.jobs : shown;
  const isKnown = isSearch && total !== undefined && !jobs.isPlaceholderData;
  return (
    <p role="status" className={isKnown && total > 0 ? '-mb-3 text-md text-ink-2' : 'sr-only'}>
      {isKnown &&
        t(isLonger && counted?.hasMore === true ? 'jobs.countMore' : 'jobs.count', {
          jobs: numberText(total, language),
        })}
    </p>
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
    <>
      <Count query={query} jobs={jobs} />
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
              <EmptyState
                icon={isAll ? FolderOpen : FolderSearch}
                title={t(isAll ? 'jobs.empty' : 'jobs.none')}
              >
                {t(isAll ? 'jobs.invitation' : 'jobs.noneAbout')}
              </EmptyState>
            </Panel>
          ) : (
            <Found query={jobs} />
          )
        }
      </Loaded>
    </>
  );
}
