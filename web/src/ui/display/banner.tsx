/**
 * A line above the page about the whole portal: the engine is down, or a message from the operator. Its parent provides
 * the live region.
 */
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from './icon.tsx';

export interface BannerProps {
  readonly tone: 'warning' | 'info';
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Banner({ tone, children, action }: BannerProps) {
  const isWarning = tone === 'warning';
  return (
    <div
      className={classNames(
        'flex items-start gap-3 border-b border-line px-4 py-2.5 text-md sm:px-6',
        isWarning ? 'bg-modified-soft' : 'bg-accent-soft',
      )}
    >
      <Icon
        of={isWarning ? TriangleAlert : Info}
        className={classNames('mt-0.5', isWarning ? 'text-modified' : 'text-accent')}
      />
      <div className="min-w-0 flex-1">{children}</div>
      {action !== undefined && <div className="-my-1">{action}</div>}
    </div>
  );
}
