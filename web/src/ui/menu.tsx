/** A button that opens a list of actions, or of choices of which one is in force. */
import Check from 'lucide-react/icons/check';
import type { ReactElement, ReactNode } from 'react';
import {
  Menu as AriaMenu,
  Header,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components/Menu';
import { classNames } from './class-names.ts';
import { Icon, type IconPart } from './icon.tsx';
import { popoverClass } from './popover-look.ts';

export interface MenuAction {
  readonly id: string;
  readonly text: string;
  readonly content?: ReactNode;
  readonly icon?: IconPart;
  readonly onAction: () => void;
  readonly isDisabled?: boolean;
}

export interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuAction[];
  /** The item in force, where the group is a choice. */
  readonly chosen?: string;
}

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
  /** What the menu is, for the screen reader. */
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly placement?: 'bottom end' | 'bottom start' | 'top end';
}

function Item({ item, isChoice }: { readonly item: MenuAction; readonly isChoice: boolean }) {
  return (
    <MenuItem
      id={item.id}
      textValue={item.text}
      isDisabled={item.isDisabled ?? false}
      onAction={item.onAction}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-s px-2.5 py-1.5 text-md text-ink no-underline data-disabled:opacity-50 data-focused:bg-sunken data-focus-visible:-outline-offset-2"
    >
      {({ isSelected }) => (
        <>
          {item.icon && <Icon of={item.icon} className="text-ink-2" />}
          <span className="min-w-0 flex-1">{item.content ?? item.text}</span>
          {isChoice && (
            <Icon
              of={Check}
              size={16}
              className={classNames('text-accent', !isSelected && 'invisible')}
            />
          )}
        </>
      )}
    </MenuItem>
  );
}

export function Menu({ trigger, label, groups, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover placement={placement} offset={6} className={classNames(popoverClass, 'min-w-52')}>
        <AriaMenu aria-label={label} className="max-h-[min(30rem,80dvh)] overflow-auto p-1">
          {groups.map((group, index) => (
            <MenuSection
              key={group.title ?? index}
              {...(group.title === undefined ? { 'aria-label': label } : {})}
              className={classNames(index > 0 && 'mt-1 border-t border-line pt-1')}
              {...(group.chosen === undefined
                ? {}
                : { selectionMode: 'single' as const, selectedKeys: [group.chosen] })}
            >
              {group.title !== undefined && (
                <Header className="px-2.5 pt-2 pb-1 text-sm text-ink-3">{group.title}</Header>
              )}
              {group.items.map((item) => (
                <Item key={item.id} item={item} isChoice={group.chosen !== undefined} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
