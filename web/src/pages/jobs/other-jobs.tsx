/** Other jobs of the vehicle of a job, loaded when there are some. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { JobRow } from '../../features/jobs/list/job-row.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Panel } from '../../ui/display/panel.tsx';

export interface OtherJobsProps {
  readonly jobs: readonly JobSummary[];
  readonly now: Date;
}

export function OtherJobs({ jobs, now }: OtherJobsProps) {
  const { t } = useTexts();
  return (
    <Panel title={t('job.others')}>
      <ul className="-mx-4 -mb-4 border-t border-line sm:-mx-[22px] sm:-mb-[18px]">
        {jobs.map((job) => (
          <JobRow key={job.slotGUID} job={job} now={now} />
        ))}
      </ul>
    </Panel>
  );
}
