/** One choice out of several, with a label above. */
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';
import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components/Select';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { popoverClass } from './popover-look.ts';

export interface SelectOption {
  readonly id: string;
  /** The words that stand for the option where it cannot be drawn, and for typing ahead. */
  readonly text: string;
  readonly content?: ReactNode;
}

export interface SelectProps {
  readonly label: string;
  readonly options: readonly SelectOption[];
  readonly value: string | null;
  readonly onChange: (id: string) => void;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

export function Select({
  label,
  options,
  value,
  onChange,
  isDisabled = false,
  className,
}: SelectProps) {
  return (
    <AriaSelect
      value={value}
      onChange={(id) => {
        if (id !== null) onChange(String(id));
      }}
      isDisabled={isDisabled}
      className={classNames('flex flex-col gap-1', className)}
    >
      <Label className="text-sm text-ink-3">{label}</Label>
      <Button className="flex min-h-[38px] w-full items-center justify-between gap-3 rounded-s border border-line-strong bg-surface px-3 text-left text-md transition-colors hover:border-control data-disabled:opacity-45">
        <SelectValue className="min-w-0 truncate" />
        <Icon of={ChevronDown} className="text-ink-2" />
      </Button>
      <Popover className={classNames(popoverClass, 'min-w-(--trigger-width)')}>
        <ListBox className="max-h-80 overflow-auto p-1">
          {options.map((option) => (
            <ListBoxItem
              key={option.id}
              id={option.id}
              textValue={option.text}
              className="flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-s px-2.5 py-1.5 text-md data-focused:bg-sunken data-focus-visible:-outline-offset-2"
            >
              {({ isSelected, selectionMode }) => (
                <>
                  <span className="min-w-0">{option.content ?? option.text}</span>
                  {selectionMode !== 'none' && (
                    <Icon
                      of={Check}
                      size={16}
                      className={classNames('text-accent', !isSelected && 'invisible')}
                    />
                  )}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
