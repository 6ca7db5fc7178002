/** One choice out of a few, with a label above. It opens like a menu, so that the page loads only one kind of list. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../display/icon.tsx';
import { Menu } from '../actions/menu.tsx';
import { PlainButton } from '../actions/plain-button.tsx';

export interface SelectOption {
  readonly id: string;
  /** The text of the option where it cannot be rendered, and for typeahead. */
  readonly text: string;
  readonly content?: ReactNode;
}

export interface SelectProps {
  readonly label: string;
  /** Whether only screen readers get the label, where a text next to the choice shows the same. */
  readonly isLabelHidden?: boolean;
  readonly options: readonly SelectOption[];
  readonly value: string | null;
  readonly onChange: (id: string) => void;
  readonly isDisabled?: boolean;
  /** Shown below, such as the reason why it is disabled; it brings its own spacing. */
  readonly hint?: ReactNode;
  readonly className?: string;
}

export function Select({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled = false,
  hint,
  className,
}: SelectProps) {
  const id = useId();
  const chosen = options.find((option) => option.id === value);
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <span id={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink-2'}>
        {label}
      </span>
      <div>
        <Menu
          label={label}
          placement="bottom start"
          trigger={
            <PlainButton
              aria-labelledby={`${id} ${id}-value`}
              aria-describedby={hint === undefined ? undefined : `${id}-hint`}
              isDisabled={isDisabled}
              className="flex min-h-[38px] w-full items-center justify-between gap-3 rounded-s border border-control bg-surface px-3 text-left text-md transition-colors hover:border-ink-3 data-disabled:opacity-45"
            >
              <span id={`${id}-value`} title={chosen?.text} className="min-w-0 truncate">
                {chosen?.content ?? chosen?.text ?? '—'}
              </span>
              <Icon of={ChevronDown} className="text-ink-2" />
            </PlainButton>
          }
          groups={[
            {
              chosen: value,
              items: options.map((option) => ({ ...option, onAction: () => onChange(option.id) })),
            },
          ]}
        />
        {hint !== undefined && <div id={`${id}-hint`}>{hint}</div>}
      </div>
    </div>
  );
}
