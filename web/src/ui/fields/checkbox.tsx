/** A checkbox with a statement. */
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../display/icon.tsx';

export interface CheckboxProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
  /** Whether a click anywhere in the positioned parent, such as a row, changes it. */
  readonly coversParent?: boolean;
}

export function Checkbox({ isSelected, onChange, children, coversParent }: CheckboxProps) {
  return (
    <label
      className={classNames(
        'flex items-start gap-2.5 text-md text-ink',
        coversParent !== true && 'relative min-h-8 py-1',
      )}
    >
      <input
        type="checkbox"
        checked={isSelected}
        onChange={(event) => onChange(event.target.checked)}
        className="peer absolute inset-0 m-0 size-full cursor-[inherit] appearance-none opacity-0"
      />
      <span
        aria-hidden="true"
        className="mt-px flex size-[18px] shrink-0 items-center justify-center rounded-[4px] border border-control bg-surface text-on-accent transition-colors *:invisible peer-checked:border-accent peer-checked:bg-accent peer-checked:*:visible peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus"
      >
        <Icon of={Check} size={14} />
      </span>
      <span>{children}</span>
    </label>
  );
}
