/** One record that operators administer, or the form for a new one. */
import { Navigate, useSearchParams } from 'react-router';
import { RecordPage } from '../../features/admin/record-page.tsx';
import {
  declaredResource,
  type OperatorResource,
  resourcePages,
} from '../../features/admin/resource-pages.ts';
import { useTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { useSession } from '../../features/session/session.ts';

/** Only backups have them. */
const RestoreSteps = onDemand(
  async () => (await import('../../features/admin/backups/restore-steps.tsx')).RestoreSteps,
);

/** Only the sign-in provider has them. */
const ProviderNotes = onDemand(
  async () => (await import('../../features/admin/sign-in/provider-notes.tsx')).ProviderNotes,
);

/** In an address, in place of the GUID of a record that does not exist yet. */
const newRecord = 'new';

export interface AdminRecordPageProps {
  readonly name: OperatorResource;
  /** `new` for a record that does not exist yet. */
  readonly guid: string;
}

export function AdminRecordPage({ name, guid }: AdminRecordPageProps) {
  const { t } = useTexts();
  const { culture } = useSession();
  const [parameters] = useSearchParams();
  const resource = declaredResource(name);
  const { title, about, add, defaults, related, single, within } = resourcePages[name];
  const isNew = guid === newRecord;
  if (isNew && add === null) return <Navigate to={`/admin/${name}`} replace />;
  // a list can lead to a form that already names the organisation or master device
  const prefilled = [...parameters].filter(([field]) => resource.fields[field] !== undefined);
  const language = name === 'organisations' ? { culture } : {};
  return (
    <RecordPage
      resource={resource}
      guid={isNew ? null : guid}
      list={
        single === undefined
          ? { href: `/admin/${name}`, text: t(title) }
          : within === undefined
            ? { href: '/admin', text: t('admin.overview') }
            : { href: `/admin/${within}`, text: t(resourcePages[within].title) }
      }
      {...(single === undefined ? {} : { heading: { title: t(title), about: t(about) } })}
      add={add === null ? '' : t(add)}
      defaults={{ ...language, ...defaults, ...Object.fromEntries(prefilled) }}
      {...(name === 'backups' && {
        below: ({ restoreCommand }) => <RestoreSteps command={String(restoreCommand)} />,
      })}
      {...(name === 'signIn' && {
        below: (record) => (
          <ProviderNotes record={record} failures={resourcePages.signInFailures} />
        ),
      })}
      related={related.map((other) => ({
        text: t(resourcePages[other].title),
        href: (record) =>
          single === undefined && resourcePages[other].within === undefined
            ? `/admin/${other}?search=${encodeURIComponent(record)}`
            : `/admin/${other}`,
      }))}
    />
  );
}
