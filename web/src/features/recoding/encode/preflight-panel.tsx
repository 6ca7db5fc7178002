/**
 * The checks before encoding: unobtrusive if everything passed, otherwise what to look at, or what blocks the encode.
 */
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon, type IconPart } from '../../../ui/display/icon.tsx';
import { useNews } from '../flow/news.ts';
import type { RefusedParts } from '../inputs.ts';
import { checksWith } from '../preflight-answer.ts';
import { PreflightLines, type PreflightLinesProps, statusLooks } from './preflight-lines.tsx';
import { limitsOf, preflightSummary, type Verdict } from './preflight-summary.ts';
import type { Preflight } from './use-preflight.ts';

const grounds = {
  // unobtrusive: nothing needs to be done
  quiet: 'bg-sunken',
  amber: 'bg-modified-soft',
  red: 'bg-bad-soft',
} as const;

interface BoxProps {
  readonly ground: keyof typeof grounds;
  readonly icon: IconPart;
  readonly ink: string;
  readonly title: string;
  readonly isTurning?: boolean;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** One frame for all states, so that the layout does not shift. A title that will not change at once is announced. */
function Box({ ground, icon, ink, title, isTurning = false, action, children }: BoxProps) {
  useNews(isTurning ? null : title);
  return (
    <div className={classNames('rounded-s px-4 py-3 forced-colors:border', grounds[ground])}>
      <div className="flex min-h-6 items-center gap-3">
        <Icon
          of={icon}
          size={20}
          className={classNames(ink, isTurning && 'motion-safe:animate-spin')}
        />
        <p className="min-w-0 flex-1 font-semibold">{title}</p>
        {action}
      </div>
      {children}
    </div>
  );
}

/** The checks that need no attention, behind a line that opens them. */
function Rest({ checks, all }: PreflightLinesProps) {
  const { t } = useTexts();
  if (checks.length === 0) return null;
  return (
    <details className="group mt-1">
      <summary className="-mx-1 flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-s px-1 text-md text-ink-2 hover:text-ink">
        <Icon of={ChevronRight} size={16} className="transition-transform group-open:rotate-90" />
        {t('checks.rest')}
      </summary>
      <PreflightLines checks={checks} all={all} />
    </details>
  );
}

/** The look of each summary. Only the first is green; each has an icon and a title of its own. */
const verdicts: Readonly<Record<Verdict, Pick<BoxProps, 'ground' | 'icon' | 'ink'>>> = {
  passed: { ground: 'quiet', ...statusLooks.green },
  limited: { ground: 'quiet', ...statusLooks.unchecked },
  open: { ground: 'amber', ...statusLooks.amber },
  blocked: { ground: 'red', ...statusLooks.red },
};

interface CheckedProps extends Pick<PreflightPanelProps, 'refused'> {
  readonly answer: PreflightAnswer;
}

function Checked({ answer, refused }: CheckedProps) {
  const texts = useTexts();
  const { checks: all } = answer;
  const { verdict, title } = preflightSummary(texts, answer, refused);
  const isBlocked = verdict === 'blocked';
  const limits = isBlocked ? [] : limitsOf(answer);
  const shown = [...checksWith('red', answer), ...checksWith('amber', answer), ...limits];
  return (
    <Box {...verdicts[verdict]} title={title}>
      {shown.length > 0 && (
        <div className="mt-1">
          <PreflightLines checks={shown} all={all} canRepair />
        </div>
      )}
      <Rest checks={all.filter((check) => !shown.includes(check))} all={all} />
    </Box>
  );
}

export interface PreflightPanelProps {
  readonly preflight: Preflight;
  /** The parts whose last file was refused or not uploaded. */
  readonly refused: RefusedParts;
  /** The look of its heading. */
  readonly className?: string;
}

export function PreflightPanel({ preflight, refused, className }: PreflightPanelProps) {
  const { t } = useTexts();
  if (preflight.at === 'none') return null;
  return (
    <div>
      <h3 className={className}>{t('recoding.checks.title')}</h3>
      <State preflight={preflight} refused={refused} />
    </div>
  );
}

function State({ preflight, refused }: Omit<PreflightPanelProps, 'className'>) {
  const { t } = useTexts();
  switch (preflight.at) {
    case 'none':
      return null;
    case 'checking':
      return (
        <Box
          ground="quiet"
          icon={LoaderCircle}
          ink="text-ink-2"
          title={t('recoding.checks.running')}
          isTurning
        />
      );
    case 'late':
      return (
        <Box
          ground="amber"
          icon={LoaderCircle}
          ink="text-modified"
          title={t('recoding.checks.late')}
        />
      );
    case 'failed':
      return (
        <Box
          ground="amber"
          icon={CircleDashed}
          ink="text-modified"
          title={t('recoding.checks.failed')}
          action={
            <Button size="small" onPress={preflight.again}>
              {t('recoding.checks.again')}
            </Button>
          }
        />
      );
    case 'checked':
      return <Checked answer={preflight.answer} refused={refused} />;
  }
}
