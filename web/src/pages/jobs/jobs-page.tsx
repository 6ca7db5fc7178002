/** All jobs: found by a search, by filters, or by the content of a file. */
import { useMemo } from 'react';
import { useNavigation, useSearchParams } from 'react-router';
import { useFileHash } from '../../features/jobs/file-hash.ts';
import { parametersOf, readSearch, toQuery, writeSearch } from '../../features/jobs/job-address.ts';
import { JobFinder, type JobFinderProps } from '../../features/jobs/list/job-finder.tsx';
import { JobList } from '../../features/jobs/list/job-list.tsx';
import { useJobFilters } from '../../features/jobs/jobs.ts';
import { useSession } from '../../features/session/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { ProgressBar } from '../../ui/display/progress-bar.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';

const FoundFiles = onDemand(
  async () => (await import('../../features/jobs/list/found-files.tsx')).FoundFiles,
);

const noFilters = { devices: [], people: [] };
const hashForm = /^[0-9a-f]{64}(,[0-9a-f]{64})*$/;

export function JobsPage() {
  const { t } = useTexts();
  const { customerCode, customerCodeNames } = useSession();
  const organisation = [customerCode, customerCodeNames[customerCode]].filter(Boolean).join(' ');
  const [parameters, setParameters] = useSearchParams();
  const isLeaving = useNavigation().state !== 'idle';
  const filters = useJobFilters().data ?? noFilters;
  const search = readSearch(parameters);
  const sha256 = parameters.get('sha256') ?? '';
  const address = parameters.toString();
  const query = useMemo(() => toQuery(readSearch(new URLSearchParams(address))), [address]);
  const hashing = useFileHash(({ hashes }, file) => {
    setParameters(parametersOf(hashes, file.name), { preventScrollReset: true });
  });
  // typing one search or date adds one step to the browser history
  const change: JobFinderProps['onChange'] = (next, typed) => {
    // typed text is passed on after a pause; it would cancel the navigation to a page that is still loading
    if (typed !== null && isLeaving) return;
    setParameters(writeSearch(next), {
      replace: typed !== null && search[typed] !== '' && next[typed] !== '',
      preventScrollReset: true,
    });
  };
  return (
    <div className="flex flex-col gap-6">
      <PageTitle title={t('menu.jobs')}>
        <p className="max-w-[70ch]">
          <LongText>{t('jobs.about', { organisation })}</LongText>
        </p>
      </PageTitle>
      <JobFinder search={search} filters={filters} onChange={change} onFile={hashing.start} />
      {hashing.progress !== null && (
        <Panel>
          <ProgressBar
            label={t('jobs.searching', { name: hashing.progress.name })}
            fraction={hashing.progress.fraction}
            action={
              <Button size="small" onPress={hashing.stop}>
                {t('ui.cancel')}
              </Button>
            }
          />
        </Panel>
      )}
      {hashForm.test(sha256) ? (
        <FoundFiles
          sha256={sha256}
          name={parameters.get('file') ?? ''}
          onClose={() => setParameters({}, { preventScrollReset: true })}
        />
      ) : (
        <JobList query={query} />
      )}
    </div>
  );
}
