/** Why a job's decode or encodes failed, with advice and code. */
import type { JobFailure } from '@recodery/contract/features/jobs/job-history';
import { timeText } from '../../../i18n/formats.ts';
import { operationProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';

export interface DecodeFailureProps {
  readonly failure: JobFailure;
  /** The page on which another file is decoded; null: the user has no access to it. */
  readonly page: string | null;
}

/** Why the read of a job could not be decoded. */
export function DecodeFailure({ failure, page }: DecodeFailureProps) {
  const { t } = useTexts();
  return (
    <ProblemPanel
      {...operationProblem(t, failure.error)}
      actions={
        page !== null && (
          <LinkButton look="primary" href={page}>
            {t('recoding.decodeNew')}
          </LinkButton>
        )
      }
    />
  );
}

export interface FailedEncodesProps {
  readonly failures: readonly JobFailure[];
  readonly now: Date;
}

/** The encodes of a job that failed, newest first; nothing if there are none. */
export function FailedEncodes({ failures, now }: FailedEncodesProps) {
  const { t, language } = useTexts();
  const encodes = failures.filter(({ isDecode }) => !isDecode).toReversed();
  if (encodes.length === 0) return null;
  return (
    <Panel title={t('job.failedEncodes')}>
      <ul className="flex flex-col gap-4">
        {encodes.map(({ operationGUID, completedOn, userDisplayName, error }) => {
          const { headline, advice, code } = operationProblem(t, error);
          return (
            <li key={operationGUID} className="text-md text-ink-2">
              <h3 className="text-base font-semibold text-bad">{headline}</h3>
              <p className="tabular-nums">
                {[timeText(completedOn, now, language), userDisplayName]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
              <p className="max-w-[70ch] text-ink">{advice}</p>
              <div className="-ml-1.5">
                <CopyCode code={code} />
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
