/** The list of a resource's records: search, order, selection, and the states in which there is nothing to list. */
import { useState } from 'react';
import { trueTime } from '../../../api/server-clock.ts';
import { numberText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { EmptyState } from '../../../ui/display/empty-state.tsx';
import type { IconPart } from '../../../ui/display/icon.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { useSeeMore } from '../../../ui/actions/see-more.ts';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useTypedText } from '../../../ui/fields/typed-text.ts';
import { isInactive } from '../records/record-actions.ts';
import { RecordTable, type TableRow } from './record-table.tsx';
import {
  type AnyRecord,
  type AnyResource,
  type ListQuery,
  useRecords,
} from '../records/records.ts';
import { fieldLabel, flagText, valueText, type Writing } from '../records/resource-words.ts';
import { searchShown } from './search-shown.ts';
import { SelectedRecords } from './selected-records.tsx';
import { ValueCell } from './value-cell.tsx';

/** Only some resources have filters. */
const ListFilters = onDemand(async () => (await import('./list-filters.tsx')).ListFilters);

export interface RecordListProps {
  readonly resource: AnyResource;
  readonly label: string;
  readonly query: ListQuery;
  readonly onQuery: (query: ListQuery) => void;
  /** The address below which each record has its own. */
  readonly base: string;
  readonly empty: { readonly icon: IconPart; readonly title: string; readonly about: string };
}

const sortedBy: ReadonlySet<string> = new Set(['number', 'bytes']);

type Records = ReturnType<typeof useRecords>;

/** One line with the values that a phone has no columns for. */
function summaryOf(writing: Writing, resource: AnyResource, record: AnyRecord): string {
  const { fields, columns } = resource;
  const texts = columns.slice(1).flatMap((name) => {
    const field = fields[name];
    if (field === undefined) return [];
    const value = record[name] ?? null;
    const text =
      typeof value === 'boolean'
        ? flagText(writing.t, name, value)
        : valueText(writing, name, field, value);
    if (text === '') return [];
    const label = fieldLabel(writing.t, resource, name);
    return typeof value === 'number' ? writing.t('ui.labelled', { label, value: text }) : text;
  });
  return texts.join(' · ');
}

/** The first column as the name of a row. */
function titleOf(writing: Writing, { fields, columns, title }: AnyResource, record: AnyRecord) {
  const [name = title] = columns;
  return valueText(writing, name, fields[name] ?? { kind: 'text' }, record[name] ?? null);
}

/** A record as a row of the table. */
function rowOf(writing: Writing, resource: AnyResource, record: AnyRecord, base: string): TableRow {
  const { fields, columns } = resource;
  return {
    id: record.guid,
    title: titleOf(writing, resource, record),
    href: `${base}/${record.guid}`,
    cells: columns
      .slice(1)
      .map((name) => (
        <ValueCell
          key={name}
          {...{ writing, name }}
          kind={fields[name]?.kind ?? 'text'}
          value={record[name] ?? null}
        />
      )),
    summary: summaryOf(writing, resource, record),
    isInactive: isInactive(record),
  };
}

interface FoundProps extends Pick<RecordListProps, 'resource' | 'label' | 'query' | 'onQuery'> {
  readonly records: Records;
  readonly base: string;
}

function Found({ records, resource, label, query, onQuery, base }: FoundProps) {
  const { t, language } = useTexts();
  const { data, hasNextPage, isFetchingNextPage } = records;
  const items = data?.pages.flat() ?? [];
  const { list, seeMore } = useSeeMore<HTMLTableSectionElement>(items.length, records);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const writing = { t, language, now: trueTime(records.dataUpdatedAt) };
  const { fields, columns } = resource;
  const select = (id: string, isSelected: boolean): void =>
    setSelected((before) => {
      const next = new Set(before);
      if (isSelected) next.add(id);
      else next.delete(id);
      return next;
    });
  const canSelect = resource.actions.length > 0 || resource.can.remove === true;
  return (
    <>
      <SelectedRecords
        resource={resource}
        records={items.filter(({ guid }) => selected.has(guid))}
        onDone={() => setSelected(new Set())}
      />
      <RecordTable
        label={label}
        columns={columns.map((name) => ({
          name,
          label: fieldLabel(t, resource, name),
          isSortable: resource.sortable?.includes(name) ?? true,
          isNumber: sortedBy.has(fields[name]?.kind ?? ''),
        }))}
        rows={items.map((record) => rowOf(writing, resource, record, base))}
        sort={query.sort}
        onSort={(sort) => onQuery({ ...query, sort })}
        selected={canSelect ? selected : null}
        onSelect={select}
        isBusy={records.isPlaceholderData}
        body={list}
      />
      {hasNextPage && (
        <div className="flex justify-center">
          <Button isPending={isFetchingNextPage} onPress={() => void seeMore()}>
            {t('notifications.more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** How many records there are. Rendered before they are known, so that screen readers announce it. */
function Count({ records, isSearch }: { readonly records: Records; readonly isSearch: boolean }) {
  const { t, language } = useTexts();
  const total = records.data?.total;
  return (
    <p role="status" className="text-md text-ink-2 tabular-nums">
      {total !== undefined &&
        total !== null &&
        !records.isPlaceholderData &&
        t(isSearch ? 'admin.found' : 'admin.total', { number: numberText(total, language) })}
    </p>
  );
}

interface NothingProps extends Pick<RecordListProps, 'empty'> {
  readonly isSearch: boolean;
  readonly search: string;
  readonly onClear: () => void;
}

/** Why there is nothing to list, and what to do. */
function Nothing({ isSearch, search, empty, onClear }: NothingProps) {
  const { t } = useTexts();
  return (
    <Panel>
      {isSearch ? (
        <EmptyState icon={empty.icon} title={t('admin.none')}>
          {search !== '' && <p>{t('admin.noneAbout', { search })}</p>}
          <Button size="small" className="mt-2" onPress={onClear}>
            {t(search === '' ? 'admin.clearFilters' : 'admin.clearSearch')}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState icon={empty.icon} title={empty.title}>
          {empty.about}
        </EmptyState>
      )}
    </Panel>
  );
}

export function RecordList({ resource, label, query, onQuery, base, empty }: RecordListProps) {
  const { t, language } = useTexts();
  // how a time is written changes with the day only
  const [now] = useState(() => trueTime(Date.now()));
  const keep = searchShown({ t, language, now }, resource, query.search);
  const records = useRecords(resource, keep === null ? query : { ...query, search: '' }, keep);
  const [text, setText] = useTypedText(query.search, (search) => onQuery({ ...query, search }));
  const { filters } = query;
  const isSearch = query.search !== '' || Object.keys(filters ?? {}).length > 0;
  return (
    <div className="flex flex-col gap-4">
      <search className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="w-full sm:max-w-xs">
          <TextField
            type="search"
            autoComplete="off"
            label={t('admin.search')}
            value={text}
            onChange={setText}
            maxLength={200}
          />
        </div>
        <Count records={records} isSearch={isSearch} />
      </search>
      {filters !== undefined && (
        <ListFilters
          {...{ resource, filters }}
          onFilters={(next) => onQuery({ ...query, filters: next })}
        />
      )}
      <Loaded
        query={records}
        waiting={
          <Panel>
            <Skeleton lines={8} className="py-2" />
          </Panel>
        }
      >
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <Nothing
              {...{ isSearch, empty }}
              search={query.search}
              onClear={() => {
                setText('');
                onQuery({
                  ...query,
                  search: '',
                  ...(filters === undefined ? {} : { filters: {} }),
                });
              }}
            />
          ) : (
            <Found {...{ records, resource, label, query, onQuery, base }} />
          )
        }
      </Loaded>
    </div>
  );
}
