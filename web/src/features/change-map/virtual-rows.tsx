/** The visible rows of a long list, inside its scroller. */
import { Fragment, type ReactNode } from 'react';
import type { VirtualScroll } from './use-virtual-scroll.ts';

export interface VirtualRowsProps {
  readonly view: Pick<VirtualScroll, 'spacer' | 'first' | 'end' | 'shift' | 'height'>;
  readonly children: (row: number) => ReactNode;
}

export function VirtualRows({ view, children }: VirtualRowsProps) {
  const { spacer, first, end, shift, height } = view;
  return (
    <div role="presentation" style={{ height: spacer }}>
      <div
        role="presentation"
        className="sticky top-0 overflow-hidden"
        style={{ height: Math.min(height, spacer) }}
      >
        <div role="presentation" style={{ transform: `translateY(${-shift}px)` }}>
          {Array.from({ length: end - first }, (_, index) => first + index).map((row) => (
            <Fragment key={row}>{children(row)}</Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}
