/**
 * The header of a page: its title, one line below, and page-wide actions on the right. It also sets the tab's title.
 */
import type { ReactNode } from 'react';

export interface PageTitleProps {
  readonly title: string;
  /** The tab's title, if it differs from the page's. */
  readonly tabTitle?: string;
  readonly children?: ReactNode;
  readonly aside?: ReactNode;
}

export function PageTitle({ title, tabTitle = title, children, aside }: PageTitleProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
      <title>{`${tabTitle} · Recodery`}</title>
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-2xl outline-none">
          {title}
        </h1>
        {children !== undefined && (
          <div className="text-base text-pretty text-ink-2">{children}</div>
        )}
      </div>
      {aside !== undefined && <div className="max-sm:w-full sm:shrink-0 empty:hidden">{aside}</div>}
    </div>
  );
}
