/** A progress bar; an animated band if the progress is unknown. */
import { type ReactNode, useId } from 'react';
import { percentText } from '../i18n/formats.ts';
import { useTexts } from '../i18n/texts.ts';

export interface ProgressBarProps {
  readonly label: string;
  /** 0 to 1; null when unknown. */
  readonly fraction: number | null;
  /** Shown to the right of the label, for example a cancel button. */
  readonly action?: ReactNode;
}

export function ProgressBar({ label, fraction, action }: ProgressBarProps) {
  const { language } = useTexts();
  const id = useId();
  const percent = fraction === null ? null : Math.round(fraction * 100);
  const words = fraction === null ? undefined : percentText(fraction, language);
  return (
    <div className="flex w-full flex-col gap-2">
      <div className="flex min-h-9 items-center justify-between gap-4">
        <span className="flex min-w-0 items-baseline gap-2">
          <span id={id} title={label} className="line-clamp-2 min-w-0 break-words">
            {label}
          </span>
          {words !== undefined && (
            <span aria-hidden="true" className="font-mono text-sm text-ink-2 tabular-nums">
              {words}
            </span>
          )}
        </span>
        {action}
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        aria-valuetext={words}
        className="h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:border"
      >
        {percent === null ? (
          <div className="h-full w-2/5 animate-sweep rounded-full bg-accent forced-colors:bg-[Highlight]" />
        ) : (
          <div
            className="h-full rounded-full bg-accent transition-[width] forced-colors:bg-[Highlight]"
            style={{ width: `${percent}%` }}
          />
        )}
      </div>
    </div>
  );
}
