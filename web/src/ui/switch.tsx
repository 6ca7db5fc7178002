/** A setting that is on or off at once. */
import type { ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { classNames } from './class-names.ts';

export interface SwitchProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
  readonly isDisabled?: boolean;
  /** Needed where several switches bear the same word, for instance one a component. */
  readonly label?: string;
  readonly className?: string;
}

export function Switch({
  isSelected,
  onChange,
  children,
  isDisabled = false,
  label,
  className,
}: SwitchProps) {
  return (
    <AriaSwitch
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={classNames(
        'group inline-flex min-h-8 items-center gap-2.5 text-md text-ink-2 data-disabled:opacity-45 data-focus-visible:outline-none',
        className,
      )}
    >
      <span className="flex h-5 w-9 shrink-0 items-center rounded-full bg-control p-0.5 transition-colors group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-focus group-data-selected:bg-accent forced-colors:border">
        <span className="size-4 rounded-full bg-surface transition-transform group-data-selected:translate-x-4 forced-colors:bg-[CanvasText]" />
      </span>
      {children}
    </AriaSwitch>
  );
}
