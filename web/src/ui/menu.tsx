/** A button that opens a list of actions, or of choices of which one is in force. The list itself is loaded when first wanted. */
import { lazy, type ReactElement, type ReactNode, Suspense, useRef, useState } from 'react';
import type { IconPart } from './icon.tsx';
import { TriggerContext, type TriggerProps } from './plain-button.tsx';

const MenuList = lazy(async () => ({ default: (await import('./menu-list.tsx')).MenuList }));

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
  readonly chosen?: string | null;
}

export interface MenuProps {
  /** The button that opens the menu: our `Button` or `PlainButton`. */
  readonly trigger: ReactElement;
  /** What the menu is, for the screen reader. */
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly placement?: 'bottom end' | 'bottom start' | 'top end';
}

/** Opens by press or by the arrow keys; closes by choice, Escape, or a press elsewhere. */
export function Menu({ trigger, label, groups, placement = 'bottom end' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [openedFrom, setOpenedFrom] = useState<'first' | 'last' | null>(null);
  const open = (from: 'first' | 'last'): void => {
    setIsWanted(true);
    setOpenedFrom(from);
  };
  const props: TriggerProps = {
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': openedFrom !== null,
    // Wanted soon: the list is fetched while the pointer is still on its way.
    onPointerEnter: () => setIsWanted(true),
    onFocus: () => setIsWanted(true),
    onClick: () => (openedFrom === null ? open('first') : setOpenedFrom(null)),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open(event.key === 'ArrowDown' ? 'first' : 'last');
    },
  };
  return (
    <>
      <TriggerContext value={props}>{trigger}</TriggerContext>
      {isWanted && (
        <Suspense fallback={null}>
          <MenuList
            button={button}
            label={label}
            groups={groups}
            placement={placement}
            openedFrom={openedFrom}
            onClose={() => setOpenedFrom(null)}
          />
        </Suspense>
      )}
    </>
  );
}
