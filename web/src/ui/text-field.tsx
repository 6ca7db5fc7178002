/** A labeled text field: one line, or several. */
import type { ReactNode } from 'react';
import {
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components/TextField';
import { classNames } from './class-names.ts';

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'date';
  readonly autoComplete?: string;
  /** Shown below the field: what to enter, or an example. */
  readonly hint?: ReactNode;
  /** The error in the value, if any. */
  readonly error?: string | null;
  readonly lines?: number;
  readonly maxLength?: number;
  /** The placeholder of an empty field. */
  readonly placeholder?: string;
  readonly isMono?: boolean;
}

const field =
  'w-full rounded-s border border-control bg-surface px-3 py-1.5 text-base text-ink placeholder:text-ink-3 hover:border-ink-3 data-focused:border-accent data-focused:outline-2 data-focused:outline-offset-0 data-focused:outline-focus data-invalid:border-bad';

export function TextField({
  label,
  value,
  onChange,
  type = 'text',
  autoComplete,
  hint,
  error = null,
  lines = 1,
  maxLength,
  placeholder,
  isMono = false,
}: TextFieldProps) {
  const example = placeholder === undefined ? {} : { placeholder };
  return (
    <AriaTextField
      value={value}
      onChange={onChange}
      type={type}
      isInvalid={error !== null}
      validationBehavior="aria"
      {...(autoComplete === undefined ? {} : { autoComplete })}
      {...(maxLength === undefined ? {} : { maxLength })}
      className="flex flex-col gap-1.5"
    >
      <Label className="text-sm font-medium text-ink-2">{label}</Label>
      {lines > 1 ? (
        <TextArea rows={lines} {...example} className={classNames(field, isMono && 'font-mono')} />
      ) : (
        <Input {...example} className={classNames(field, 'min-h-[38px]', isMono && 'font-mono')} />
      )}
      {hint !== undefined && (
        <Text slot="description" className="text-sm text-ink-3">
          {hint}
        </Text>
      )}
      <FieldError className="text-sm text-bad">{error}</FieldError>
    </AriaTextField>
  );
}
