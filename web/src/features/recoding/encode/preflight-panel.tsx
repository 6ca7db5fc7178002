/**
 * The checks before encoding: unobtrusive if everything passed, otherwise what to look at, or what blocks the encode.
 */
import type { PreflightAnswer, PreflightCheck } from '@recodery/contract/features/preflight';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon, type IconPart } from '../../../ui/icon.tsx';
import { PreflightLines, statusLooks } from './preflight-lines.tsx';
import type { Preflight } from './use-preflight.ts';

const grounds = {
  // unobtrusive: nothing needs to be done
  green: 'bg-sunken',
  amber: 'bg-modified-soft',
  red: 'bg-bad-soft',
  open: 'bg-sunken',
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

/** One frame for all states, so that the layout does not shift and each new title is announced. */
function Box({ ground, icon, ink, title, isTurning = false, action, children }: BoxProps) {
  return (
    <div className={classNames('rounded-s px-4 py-3 forced-colors:border', grounds[ground])}>
      <div className="flex min-h-6 items-center gap-3">
        <Icon
          of={icon}
          size={20}
          className={classNames(ink, isTurning && 'motion-safe:animate-spin')}
        />
        <p role="status" className="min-w-0 flex-1 font-semibold">
          {title}
        </p>
        {action}
      </div>
      {children}
    </div>
  );
}

/** The checks that need no attention, behind a line that opens them. */
function Rest({ checks }: { readonly checks: readonly PreflightCheck[] }) {
  const { t } = useTexts();
  if (checks.length === 0) return null;
  return (
    <details className="group mt-1">
      <summary className="-mx-1 flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-s px-1 text-md text-ink-2 hover:text-ink">
        <Icon of={ChevronRight} size={16} className="transition-transform group-open:rotate-90" />
        {t('checks.rest')}
      </summary>
      <PreflightLines checks={checks} />
    </details>
  );
}

function Checked({ answer: { status, checks } }: { readonly answer: PreflightAnswer }) {
  const { t } = useTexts();
  const of = (wanted: PreflightCheck['status']) => checks.filter((one) => one.status === wanted);
  const open = [...of('red'), ...of('amber')];
  const { icon, ink } = statusLooks[status];
  const titles = {
    green: () => t('checks.passed'),
    amber: () => t('checks.open', { count: open.length }),
    red: () => t('checks.stopped'),
  };
  return (
    <Box ground={status} icon={icon} ink={ink} title={titles[status]()}>
      {open.length > 0 && (
        <div className="mt-1">
          <PreflightLines checks={open} />
        </div>
      )}
      <Rest checks={[...of('green'), ...of('unchecked')]} />
    </Box>
  );
}

export interface PreflightPanelProps {
  readonly preflight: Preflight;
  /** The look of its heading. */
  readonly className?: string;
}

export function PreflightPanel({ preflight, className }: PreflightPanelProps) {
  const { t } = useTexts();
  if (preflight.at === 'none') return null;
  return (
    <div>
      <h3 className={className}>{t('recoding.checks.title')}</h3>
      <State preflight={preflight} />
    </div>
  );
}

function State({ preflight }: Pick<PreflightPanelProps, 'preflight'>) {
  const { t } = useTexts();
  switch (preflight.at) {
    case 'none':
      return null;
    case 'checking':
      return (
        <Box
          ground="open"
          icon={LoaderCircle}
          ink="text-ink-2"
          title={t('recoding.checks.running')}
          isTurning
        />
      );
    case 'failed':
      return (
        <Box
          ground="open"
          icon={CircleDashed}
          ink="text-ink-2"
          title={t('recoding.checks.failed')}
          action={
            <Button size="small" onPress={preflight.again}>
              {t('recoding.checks.again')}
            </Button>
          }
        />
      );
    case 'checked':
      return <Checked answer={preflight.answer} />;
  }
}
