/** An action with related actions in a menu next to it: the first of `actions` is the button. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Button } from './button.tsx';
import { classNames } from '../class-names.ts';
import type { IconPart } from '../display/icon.tsx';
import { Menu } from './menu.tsx';
import type { MenuAction } from './menu-groups.ts';

export interface SplitAction extends MenuAction {
  readonly icon: IconPart;
}

export interface SplitButtonProps {
  /** At least one; the first is the button, the others are in the menu. */
  readonly actions: readonly [SplitAction, ...SplitAction[]];
  /** The name of the menu. */
  readonly more: string;
  readonly look?: 'primary' | 'secondary';
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
}

export function SplitButton({
  actions,
  more,
  look = 'primary',
  isDisabled = false,
  isPending = false,
}: SplitButtonProps) {
  const [first, ...others] = actions;
  const shared = { look, size: 'large' } as const;
  return (
    <div className="flex w-full sm:w-auto">
      <Button
        {...shared}
        icon={first.icon}
        onPress={first.onAction}
        isDisabled={isDisabled}
        isPending={isPending}
        className={classNames('flex-1', others.length > 0 && 'rounded-r-none')}
      >
        {first.text}
      </Button>
      {others.length > 0 && (
        <Menu
          label={more}
          trigger={
            <Button
              {...shared}
              icon={ChevronDown}
              label={more}
              isDisabled={isDisabled || isPending}
              // a gap between filled buttons; a shared border between others
              className={classNames(
                'h-auto rounded-l-none',
                look === 'primary' ? 'ml-px' : '-ml-px',
              )}
            />
          }
          groups={[{ items: others }]}
        />
      )}
    </div>
  );
}
