/** The contents of a menu: its button, and groups of actions or choices. */
import type { ReactElement, ReactNode } from 'react';
import type { IconPart } from '../display/icon.tsx';

export interface MenuAction {
  readonly id: string;
  readonly text: string;
  readonly content?: ReactNode;
  readonly icon?: IconPart;
  readonly onAction: () => void;
}

export interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuAction[];
  /** The selected item, if the group is a choice. */
  readonly chosen?: string | null;
}

export interface MenuProps {
  /** The button that opens the menu: our `Button` or `PlainButton`. */
  readonly trigger: ReactElement;
  /** The menu's accessible name. */
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly placement?: 'bottom end' | 'bottom start';
}
