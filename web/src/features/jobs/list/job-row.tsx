/** One job in a list: the file, the vehicle, the slave and the user, what was made, and when. */
import { definitionOf } from '@recodery/contract/families/registry';
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { warningDays } from '@recodery/contract/features/jobs/kept-jobs';
import Hourglass from 'lucide-react/icons/hourglass';
import Pin from 'lucide-react/icons/pin';
import StickyNote from 'lucide-react/icons/sticky-note';
import { jobPath } from '../../../api/job-path.ts';
import { timeText } from '../../../i18n/formats.ts';
import { ownWordsOf } from '../../../i18n/own-words.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { Link } from '../../../ui/actions/link.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { iconOf } from '../../recoding/families/registry.ts';
import { enteredFacts } from '../facts/entered-facts.ts';

export interface JobRowProps {
  readonly job: JobSummary;
  /** The reference time for formatting times. */
  readonly now: Date;
  /** While jobs are being selected: whether this one is. The row then opens nothing. */
  readonly selection?:
    | { readonly isSelected: boolean; readonly onChange: (isSelected: boolean) => void }
    | undefined;
}

const warningMs = warningDays * 86_400_000;

/** The known facts, on one line. */
function Facts({ facts }: { readonly facts: readonly (string | null)[] }) {
  const known = facts.filter((fact) => fact !== null && fact !== '');
  return <LongText>{known.join(' · ')}</LongText>;
}

/** What became of the job. The words differ in length, so they are below the name, where they may wrap. */
function States({ job, now }: Pick<JobRowProps, 'job' | 'now'>) {
  const { t, language } = useTexts(ownWordsOf(job.workflow));
  const { state, isKept, expiresOn = null, encodedFiles } = job;
  const isDecoded = state === undefined || state === 'decoded';
  const isExpiring = expiresOn !== null && Date.parse(expiresOn) - now.getTime() < warningMs;
  if (isDecoded && !isKept && !isExpiring && encodedFiles === 0) return null;
  return (
    <p className="mt-1.5 flex flex-wrap gap-x-2.5 gap-y-1">
      {state === 'failed' && <Badge state="bad">{t('operation.notDecoded')}</Badge>}
      {state === 'decoding' && <Badge state="neutral">{t('operation.decoding')}</Badge>}
      {isKept && (
        <Badge state="good">
          <Icon of={Pin} size={14} className="mr-1" />
          {t('jobs.kept')}
        </Badge>
      )}
      {isExpiring && (
        <Badge state="modified">
          <Icon of={Hourglass} size={14} className="mr-1" />
          {t('jobs.expires', { time: timeText(expiresOn, now, language) })}
        </Badge>
      )}
      {encodedFiles > 0 && (
        <Badge state="neutral">{t('jobs.encoded', { files: encodedFiles })}</Badge>
      )}
    </p>
  );
}

/** The file's name; it opens the job, unless jobs are being selected. */
function Name({ job, selection }: Omit<JobRowProps, 'now'>) {
  const name = <LongText>{job.fileName}</LongText>;
  if (selection !== undefined) return <span className="text-base font-medium">{name}</span>;
  return (
    <Link
      href={jobPath(job.slotGUID)}
      className="rounded-[3px] text-base font-medium after:absolute after:inset-0 group-hover:underline"
    >
      {name}
    </Link>
  );
}

/** The family's icon, or the checkbox while jobs are being selected. */
function Lead({ job, selection }: Omit<JobRowProps, 'now'>) {
  const { t } = useTexts();
  const { name } = definitionOf(job.family);
  return (
    <span className="pt-px text-ink-2" title={name}>
      {selection === undefined ? (
        <Icon of={iconOf(job.workflow)} size={20} />
      ) : (
        <Checkbox {...selection} coversParent>
          <span className="sr-only">{t('jobs.selectOne', { name: job.fileName })}</span>
        </Checkbox>
      )}
      <span className="sr-only">{name}</span>
    </span>
  );
}

export function JobRow({ job, now, selection }: JobRowProps) {
  const { vin, engine, protocolID, protocolName } = job;
  const { t, language } = useTexts();
  return (
    <li
      tabIndex={-1}
      className="group relative grid grid-cols-[1.25rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 border-line px-4 py-3.5 text-md outline-offset-[-2px] not-first:border-t hover:bg-sunken/60 sm:px-[22px] md:grid-cols-[1.25rem_minmax(0,1.6fr)_minmax(0,1fr)_minmax(8.5rem,max-content)]"
    >
      <Lead job={job} selection={selection} />
      <div className="min-w-0">
        <Name job={job} selection={selection} />
        <p className="font-medium">
          <Facts facts={enteredFacts(job)} />
        </p>
        <p className="text-ink-2">
          {vin !== null && vin !== '' && <span className="font-mono text-sm">{vin}</span>}
          {vin !== null && vin !== '' && engine !== null && ' · '}
          {engine !== null && <LongText>{engine}</LongText>}
        </p>
        {job.note !== null && (
          <p className="mt-0.5 flex items-start gap-1.5 text-sm text-ink-2">
            <Icon of={StickyNote} size={14} className="mt-[3px] shrink-0" />
            <span className="sr-only">{t('job.note')}: </span>
            <span className="line-clamp-2 wrap-anywhere" title={job.note}>
              {job.note}
            </span>
          </p>
        )}
        <States job={job} now={now} />
      </div>
      <div className="min-w-0 max-md:col-start-2">
        <p>
          <Facts facts={[protocolName ?? (protocolID === null ? null : String(protocolID))]} />
        </p>
        <p className="text-sm text-ink-2">
          <Facts facts={[job.slaveSerialNumber, job.userDisplayName]} />
        </p>
      </div>
      <time
        dateTime={job.createdOn}
        className="whitespace-nowrap text-ink-2 tabular-nums max-md:col-start-2 md:text-right"
      >
        {timeText(job.createdOn, now, language)}
      </time>
    </li>
  );
}
