/** Finds jobs: a search, a file to find by its content, and filters. */
import { definitionOf } from '@recodery/contract/families/registry';
import type { JobFilters } from '@recodery/contract/features/jobs/jobs';
import { warningDays } from '@recodery/contract/features/jobs/kept-jobs';
import X from 'lucide-react/icons/x';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DropArea } from '../../../ui/fields/drop-area.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { listedFamilies } from '../../recoding/families/registry.ts';
import { isFiltered, type JobSearch } from '../job-address.ts';
import { useTypedText } from '../../../ui/fields/typed-text.ts';

export interface JobFinderProps {
  readonly search: JobSearch;
  readonly filters: JobFilters;
  /** `typed`: the field that is being typed in; its changes count as one step for Back. */
  readonly onChange: (search: JobSearch, typed: 'search' | 'from' | 'to' | null) => void;
  readonly onFile: (file: File) => void;
}

interface DayProps extends Pick<JobFinderProps, 'search' | 'onChange'> {
  readonly name: 'from' | 'to';
}

/** A date field; each typed digit of the year results in another date. */
function Day({ search, onChange, name }: DayProps) {
  const { t } = useTexts();
  const [day, setDay] = useTypedText(search[name], (next) =>
    onChange({ ...search, [name]: next }, name),
  );
  return (
    <TextField
      type="date"
      autoComplete="off"
      label={t(`jobs.${name}`)}
      value={day}
      onChange={setDay}
    />
  );
}

function Filters({ search, filters, onChange }: Omit<JobFinderProps, 'onFile'>) {
  const { t } = useTexts();
  const set = (change: Partial<JobSearch>): void => onChange({ ...search, ...change }, null);
  const all = { id: '', text: t('jobs.all') };
  // a value in the address is shown even if the list of values does not contain it
  const devices = new Set([...filters.devices, ...(search.device === '' ? [] : [search.device])]);
  return (
    <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 xl:grid-cols-5">
      <Select
        label={t('jobs.family')}
        value={search.family}
        onChange={(family) => set({ family })}
        options={[all, ...listedFamilies.map((id) => ({ id, text: definitionOf(id).name }))]}
      />
      <Select
        label={t('jobs.device')}
        value={search.device}
        onChange={(device) => set({ device })}
        options={[all, ...[...devices].map((id) => ({ id, text: id }))]}
      />
      <Select
        label={t('jobs.person')}
        value={search.person}
        onChange={(person) => set({ person })}
        options={[
          all,
          ...filters.people.map(({ guid, displayName }) => ({ id: guid, text: displayName })),
        ]}
      />
      <Day name="from" search={search} onChange={onChange} />
      <Day name="to" search={search} onChange={onChange} />
      <div className="col-span-full flex min-h-[38px] flex-wrap items-center gap-x-8 gap-y-1">
        <Switch isSelected={search.kept} onChange={(kept) => set({ kept })}>
          {t('jobs.keptOnly')}
        </Switch>
        <Switch isSelected={search.expiring} onChange={(expiring) => set({ expiring })}>
          {t('jobs.expiringOnly', { days: warningDays })}
        </Switch>
      </div>
    </div>
  );
}

export function JobFinder({ search, filters, onChange, onFile }: JobFinderProps) {
  const { t } = useTexts();
  const [text, setText] = useTypedText(search.search, (next) =>
    onChange({ ...search, search: next }, 'search'),
  );
  const none = { search: '', family: '', device: '', person: '', from: '', to: '' };
  return (
    <Panel>
      <search className="flex flex-col gap-4">
        <div className="grid items-end gap-3 md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
          <TextField
            type="search"
            autoComplete="off"
            label={t('jobs.search')}
            placeholder={t('jobs.searchHint')}
            value={text}
            onChange={setText}
            maxLength={200}
          />
          <DropArea shape="row" label={t('jobs.drop')} choose={t('jobs.choose')} onFile={onFile} />
        </div>
        <Filters search={search} filters={filters} onChange={onChange} />
        {(isFiltered(search) || search.search !== '') && (
          <Button
            look="quiet"
            size="small"
            icon={X}
            className="self-start"
            onPress={() => {
              // typed text that has not been passed on yet
              setText('');
              onChange({ ...none, kept: false, expiring: false }, null);
            }}
          >
            {t('jobs.clear')}
          </Button>
        )}
      </search>
    </Panel>
  );
}
