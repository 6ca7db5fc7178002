/** A setting that takes effect immediately: the browser's own checkbox, styled as a switch. */
import type { ReactNode } from 'react';

export interface SwitchProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
  readonly isDisabled?: boolean;
  /** Required when several switches have the same label, for example one per component. */
  readonly label?: string;
}

export function Switch({ isSelected, onChange, children, isDisabled = false, label }: SwitchProps) {
  return (
    <label className="relative inline-flex min-h-8 items-center gap-2.5 text-md text-ink-2 has-disabled:cursor-default has-disabled:opacity-45">
      <input
        type="checkbox"
        // a checkbox reports its state itself
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        checked={isSelected}
        disabled={isDisabled}
        aria-label={label}
        onChange={(event) => onChange(event.target.checked)}
        className="peer absolute inset-0 m-0 size-full cursor-[inherit] appearance-none opacity-0"
      />
      <span
        aria-hidden="true"
        className="flex h-5 w-9 shrink-0 items-center rounded-full bg-control p-0.5 transition-colors peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus peer-checked:*:translate-x-4 forced-colors:border forced-colors:peer-checked:bg-[Highlight]"
      >
        <span className="size-4 rounded-full bg-surface transition-transform forced-colors:bg-[CanvasText]" />
      </span>
      {children}
    </label>
  );
}
