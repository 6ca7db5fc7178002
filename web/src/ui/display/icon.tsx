/** A Lucide icon with the product's stroke; it is always next to a text or label. */
import type { LucideIcon } from 'lucide-react';

export type IconPart = LucideIcon;

export interface IconProps {
  readonly of: IconPart;
  /** Edge length in px. */
  readonly size?: number;
  readonly className?: string;
}

export function Icon({ of: Drawing, size = 18, className }: IconProps) {
  return (
    <Drawing
      size={size}
      strokeWidth={1.75}
      aria-hidden="true"
      focusable="false"
      {...(className === undefined ? {} : { className })}
    />
  );
}
