/** A surface that contains one part of a page, with its heading and its actions. */
import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';

export interface PanelProps {
  readonly title?: ReactNode;
  /** Shown to the right of the title; below it on a phone. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Panel({ title, actions, children, className }: PanelProps) {
  const id = useId();
  return (
    <section
      {...(title === undefined ? {} : { 'aria-labelledby': id })}
      className={classNames(
        'rounded-l border border-line bg-surface p-4 sm:px-[22px] sm:py-[18px]',
        className,
      )}
    >
      {title !== undefined && (
        <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <h2 id={id} className="text-lg">
            {title}
          </h2>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
