/** Labels and values in a grid: the ECU information of a read. */
import type { ReactNode } from 'react';
import { listText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../class-names.ts';
import { LongText } from './long-text.tsx';

export interface Description {
  readonly label: string;
  /** Null or empty: only the label is shown, below the others. */
  readonly value: ReactNode;
  /** For serials, part numbers and codes. */
  readonly isMono?: boolean;
}

export interface DescriptionListProps {
  readonly items: readonly Description[];
  /** Precedes the labels that have no value. */
  readonly missing: string;
}

function hasValue({ value }: Description): boolean {
  return value !== null && value !== undefined && value !== '';
}

/**
 * The pairs that have a value, and one line with the labels of those that have none: a grid of dashes would hide the
 * values.
 */
export function DescriptionList({ items, missing }: DescriptionListProps) {
  const { language } = useTexts();
  const without = items.filter((item) => !hasValue(item)).map(({ label }) => label);
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 md:grid-cols-3 lg:grid-cols-4">
        {items.filter(hasValue).map(({ label, value, isMono = false }) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-ink-3">{label}</dt>
            <dd
              className={classNames(
                'wrap-anywhere',
                isMono ? 'font-mono text-sm leading-6 xs:text-md' : 'text-base',
              )}
            >
              {typeof value === 'string' ? <LongText>{value}</LongText> : value}
            </dd>
          </div>
        ))}
      </dl>
      {without.length > 0 && (
        <p className="mt-4 text-sm text-ink-3">
          {missing} {listText(without, language)}
        </p>
      )}
    </>
  );
}
