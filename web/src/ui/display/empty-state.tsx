/** Shown where there is no content yet, with an invitation to start. */
import type { ReactNode } from 'react';
import { Icon, type IconPart } from './icon.tsx';

export interface EmptyStateProps {
  readonly icon: IconPart;
  readonly title: string;
  readonly children?: ReactNode;
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="flex items-start gap-4 py-2">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-m bg-sunken text-ink-2">
        <Icon of={icon} size={20} />
      </span>
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        {children !== undefined && <div className="text-md text-ink-2">{children}</div>}
      </div>
    </div>
  );
}
