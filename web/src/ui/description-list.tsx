/** Labels and values in a grid: what a read says of its ECU. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Description {
  readonly label: string;
  /** Null or empty is shown as a dash, so that a row keeps its place. */
  readonly value: ReactNode;
  /** For serials, part numbers and codes. */
  readonly isMono?: boolean;
}

export function DescriptionList({ items }: { readonly items: readonly Description[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-4 md:grid-cols-3 lg:grid-cols-4">
      {items.map(({ label, value, isMono = false }) => {
        const isEmpty = value === null || value === undefined || value === '';
        return (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-ink-3">{label}</dt>
            <dd
              className={classNames(
                'break-words',
                isMono && !isEmpty ? 'font-mono text-sm leading-6 xs:text-md' : 'text-base',
                isEmpty && 'text-ink-3',
              )}
            >
              {isEmpty ? '—' : value}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
