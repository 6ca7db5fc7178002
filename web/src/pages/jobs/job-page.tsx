/** One job: the vehicle, the history of its files, the restore kit, the note, and other jobs of the vehicle. */
import type { Job, JobFile } from '@recodery/contract/features/jobs/jobs';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { trueTime } from '../../api/server-clock.ts';
import { ChangeMap } from '../../features/change-map/open-change-map.tsx';
import { decodeFailureOf } from '../../features/jobs/history/failed-decode.ts';
import {
  type ComparedImage,
  comparedImage,
  inOrder,
} from '../../features/jobs/history/compared-images.ts';
import { enteredFacts } from '../../features/jobs/facts/entered-facts.ts';
import { JobTimeline, type JobTimelineProps } from '../../features/jobs/history/job-timeline.tsx';
import { JobVehicle } from '../../features/jobs/facts/job-vehicle.tsx';
import { useJob, useReceiptCodes } from '../../features/jobs/jobs.ts';
import { vehicleFacts } from '../../features/jobs/facts/vehicle-facts.ts';
import { RestoreKitPanel } from '../../features/jobs/history/restore-kit-panel.tsx';
import { lookOf } from '../../features/recoding/families/part-look.ts';
import { type LivePages, useLivePages } from '../../features/recoding/flow/live-pages.ts';
import { mayEnter } from '../../features/session/entries.ts';
import { useSession } from '../../features/session/session.ts';
import { timeText } from '../../i18n/formats.ts';
import { ownWordsOf } from '../../i18n/own-words.ts';
import { OwnWords, useTexts, withTexts } from '../../i18n/texts.ts';
import { LongText } from '../../ui/display/long-text.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { LoadedPage } from '../loaded-page.tsx';
import { useSendEncoded } from '../send-encoded.ts';

const CompareChooser = onDemand(
  async () => (await import('../../features/jobs/history/compare-chooser.tsx')).CompareChooser,
);

// below what most users open the page for
const JobCustomer = onDemand(
  async () => (await import('../../features/jobs/facts/job-customer.tsx')).JobCustomer,
);
const JobNote = onDemand(
  async () => (await import('../../features/jobs/facts/job-note.tsx')).JobNote,
);
// most jobs have no failures
const DecodeFailure = onDemand(
  async () =>
    (await withTexts(import('../../features/jobs/history/job-failures.tsx'), 'foreign'))
      .DecodeFailure,
);
const FoundInJob = onDemand(
  async () => (await withTexts(import('./found-in-job.tsx'), 'encode')).FoundInJob,
);
const OtherJobs = onDemand(async () => (await import('./other-jobs.tsx')).OtherJobs);
const FailedEncodes = onDemand(
  async () => (await import('../../features/jobs/history/job-failures.tsx')).FailedEncodes,
);

function BackLink() {
  const { t } = useTexts();
  return (
    <p className="mb-1 flex items-center gap-1.5 text-md">
      <ArrowLeft size={16} aria-hidden="true" />
      <TextLink href="/jobs">{t('menu.jobs')}</TextLink>
    </p>
  );
}

/** The history, where two files can be chosen for the change map, and an encoded file be sent. */
function History({ job, now, onEncode, upload }: Omit<JobTimelineProps, 'receipts' | 'nameOf'>) {
  const { t } = useTexts();
  const receipts = useReceiptCodes(job);
  const nameOf = (component: string): string => t(lookOf(component).label);
  const [pair, setPair] = useState<readonly [ComparedImage, ComparedImage] | null>(null);
  const [asked, setAsked] = useState<ComparedImage | null>(null);
  const compare = (one: JobFile, other: JobFile | null): void => {
    const image = comparedImage(job, one, other);
    if (image === null) return;
    const second = other && comparedImage(job, other, one);
    if (second === null) setAsked(image);
    else setPair([image, second]);
  };
  const { onSend, dialog } = useSendEncoded(onEncode !== undefined);
  const { slotGUID, family, slaveSerialNumber: slave } = job;
  return (
    <>
      <JobTimeline
        job={job}
        now={now}
        receipts={receipts}
        nameOf={nameOf}
        onEncode={onEncode}
        upload={upload}
        onCompare={compare}
        onSend={
          onSend && (({ fileGUID, name }) => onSend({ slotGUID, fileGUID, family, name, slave }))
        }
      />
      {dialog}
      {asked !== null && (
        <CompareChooser
          image={asked}
          nameOf={nameOf}
          onChoose={(other) => {
            setAsked(null);
            setPair(inOrder(asked, other));
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {pair !== null && (
        <ChangeMap
          before={pair[0]}
          after={pair[1]}
          component={nameOf(pair[1].component ?? 'obd')}
          facts={[{ label: t('recoding.readFile'), value: job.fileName }, ...vehicleFacts(t, job)]}
          note={pair.some(({ isOfEncoded }) => isOfEncoded) ? t('job.compareEncoded') : undefined}
          onClose={() => setPair(null)}
        />
      )}
    </>
  );
}

/** Only for files from a demo. */
const DoubleNote = onDemand(
  async () =>
    (await withTexts(import('../../features/recoding/notices/double-note.tsx'), 'encode'))
      .DoubleNote,
);

/** Whether the job was decoded, or why not. Success is visible on the whole page, so it is only read out. */
function DecodeStatus({ job }: { readonly job: Job }) {
  const { t } = useTexts();
  const session = useSession();
  const { decodeOperationGUID, isDecoding, workflow } = job;
  const failure = decodeFailureOf(job);
  if (failure !== null) {
    const page = mayEnter(session, workflow) ? `/${workflow}` : null;
    return <DecodeFailure failure={failure} page={page} />;
  }
  const isDecoded = decodeOperationGUID !== null;
  const [text, look] =
    isDecoding === true
      ? (['operation.decoding', 'text-ink-2'] as const)
      : (['job.notDecoded', 'text-bad'] as const);
  return (
    <p role="status" className={isDecoded ? 'sr-only' : look}>
      {t(isDecoded ? 'operation.decoded' : text)}
    </p>
  );
}

/** The uploads of this tab for a job. */
const uploadTo = (pages: LivePages, slotGUID: string) => ({
  isRunning: () => pages.isUploadingTo(slotGUID),
  cancel: () => pages.forget(slotGUID),
  saved: () => pages.saved(slotGUID),
});

function Contents({ job, now }: { readonly job: Job; readonly now: Date }) {
  const { t } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const pages = useLivePages();
  const { slotGUID, workflow, decodeOperationGUID, otherJobs, failures = [] } = job;
  const address =
    decodeOperationGUID !== null && mayEnter(session, workflow)
      ? `/${workflow}?operation=${decodeOperationGUID}`
      : null;
  const encode = (): void => {
    if (address === null) return;
    void pages.forget(slotGUID);
    void navigate(address);
  };
  return (
    <>
      {address !== null && (
        <LinkButton look="primary" href={address} className="self-start max-sm:w-full">
          {t('job.open')}
        </LinkButton>
      )}
      <DecodeStatus job={job} />
      {job.isDouble && <DoubleNote family={job.family} />}
      <JobVehicle
        job={job}
        now={now}
        onDeleted={() => void navigate('/jobs', { replace: true, state: { hasAsked: true } })}
      />
      {job.recognized?.[0] && <FoundInJob job={job} />}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <History
            job={job}
            now={now}
            onEncode={address === null ? undefined : encode}
            upload={uploadTo(pages, slotGUID)}
          />
          {failures.length > 0 && <FailedEncodes failures={failures} now={now} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <RestoreKitPanel job={job} />
          <JobCustomer job={job} />
          <JobNote job={job} now={now} />
        </div>
      </div>
      {otherJobs.length > 0 && <OtherJobs jobs={otherJobs} now={now} />}
    </>
  );
}

export function JobPage() {
  const { t, language } = useTexts();
  const { slotGUID = '' } = useParams();
  const query = useJob(slotGUID);
  const now = trueTime(query.dataUpdatedAt);
  const { data } = query;
  const title = data?.fileName ?? t('job.title');
  return (
    <LoadedPage
      query={query}
      title={title}
      head={
        <div>
          <BackLink />
          <PageTitle title={title}>
            {data !== undefined && (
              <p>
                <LongText>
                  {[
                    ...enteredFacts(data),
                    data.vin,
                    data.engine,
                    timeText(data.createdOn, now, language),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </LongText>
              </p>
            )}
          </PageTitle>
        </div>
      }
    >
      {(job) => (
        <OwnWords value={ownWordsOf(job.workflow)}>
          <Contents key={job.slotGUID} job={job} now={now} />
        </OwnWords>
      )}
    </LoadedPage>
  );
}
