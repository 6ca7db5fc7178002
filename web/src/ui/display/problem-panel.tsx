/** Shows what failed and what to do, with actions; the code is next to it in small type. */
import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../actions/button.tsx';
import { CopyCode } from '../actions/copy-code.tsx';
import { Icon } from './icon.tsx';
import { SupportLink } from '../actions/support-link.tsx';

export interface ProblemPanelProps {
  /** The headline: what failed. */
  readonly headline: string;
  /** What to do next. */
  readonly advice: ReactNode;
  readonly code?: string | null;
  /** Buttons; the most helpful one first. */
  readonly actions?: ReactNode;
}

export function ProblemPanel({ headline, advice, code = null, actions }: ProblemPanelProps) {
  const { t } = useTexts();
  return (
    <div role="alert" className="flex gap-3.5 rounded-m bg-bad-soft px-4 py-4 forced-colors:border">
      <Icon of={CircleAlert} size={20} className="mt-0.5 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="text-sm text-bad">{t('ui.errorHeading')}</p>
        <p className="font-semibold">{headline}</p>
        <p className="text-ink-2 max-w-[70ch]">{advice}</p>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
          <div className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-1">
            {code !== null && <CopyCode code={code} />}
            <SupportLink className="text-sm" />
          </div>
        </div>
      </div>
    </div>
  );
}

export interface FailurePanelProps {
  readonly thrown: unknown;
  /** Replaces the headline of the thrown error. */
  readonly headline?: string;
  readonly onAgain: () => unknown;
  readonly isAsking?: boolean;
}

/** A failed request, with a button that repeats it. */
export function FailurePanel({ thrown, onAgain, isAsking = false, ...own }: FailurePanelProps) {
  const { t } = useTexts();
  return (
    <ProblemPanel
      {...thrownProblem(t, thrown)}
      {...own}
      actions={
        <Button look="primary" onPress={() => void onAgain()} isPending={isAsking}>
          {t('ui.tryAgain')}
        </Button>
      }
    />
  );
}
