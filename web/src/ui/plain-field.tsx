/** A native labeled field, for pages that need none of React Aria's, which is larger than all else on them. */
import { type HTMLAttributes, useId } from 'react';
import { classNames } from './class-names.ts';

export interface PlainFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'search' | 'date';
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  /** Shown below the field. */
  readonly hint?: string;
  /** The error in the value, if any. */
  readonly error?: string | null;
  readonly lines?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
}

const look =
  'w-full min-w-0 rounded-s border border-control bg-surface px-3 py-1.5 text-base text-ink placeholder:text-ink-3 hover:border-ink-3 focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-focus aria-invalid:border-bad';

export function PlainField({
  label,
  value,
  onChange,
  type = 'text',
  hint,
  error = null,
  lines = 1,
  ...rest
}: PlainFieldProps) {
  const id = useId();
  const about = [hint === undefined ? null : `${id}-hint`, error === null ? null : `${id}-error`];
  const described = about.filter(Boolean).join(' ');
  const shared = {
    id,
    value,
    ...rest,
    ...(described === '' ? {} : { 'aria-describedby': described }),
    ...(error === null ? {} : { 'aria-invalid': true }),
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-ink-2">
        {label}
      </label>
      {lines > 1 ? (
        <textarea
          {...shared}
          rows={lines}
          onChange={(event) => onChange(event.target.value)}
          className={look}
        />
      ) : (
        <input
          {...shared}
          type={type}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          className={classNames(look, 'min-h-[38px]')}
        />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-ink-3">
          {hint}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
