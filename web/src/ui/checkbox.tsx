/** A statement that is ticked or not. */
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { Icon } from './icon.tsx';

export interface CheckboxProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
  readonly isDisabled?: boolean;
}

export function Checkbox({ isSelected, onChange, children, isDisabled = false }: CheckboxProps) {
  return (
    <AriaCheckbox
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled}
      className="group flex min-h-8 items-start gap-2.5 py-1 text-md text-ink data-disabled:opacity-45 data-focus-visible:outline-none"
    >
      <span className="mt-px flex size-[18px] shrink-0 items-center justify-center rounded-[4px] border border-control bg-surface text-on-accent transition-colors group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-focus group-data-selected:border-accent group-data-selected:bg-accent">
        <Icon of={Check} size={14} className="invisible group-data-selected:visible" />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}
