/** The list that a menu's button opens. */
import Check from 'lucide-react/icons/check';
import type { FocusEvent, KeyboardEvent, RefObject } from 'react';
import {
  Menu as AriaMenu,
  Header,
  MenuItem,
  MenuSection,
  Popover,
} from 'react-aria-components/Menu';
import { AriaLocale } from '../aria-locale.tsx';
import { classNames } from '../class-names.ts';
import { Icon } from '../display/icon.tsx';
import type { MenuAction, MenuGroup, MenuProps } from './menu-groups.ts';

function Item({ item, isChoice }: { readonly item: MenuAction; readonly isChoice: boolean }) {
  return (
    <MenuItem
      id={item.id}
      textValue={item.text}
      onAction={item.onAction}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-s px-2.5 py-1.5 text-md text-ink -outline-offset-2 data-focused:bg-sunken"
    >
      {({ isSelected }) => (
        <>
          {item.icon && <Icon of={item.icon} className="text-ink-2" />}
          <span className="min-w-0 flex-1 wrap-anywhere">{item.content ?? item.text}</span>
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

interface MenuListProps extends Omit<MenuProps, 'trigger'> {
  readonly button: RefObject<HTMLButtonElement | null>;
  /** The item that gets the focus first; null while the list is closed. */
  readonly openedFrom: 'first' | 'last' | null;
  readonly onClose: () => void;
}

function Section({ group, label }: { readonly group: MenuGroup; readonly label: string }) {
  const isChoice = group.chosen !== undefined;
  return (
    <MenuSection
      {...(group.title === undefined ? { 'aria-label': label } : {})}
      {...(isChoice
        ? {
            selectionMode: 'single' as const,
            selectedKeys: group.chosen ? [group.chosen] : [],
          }
        : {})}
      className="not-first:mt-1 not-first:border-t not-first:border-line not-first:pt-1"
    >
      {group.title !== undefined && (
        <Header className="px-2.5 pt-2 pb-1 text-sm text-ink-3">{group.title}</Header>
      )}
      {group.items.map((item) => (
        <Item key={item.id} item={item} isChoice={isChoice} />
      ))}
    </MenuSection>
  );
}

/**
 * After a click by a screen reader, React Aria moves the focus late, to the list, which was empty when it opened, and
 * forgets the item that it had found in the meantime: the list passes the focus on.
 */
function passFocusOn({ target }: FocusEvent): void {
  if (!target.matches('[role=menu]')) return;
  target.querySelector<HTMLElement>('[data-focused]')?.focus({ preventScroll: true });
}

/** Tab leaves the menu: the menu closes and the focus returns to its button. */
function leaveByTab(event: KeyboardEvent, onClose: () => void): void {
  if (event.key !== 'Tab') return;
  event.preventDefault();
  onClose();
}

export function MenuList({
  button,
  label,
  groups,
  placement = 'bottom end',
  openedFrom,
  onClose,
}: MenuListProps) {
  return (
    <AriaLocale>
      <Popover
        triggerRef={button}
        isOpen={openedFrom !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
        placement={placement}
        offset={6}
        aria-label={label}
        className="pop-in min-w-52 max-w-[min(24rem,calc(100vw-1rem))] overflow-hidden rounded-m border border-line bg-surface text-ink shadow-pop outline-none"
      >
        <div
          role="presentation"
          onFocus={passFocusOn}
          onKeyDown={(event) => leaveByTab(event, onClose)}
        >
          <AriaMenu
            aria-label={label}
            autoFocus={openedFrom ?? 'first'}
            onClose={onClose}
            className="max-h-[min(31rem,80dvh)] overflow-auto p-1 -outline-offset-2"
          >
            {groups.map((group, index) => (
              <Section key={group.title ?? index} group={group} label={label} />
            ))}
          </AriaMenu>
        </div>
      </Popover>
    </AriaLocale>
  );
}
