/** A word for a control that shows only an icon; it repeats the label, it never adds to it. */
import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';

export interface TooltipProps {
  readonly text: string;
  /** The button or link. */
  readonly children: ReactElement;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip
        offset={6}
        className="pop-in max-w-64 rounded-s bg-ink px-2 py-1 text-sm text-surface"
      >
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
