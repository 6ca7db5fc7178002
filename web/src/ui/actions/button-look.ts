/** The styles of buttons, and of links that look like buttons. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import type { IconPart } from '../display/icon.tsx';

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';
/** 32 px, 36 px and 40 px high. */
export type ButtonSize = 'small' | 'medium' | 'large';

/** The props of both. */
export interface LookProps {
  readonly look?: ButtonLook;
  readonly size?: ButtonSize;
  readonly icon?: IconPart;
  /** The label if there is only an icon; otherwise the children are. */
  readonly label?: string;
  readonly children?: ReactNode;
}

const looks: Readonly<Record<ButtonLook, string>> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-hover',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken hover:border-control',
  quiet: 'bg-transparent text-ink-2 border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-bad text-on-bad border-transparent hover:bg-bad-hover',
};

const sizes: Readonly<Record<ButtonSize, readonly [withWords: string, iconOnly: string]>> = {
  small: ['min-h-8 px-2.5 py-1 text-sm', 'size-8'],
  medium: ['min-h-9 px-3 py-1.5 text-md', 'size-9'],
  large: ['min-h-10 px-4 py-1.5 text-base', 'size-10'],
};

/** The classes of a button; `isIconOnly` makes it square. */
export function buttonClass(look: ButtonLook, size: ButtonSize, isIconOnly = false): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-s border font-semibold no-underline select-none',
    'touch-manipulation transition-colors active:translate-y-px motion-reduce:active:translate-y-0',
    'data-disabled:opacity-45 data-disabled:pointer-events-none aria-disabled:cursor-progress',
    sizes[size][isIconOnly ? 1 : 0],
    looks[look],
  );
}
