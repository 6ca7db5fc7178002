/** A short text for a state; the color only repeats the meaning of the text. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type BadgeState = 'modified' | 'good' | 'bad' | 'neutral' | 'removed';

const states: Readonly<Record<BadgeState, string>> = {
  modified: 'bg-modified-soft text-modified',
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  neutral: 'bg-sunken text-ink-2',
  removed: 'text-removed line-through inset-ring inset-ring-line-strong',
};

export interface BadgeProps {
  readonly state: BadgeState;
  readonly children: ReactNode;
}

export function Badge({ state, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex min-h-6 items-center rounded-full px-2.5 text-sm font-semibold whitespace-nowrap forced-colors:border',
        states[state],
      )}
    >
      {children}
    </span>
  );
}
