/** What belongs to the sign-in provider: the addresses to register there, and the sign-ins that failed. */
import { resources } from '@recodery/contract/admin/resources';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { RecordList } from '../list/record-list.tsx';
import type { AnyRecord, AnyResource, ListQuery } from '../records/records.ts';
import type { ResourcePages } from '../resource-pages.ts';
import { fieldLabel } from '../records/resource-words.ts';

export interface ProviderNotesProps {
  readonly record: AnyRecord;
  /** How the list of failed sign-ins is shown; passed, because all pages would load the icons that two parts import. */
  readonly failures: ResourcePages;
}

/** The addresses that the provider must know. */
const addresses = ['redirectAddress', 'signOutAddress'] as const;

function Addresses({ record }: Pick<ProviderNotesProps, 'record'>) {
  const { t } = useTexts();
  return (
    <Panel>
      <section className="flex flex-col gap-3" aria-label={t('admin.signIn.register')}>
        <h2 className="text-lg">{t('admin.signIn.register')}</h2>
        <p className="max-w-[70ch] text-md text-pretty text-ink-2">
          {t('admin.signIn.registerAbout')}
        </p>
        <dl className="flex flex-col gap-3">
          {addresses.map((name) => (
            <div key={name}>
              <dt className="text-sm text-ink-3">{fieldLabel(t, resources.signIn, name)}</dt>
              <dd className="mt-1 rounded-m bg-sunken px-2 py-1">
                <CopyCode code={String(record[name])} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Panel>
  );
}

function Failures({ shown }: { readonly shown: ResourcePages }) {
  const { t } = useTexts();
  const resource: AnyResource = resources.signInFailures;
  const { icon, title, about, empty, invitation } = shown;
  const [query, setQuery] = useState<ListQuery>({ search: '', sort: resource.sort, filters: {} });
  return (
    <section className="flex flex-col gap-4" aria-label={t(title)}>
      <div>
        <h2 className="text-lg">{t(title)}</h2>
        <p className="max-w-[70ch] text-md text-pretty text-ink-2">{t(about)}</p>
      </div>
      <RecordList
        {...{ resource, query }}
        label={t(title)}
        onQuery={setQuery}
        base="/admin/signInFailures"
        empty={{ icon, title: t(empty), about: t(invitation) }}
      />
    </section>
  );
}

export function ProviderNotes({ record, failures }: ProviderNotesProps) {
  return (
    <>
      {record['redirectAddress'] !== null && <Addresses {...{ record }} />}
      <Failures shown={failures} />
    </>
  );
}
