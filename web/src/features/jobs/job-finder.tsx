/** Finds jobs: a search, a file to find by its content, and filters. */
import { definitionOf } from '@recodery/contract/families/registry';
import type { JobFilters } from '@recodery/contract/jobs';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlainField } from '../../ui/plain-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { listedFamilies } from '../families/registry.ts';
import { isFiltered, type JobSearch } from './job-address.ts';

export interface JobFinderProps {
  readonly search: JobSearch;
  readonly filters: JobFilters;
  /** `isTyping`: the change belongs to the one before, and is no step of its own for Back. */
  readonly onChange: (search: JobSearch, isTyping: boolean) => void;
  readonly onFile: (file: File) => void;
}

/** Milliseconds after the last key before the list is requested. */
const typingPause = 300;

/** The text as it is typed; it is passed on after a pause. Another text from outside replaces it. */
function useTypedText(text: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState({ from: text, text });
  if (typed.from !== text) setTyped({ from: text, text });
  const pass = useEffectEvent(onChange);
  useEffect(() => {
    if (typed.text === text) return;
    const timer = setTimeout(() => {
      setTyped({ from: typed.text, text: typed.text });
      pass(typed.text);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [typed.text, text]);
  return [typed.text, (next: string) => setTyped({ from: text, text: next })] as const;
}

function Filters({ search, filters, onChange }: Omit<JobFinderProps, 'onFile'>) {
  const { t } = useTexts();
  const set = (change: Partial<JobSearch>): void => onChange({ ...search, ...change }, false);
  const all = { id: '', text: t('jobs.all') };
  // what the address names is shown although the list of values does not contain it
  const devices = new Set([...filters.devices, ...(search.device === '' ? [] : [search.device])]);
  return (
    <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 xl:grid-cols-6">
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
      <PlainField
        type="date"
        label={t('jobs.from')}
        value={search.from}
        onChange={(from) => set({ from })}
      />
      <PlainField
        type="date"
        label={t('jobs.to')}
        value={search.to}
        onChange={(to) => set({ to })}
      />
      <div className="flex min-h-[38px] flex-wrap items-center justify-between gap-2">
        <Switch isSelected={search.kept} onChange={(kept) => set({ kept })}>
          {t('jobs.keptOnly')}
        </Switch>
      </div>
    </div>
  );
}

export function JobFinder({ search, filters, onChange, onFile }: JobFinderProps) {
  const { t } = useTexts();
  const [text, setText] = useTypedText(search.search, (next) =>
    onChange({ ...search, search: next }, true),
  );
  const none = { search: '', family: '', device: '', person: '', from: '', to: '', kept: false };
  return (
    <Panel>
      <search className="flex flex-col gap-4">
        <div className="grid items-end gap-3 md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
          <PlainField
            type="search"
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
            onPress={() => onChange(none, false)}
          >
            {t('jobs.clear')}
          </Button>
        )}
      </search>
    </Panel>
  );
}
