/** Gray placeholder bars for text; they appear only after 300 ms, so that fast responses do not flicker. */
import { useEffect, useState } from 'react';
import { classNames } from '../class-names.ts';

/** Milliseconds to wait before a loading state appears. */
export const patience = 300;

/** True once the component has been waiting for longer than {@link patience}. */
export function useIsLong(isWaiting = true): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLong(true), patience);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isWaiting]);
  return isLong;
}

export interface SkeletonProps {
  readonly lines?: number;
  readonly className?: string;
}

const widths = ['w-2/3', 'w-11/12', 'w-1/2', 'w-3/4'];

/** Reserves its space immediately, so that the layout does not shift, and becomes visible after a while. */
export function Skeleton({ lines = 3, className }: SkeletonProps) {
  const isLong = useIsLong();
  return (
    <div
      aria-hidden="true"
      className={classNames('flex flex-col gap-4', !isLong && 'invisible', className)}
    >
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className={classNames(
            'h-4 animate-skeleton rounded-s bg-sunken',
            widths[line % widths.length],
          )}
        />
      ))}
    </div>
  );
}
