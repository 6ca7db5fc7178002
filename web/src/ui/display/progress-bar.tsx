/** A progress bar; an animated band if the progress is unknown. */
import { type HTMLAttributes, type ReactNode, useId } from 'react';
import { percentText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../class-names.ts';

export interface BarProps
  extends Pick<
    HTMLAttributes<HTMLDivElement>,
    'aria-label' | 'aria-labelledby' | 'aria-valuetext' | 'className'
  > {
  /** 0 to 1; null when unknown. */
  readonly fraction: number | null;
}

/** The bar alone; its caller names it, and sets its height. */
export function Bar({ fraction, className, ...rest }: BarProps) {
  const percent = fraction === null ? undefined : Math.round(fraction * 100);
  return (
    <div
      {...rest}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={classNames(
        'overflow-hidden rounded-full bg-sunken forced-colors:border',
        className,
      )}
    >
      <div
        className={classNames(
          'h-full rounded-full bg-accent forced-colors:bg-[Highlight]',
          percent === undefined ? 'w-2/5 animate-sweep' : 'transition-[width]',
        )}
        {...(percent === undefined ? {} : { style: { width: `${percent}%` } })}
      />
    </div>
  );
}

export interface ProgressBarProps extends Pick<BarProps, 'fraction'> {
  readonly label: string;
  /** Shown to the right of the label, for example a cancel button. */
  readonly action?: ReactNode;
}

export function ProgressBar({ label, fraction, action }: ProgressBarProps) {
  const { language } = useTexts();
  const id = useId();
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
      <Bar fraction={fraction} aria-labelledby={id} aria-valuetext={words} className="h-1.5" />
    </div>
  );
}
