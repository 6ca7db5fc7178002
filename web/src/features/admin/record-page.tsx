/** One record with its own address: what can be done with it, its form, and what is only shown. */
import { type Field, hasField, isFixed } from '@recodery/contract/admin/resource';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { trueTime } from '../../api/server-clock.ts';
import { useTexts } from '../../i18n/texts.ts';
import { DescriptionList } from '../../ui/display/description-list.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { Link } from '../../ui/actions/link.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { Skeleton } from '../../ui/display/skeleton.tsx';
import { ActOnRecords } from './actions/act-on-records.tsx';
import { actionsOf } from './records/record-actions.ts';
import type { Values } from './records/record-draft.ts';
import { RecordEditor } from './form/record-editor.tsx';
import { type AnyRecord, type AnyResource, useRecord } from './records/records.ts';
import { fieldLabel, valueText } from './records/resource-words.ts';

/** Only some resources have files. */
const DownloadRecord = onDemand(
  async () => (await import('./actions/download-record.tsx')).DownloadRecord,
);

export interface RecordPageProps {
  readonly resource: AnyResource;
  /** The record's GUID; null for a new one. */
  readonly guid: string | null;
  readonly list: { readonly href: string; readonly text: string };
  /** In place of the record's own title, if there is only one. */
  readonly heading?: { readonly title: string; readonly about: string };
  /** The title of a new record's page, and the label of its button. */
  readonly add: string;
  readonly defaults: Values;
  /** What else is shown of an existing record. */
  readonly below?: (record: AnyRecord) => ReactNode;
  /** Links to lists that belong to the record. */
  readonly related: readonly { readonly href: (title: string) => string; readonly text: string }[];
}

const documentLook = 'max-h-120 overflow-auto rounded-m bg-sunken p-3 font-mono text-sm';

/** Whether a field is too long to be one of the facts. */
const isDocument = ({ kind }: Field): boolean => kind === 'json' || kind === 'markdown';

/** The values that only the system changes, and those that were set when the record was created. */
function Facts({
  resource,
  record,
  now,
  hasTitle,
}: {
  readonly resource: AnyResource;
  readonly record: AnyRecord;
  readonly now: Date;
  /** Whether the page has a heading of its own, so that the title is one of the facts. */
  readonly hasTitle: boolean;
}) {
  const { t, language } = useTexts();
  const isShown = isFixed(resource, record);
  const shown = Object.entries(resource.fields).filter(
    ([name, field]) =>
      (isShown || field.edit !== 'always') &&
      (name !== resource.title || hasTitle) &&
      field.kind !== 'secret' &&
      field.kind !== 'image' &&
      field.isHidden !== true &&
      !isDocument(field) &&
      field.isApart !== true &&
      hasField(field, record),
  );
  const items = shown.map(([name, field]) => ({
    label: fieldLabel(t, resource, name),
    value: valueText({ t, language, now }, name, field, record[name]),
  }));
  const documents = Object.entries(resource.fields).flatMap(([name, field]) =>
    isDocument(field) && (isShown || field.edit !== 'always') && typeof record[name] === 'string'
      ? [[name, record[name]] as const]
      : [],
  );
  if (items.length + documents.length === 0) return null;
  return (
    <Panel>
      <DescriptionList items={items} missing={t('admin.without')} />
      {documents.map(([name, text]) => (
        <section key={name} className="mt-5" aria-label={fieldLabel(t, resource, name)}>
          <h2 className="mb-1 text-sm font-normal text-ink-3">{fieldLabel(t, resource, name)}</h2>
          {/* may be wider than the page, so that the keyboard must reach it to scroll */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} className={documentLook}>
            {text}
          </pre>
        </section>
      ))}
    </Panel>
  );
}

interface HeadProps extends Pick<RecordPageProps, 'list' | 'resource' | 'heading'> {
  readonly title: string;
  readonly record?: AnyRecord;
}

function Head({ title, list, resource, heading, record }: HeadProps) {
  const navigate = useNavigate();
  return (
    <div className="flex flex-col gap-2">
      <Link
        href={list.href}
        className="inline-flex items-center gap-1.5 self-start rounded-s text-md text-ink-2 no-underline hover:text-ink hover:underline"
      >
        <Icon of={ArrowLeft} size={16} />
        {list.text}
      </Link>
      <PageTitle
        title={heading?.title ?? title}
        tabTitle={`${heading?.title ?? title} · ${list.text}`}
        aside={
          record && (
            <div className="flex flex-wrap gap-2">
              {resource.download?.is.includes(String(record[resource.download.field])) === true && (
                <DownloadRecord {...{ resource }} guid={record.guid} />
              )}
              <ActOnRecords
                resource={resource}
                records={[record]}
                actions={actionsOf(resource, record)}
                onDone={(action, made) => {
                  if (action === 'remove') void navigate(list.href, { state: { hasAsked: true } });
                  if (made !== null) void navigate(`${list.href}/${made.guid}`);
                }}
              />
            </div>
          )
        }
      >
        {heading && <p className="max-w-[70ch]">{heading.about}</p>}
      </PageTitle>
    </div>
  );
}

function ExistingRecord(props: RecordPageProps & { readonly guid: string }) {
  const { t, language } = useTexts();
  const { resource, guid, list, add, related } = props;
  const titleField = resource.fields[resource.title] ?? ({ kind: 'text' } as const);
  const query = useRecord(resource, guid);
  const now = trueTime(query.dataUpdatedAt);
  const title = String(query.data?.[resource.title] ?? '');
  const writing = { t, language, now };
  const shown = valueText(writing, resource.title, titleField, query.data?.[resource.title]);
  return (
    <div className="flex flex-col gap-5">
      <Head
        title={shown || list.text}
        {...{ list, resource }}
        {...(props.heading && { heading: props.heading })}
        {...(query.data && { record: query.data })}
      />
      <Loaded
        query={query}
        waiting={
          <Panel>
            <Skeleton lines={8} className="py-2" />
          </Panel>
        }
      >
        {(record) => (
          <>
            <Facts {...{ resource, record, now }} hasTitle={props.heading !== undefined} />
            {resource.can.update === true && !isFixed(resource, record) && (
              <RecordEditor
                key={guid}
                {...{ resource, record }}
                defaults={{}}
                create={add}
                onSaved={() => {}}
              />
            )}
            {props.below?.(record)}
            {related.length > 0 && (
              <nav
                aria-label={t('admin.related')}
                className="flex flex-wrap gap-x-5 gap-y-2 text-md"
              >
                {related.map(({ href, text }) => (
                  <Link key={text} href={href(title)}>
                    {text}
                  </Link>
                ))}
              </nav>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function NewRecord({ resource, list, add, defaults }: RecordPageProps) {
  const navigate = useNavigate();
  // what the address prefills does not change while the form is open
  const [initial] = useState(defaults);
  return (
    <div className="flex flex-col gap-5">
      <Head title={add} {...{ list, resource }} />
      <RecordEditor
        {...{ resource }}
        record={null}
        defaults={initial}
        create={add}
        onSaved={({ guid }) =>
          void navigate(`${list.href}/${guid}`, { replace: true, state: { hasAsked: true } })
        }
      />
    </div>
  );
}

export function RecordPage(props: RecordPageProps) {
  const { guid } = props;
  return guid === null ? <NewRecord {...props} /> : <ExistingRecord {...props} guid={guid} />;
}
