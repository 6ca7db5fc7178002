/** The page's state at a glance: read file, decoded, modified, encoded, and the current content of each step. */
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../class-names.ts';
import { Icon, type IconPart } from './icon.tsx';

export type StepState = 'done' | 'current' | 'failed' | 'waiting';

export interface ProgressStep {
  readonly id: string;
  readonly label: string;
  /** The content of the step: a file name, a count; null shows a dash. */
  readonly detail: string | null;
  readonly state: StepState;
  readonly icon: IconPart;
}

const words = {
  done: 'ui.step.done',
  current: 'ui.step.current',
  failed: 'ui.step.failed',
  waiting: 'ui.step.waiting',
} as const;

const marks: Readonly<Record<StepState, string>> = {
  done: 'text-good',
  current: 'text-accent',
  failed: 'text-bad',
  waiting: 'text-ink-3',
};

function Step({ step }: { readonly step: ProgressStep }) {
  const { t } = useTexts();
  const { state, label, detail } = step;
  const icon = state === 'done' ? Check : state === 'failed' ? CircleAlert : step.icon;
  return (
    <li
      aria-current={state === 'current' || state === 'failed' ? 'step' : undefined}
      className={classNames(
        'flex min-w-0 flex-1 flex-col items-center gap-1 border-line px-0.5 py-2.5 not-first:border-l sm:flex-row sm:gap-3.5 sm:px-4 sm:py-3',
        state === 'current' && 'bg-accent-soft',
        state === 'failed' && 'bg-bad-soft',
        // the grounds above are invisible in forced colors
        (state === 'current' || state === 'failed') &&
          'forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]',
      )}
    >
      <Icon of={icon} size={18} className={marks[state]} />
      <div className="min-w-0 max-w-full text-center sm:text-left">
        <p
          className={classNames(
            'text-xs font-semibold hyphens-auto break-words xs:text-sm sm:text-md',
            state === 'current' && 'text-accent',
            state === 'failed' && 'text-bad',
            state === 'waiting' && 'text-ink-3',
          )}
        >
          {label}
          <span className="sr-only">, {t(words[state])}</span>
        </p>
        <p className="hidden truncate text-sm text-ink-2 sm:block" title={detail ?? undefined}>
          {detail ?? '—'}
        </p>
      </div>
    </li>
  );
}

export interface ProgressStripProps {
  readonly steps: readonly ProgressStep[];
  /** What is known about the latest step; announced with it, so that nothing else speaks at the same time. */
  readonly news?: readonly string[];
}

/** Four steps; the last completed and the current step are announced as they change. */
export function ProgressStrip({ steps, news = [] }: ProgressStripProps) {
  const { t } = useTexts();
  const done = steps.findLast(({ state }) => state === 'done');
  const current = steps.find(({ state }) => state === 'current' || state === 'failed');
  const announced = news.length === 0 ? [done, current] : [current ?? done];
  return (
    <>
      <ol
        aria-label={t('ui.progressStrip')}
        className="flex overflow-hidden rounded-m border border-line bg-surface"
      >
        {steps.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announced
          .flatMap((step) => (step === undefined ? [] : [step]))
          .map(({ label, state, detail }) => [label, t(words[state]), detail])
          .map((facts) => facts.filter((fact) => fact !== null).join(', '))
          .concat(news)
          .join('. ')}
      </p>
    </>
  );
}
