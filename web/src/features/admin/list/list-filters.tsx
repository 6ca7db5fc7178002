/** What narrows a list besides the search, by the filters that the resource declares. */
import type { Field } from '@recodery/contract/admin/resource';
import ListFilter from 'lucide-react/icons/list-filter';
import { useId, useState } from 'react';
import { numberText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { useTypedText } from '../../../ui/fields/typed-text.ts';
import { RecordField } from '../form/record-field.tsx';
import type { AnyResource, Filters } from '../records/records.ts';
import { fieldHint, fieldLabel } from '../records/resource-words.ts';

export interface ListFiltersProps {
  readonly resource: AnyResource;
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
}

interface FilterProps {
  readonly resource: AnyResource;
  readonly name: string;
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Texts take effect after a pause, like a search. */
function Filter({ resource, name, field, value, onChange }: FilterProps) {
  const { t } = useTexts();
  const [typed, setTyped] = useTypedText(value, onChange);
  const isTyped = field.kind === 'text' || field.kind === 'reference';
  const shown = isTyped ? typed : value;
  return (
    <RecordField
      name={name}
      field={field}
      label={fieldLabel(t, resource, name)}
      hint={fieldHint(t, { name: `${resource.name}.filter` }, name)}
      error={null}
      value={shown === '' ? null : shown}
      onChange={(next) => (isTyped ? setTyped : onChange)(next === null ? '' : String(next))}
    />
  );
}

export function ListFilters({ resource, filters, onFilters }: ListFiltersProps) {
  const { t, language } = useTexts();
  const declared = Object.entries(resource.filters ?? {});
  const number = Object.keys(filters).length;
  const [isOpen, setIsOpen] = useState(number > 0);
  const id = useId();
  const set = (name: string, value: string): void => {
    const { [name]: _before, ...others } = filters;
    onFilters(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          icon={ListFilter}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onPress={() => setIsOpen(!isOpen)}
        >
          {number === 0
            ? t('admin.filters')
            : t('admin.filtersInUse', { number: numberText(number, language) })}
        </Button>
        {number > 0 && (
          <Button look="quiet" onPress={() => onFilters({})}>
            {t('admin.clearFilters')}
          </Button>
        )}
      </div>
      {isOpen && (
        <div
          id={id}
          role="group"
          aria-label={t('admin.filters')}
          className="grid items-start gap-4 rounded-l border border-line bg-surface p-4 sm:grid-cols-2 lg:grid-cols-3"
        >
          {declared.map(([name, field]) => (
            <Filter
              key={name}
              {...{ resource, name, field }}
              value={filters[name] ?? ''}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
