/** The input of one field of a record, by the kind that its declaration names. */
import { type ResourceName, resources } from '@recodery/contract/admin/resources';
import { usualMost } from '@recodery/contract/admin/resource';
import { useId } from 'react';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { RecordFieldProps } from './field-props.ts';
import { ImageField } from './image-field.tsx';
import { useSuggestions } from '../records/records.ts';
import { optionText } from '../records/resource-words.ts';

// The space of a field that is loaded later is kept: what is below must not move away from the pointer.
/** Only originals have files. */
const FileField = onDemand(
  async () => (await import('./file-field.tsx')).FileField,
  <div className="min-h-16" />,
);

/** Only the terms of use have long texts. */
const MarkdownField = onDemand(
  async () => (await import('./markdown-field.tsx')).MarkdownField,
  <div className="min-h-40" />,
);

/** The lines of a list as typed; empty lines are kept while typing, and the draft leaves them out. */
const listOf = (text: string): readonly string[] => text.split(/[\n,;]/).map((line) => line.trim());

/** A time as an input of a time writes it. */
function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

function isResource(name: string): name is ResourceName {
  return Object.hasOwn(resources, name);
}

/** A text, with suggestions if it names another record. */
function TextInput({ name, field, label, hint, error, value, onChange }: RecordFieldProps) {
  const { kind, to, by = '', most = 200 } = field;
  const text = value === null ? '' : String(value);
  const target = kind === 'reference' && to !== undefined && isResource(to) ? resources[to] : null;
  const suggestions = useSuggestions(target, by, text);
  const isCode = kind === 'reference' || /serial|code/i.test(name);
  return (
    <TextField
      label={label}
      value={text}
      type={kind === 'email' ? 'email' : 'text'}
      autoComplete="off"
      maxLength={most}
      isMono={isCode}
      {...(field.isLong === true ? { lines: 3 } : {})}
      suggestions={suggestions}
      hint={hint ?? false}
      error={error}
      onChange={(next) => onChange(next === '' ? null : next.replaceAll('\n', ' '))}
    />
  );
}

/** A number; a size is entered in bytes and shown in its unit. */
function NumberInput({ field, label, hint, error, value, onChange }: RecordFieldProps) {
  const { language } = useTexts();
  const size = field.kind === 'bytes' && typeof value === 'number' && sizeText(value, language);
  return (
    <TextField
      label={label}
      value={value === null ? '' : String(value)}
      inputMode="numeric"
      autoComplete="off"
      hint={size || (hint ?? false)}
      error={error}
      onChange={(next) => {
        const digits = next.replaceAll(/\D/g, '');
        onChange(digits === '' ? null : Number(digits));
      }}
    />
  );
}

/** Several of a few options, as checkboxes. */
function ChoicesInput({ name, field, label, hint, error, value, ...rest }: RecordFieldProps) {
  const { t } = useTexts();
  const id = useId();
  const chosen = new Set(Array.isArray(value) ? value : []);
  const options = rest.options ?? field.options ?? [];
  return (
    <fieldset aria-describedby={hint === null ? undefined : `${id}-hint`}>
      <legend className="mb-1 text-sm font-medium text-ink-2">{label}</legend>
      <div className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
        {options.map((option) => (
          <Checkbox
            key={option}
            isSelected={chosen.has(option)}
            onChange={(isChosen) =>
              rest.onChange(options.filter((one) => (one === option ? isChosen : chosen.has(one))))
            }
          >
            {optionText(t, name, option)}
          </Checkbox>
        ))}
      </div>
      {hint !== null && (
        <p id={`${id}-hint`} className="text-sm text-ink-3">
          {hint}
        </p>
      )}
      {error !== null && <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  );
}

/** A list of texts, one in each line. */
function ListInput({ label, hint, error, value, onChange }: RecordFieldProps) {
  const lines = Array.isArray(value) ? value : [];
  return (
    <TextField
      label={label}
      value={lines.join('\n')}
      lines={Math.min(6, Math.max(2, lines.length + 1))}
      isMono
      hint={hint ?? false}
      error={error}
      onChange={(text) => onChange(text === '' ? [] : listOf(text))}
    />
  );
}

/** A secret, which is never shown again. */
function SecretInput({ field, label, hint, error, value, onChange }: RecordFieldProps) {
  return (
    <TextField
      label={label}
      value={value === null ? '' : String(value)}
      type="password"
      autoComplete="new-password"
      maxLength={field.most ?? usualMost}
      hint={hint ?? false}
      error={error}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

/** A time in the browser's time zone, to the minute. */
function TimeInput({ label, hint, error, value, onChange }: RecordFieldProps) {
  return (
    <TextField
      label={label}
      value={typeof value === 'string' ? localTime(value) : ''}
      type="datetime-local"
      hint={hint ?? false}
      error={error}
      onChange={(next) => {
        const time = new Date(next);
        onChange(Number.isNaN(time.getTime()) ? null : time.toISOString());
      }}
    />
  );
}

export function RecordField(props: RecordFieldProps) {
  const { t } = useTexts();
  const { name, field, label, hint, error, value, options, onChange } = props;
  switch (field.kind) {
    case 'switch':
      return (
        <div>
          <Switch isSelected={value === true} onChange={onChange}>
            {label}
          </Switch>
          {hint !== null && <p className="text-sm text-ink-3">{hint}</p>}
          {error !== null && <p className="text-sm text-bad">{error}</p>}
        </div>
      );
    case 'choice':
      return (
        <Select
          label={label}
          value={value === null ? '' : String(value)}
          options={[
            ...(field.required === true ? [] : [{ id: '', text: t('admin.notSet') }]),
            ...(field.options ?? []).map((id) => ({ id, text: optionText(t, name, id) })),
          ]}
          hint={
            (error !== null || hint !== null) && (
              <p
                className={error === null ? 'mt-1.5 text-sm text-ink-3' : 'mt-1.5 text-sm text-bad'}
              >
                {error ?? hint}
              </p>
            )
          }
          onChange={(id) => onChange(id === '' ? null : id)}
        />
      );
    case 'choices':
      return <ChoicesInput {...props} />;
    case 'references':
      return options === undefined ? <ListInput {...props} /> : <ChoicesInput {...props} />;
    case 'list':
      return <ListInput {...props} />;
    case 'number':
    case 'bytes':
      return <NumberInput {...props} />;
    case 'image':
      return <ImageField {...props} />;
    case 'file':
      return <FileField {...props} />;
    case 'markdown':
      return <MarkdownField {...props} />;
    case 'secret':
      return <SecretInput {...props} />;
    case 'time':
      return <TimeInput {...props} />;
    default:
      return <TextInput {...props} />;
  }
}
