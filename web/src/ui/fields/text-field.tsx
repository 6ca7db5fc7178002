/** A labeled text field: one line, or several. Native, because React Aria's is larger than all else on some pages. */
import { type HTMLAttributes, memo, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'datetime-local';
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly autoComplete?: string;
  /** Shown below the field: what to enter, or an example; false if there is nothing to show. */
  readonly hint?: ReactNode;
  /** The error in the value, if any. */
  readonly error?: string | null;
  readonly lines?: number;
  readonly maxLength?: number;
  /** The placeholder of an empty field. */
  readonly placeholder?: string;
  readonly isMono?: boolean;
  /** Values that the browser suggests; others can be entered as well. */
  readonly suggestions?: readonly string[];
}

const look =
  'w-full min-w-0 rounded-s border border-control bg-surface px-3 py-1.5 text-base text-ink placeholder:text-ink-3 hover:border-ink-3 focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-focus aria-invalid:border-bad';

interface SuggestionsProps {
  readonly id: string;
  readonly values: readonly string[];
}

/** Hundreds of time zones: not rendered again with each typed letter. */
const Suggestions = memo(function Suggested({ id, values }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </datalist>
  );
});

export function TextField({
  label,
  value,
  onChange,
  type = 'text',
  hint = false,
  error = null,
  lines = 1,
  isMono = false,
  suggestions = [],
  ...rest
}: TextFieldProps) {
  const id = useId();
  const about = [hint === false ? null : `${id}-hint`, error === null ? null : `${id}-error`];
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
          className={classNames(look, isMono && 'font-mono')}
        />
      ) : (
        <input
          {...shared}
          type={type}
          list={suggestions.length === 0 ? undefined : `${id}-list`}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(look, 'min-h-[38px]', isMono && 'font-mono')}
        />
      )}
      {suggestions.length > 0 && <Suggestions id={`${id}-list`} values={suggestions} />}
      {hint !== false && (
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
