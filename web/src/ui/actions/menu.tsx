/**
 * A button that opens a list of actions, or of choices with one selected. The list itself is loaded when it is first
 * needed.
 */
import { useRef, useState } from 'react';
import type { MenuProps } from './menu-groups.ts';
import { onDemand } from '../loading/on-demand.tsx';
import { TriggerContext, type TriggerProps } from './plain-button.tsx';

const MenuList = onDemand(async () => (await import('./menu-list.tsx')).MenuList);

/**
 * The keys that open a menu, and the item each one focuses first. Enter and Space are included because the click that
 * the browser generates from them looks like a screen reader's, for which React Aria moves the focus only after the
 * list has faded in.
 */
const openingKeys: ReadonlyMap<string, 'first' | 'last'> = new Map([
  ['Enter', 'first'],
  [' ', 'first'],
  ['ArrowDown', 'first'],
  ['ArrowUp', 'last'],
]);

/** Opens by click, Enter, Space and the arrow keys; closes by choice, Escape, Tab, or a click outside. */
export function Menu({ trigger, label, groups, placement = 'bottom end' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [openedFrom, setOpenedFrom] = useState<'first' | 'last' | null>(null);
  const [openings, setOpenings] = useState(0);
  const open = (from: 'first' | 'last'): void => {
    setIsWanted(true);
    setOpenedFrom(from);
    if (openedFrom === null) setOpenings(openings + 1);
  };
  const props: TriggerProps = {
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': openedFrom !== null,
    // Preloads the list before the click.
    onPointerEnter: () => setIsWanted(true),
    onFocus: () => setIsWanted(true),
    onClick: () => (openedFrom === null ? open('first') : setOpenedFrom(null)),
    onKeyDown: (event) => {
      const from = openingKeys.get(event.key);
      if (from === undefined) return;
      event.preventDefault();
      open(from);
    },
  };
  return (
    <>
      <TriggerContext value={props}>{trigger}</TriggerContext>
      {isWanted && (
        <MenuList
          // reopened during its fade-out, it must be a new list: the one that fades out would not take the focus
          key={openings}
          button={button}
          label={label}
          groups={groups}
          placement={placement}
          openedFrom={openedFrom}
          onClose={() => setOpenedFrom(null)}
        />
      )}
    </>
  );
}
