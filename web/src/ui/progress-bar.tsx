/** How far something is, where that is known; a moving band where it is not. */
import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';

export interface ProgressBarProps {
  readonly label: string;
  /** 0 to 1; null when nobody knows. */
  readonly fraction: number | null;
  /** Stands at the right of the label, for instance a cancel button. */
  readonly action?: ReactNode;
}

export function ProgressBar({ label, fraction, action }: ProgressBarProps) {
  return (
    <AriaProgressBar
      isIndeterminate={fraction === null}
      value={(fraction ?? 0) * 100}
      className="flex w-full flex-col gap-2"
    >
      {({ percentage, valueText }) => (
        <>
          <div className="flex min-h-9 items-center justify-between gap-4">
            <span className="flex min-w-0 items-baseline gap-2">
              <Label className="truncate text-base">{label}</Label>
              {fraction !== null && (
                <span className="font-mono text-sm text-ink-3 tabular-nums">{valueText}</span>
              )}
            </span>
            {action}
          </div>
          <div className="h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:border">
            {fraction === null ? (
              <div className="h-full w-2/5 animate-sweep rounded-full bg-accent" />
            ) : (
              <div
                className="h-full rounded-full bg-accent transition-[width] forced-colors:bg-[Highlight]"
                style={{ width: `${percentage ?? 0}%` }}
              />
            )}
          </div>
        </>
      )}
    </AriaProgressBar>
  );
}
