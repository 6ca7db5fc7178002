/** The list of one resource that operators administer. */
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { RecordList } from '../../features/admin/list/record-list.tsx';
import {
  declaredResource,
  type OperatorResource,
  resourcePages,
} from '../../features/admin/resource-pages.ts';
import type { AnyResource, Filters } from '../../features/admin/records/records.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';

/** Only the list of messages shows it. */
const MessagesPreview = onDemand(
  async () => (await import('./messages-preview.tsx')).MessagesPreview,
);

/** Only the list of backups shows it. */
const BackupNotes = onDemand(
  async () => (await import('../../features/admin/backups/backup-notes.tsx')).BackupNotes,
);

/** Only some resources have tasks or an export. */
const WholeResource = onDemand(
  async () => (await import('../../features/admin/list/whole-resource.tsx')).WholeResource,
);

/** Only slaves are added in lists. */
const AddSlavesDialog = onDemand(
  async () => (await import('../../features/admin/devices/add-slaves-dialog.tsx')).AddSlavesDialog,
);

function AddSlaves() {
  const { t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button className="max-sm:w-full" onPress={() => setIsOpen(true)}>
        {t('admin.slaves.many')}
      </Button>
      {isOpen && <AddSlavesDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** The filters of a resource that the address contains. */
function filtersIn({ filters = {} }: AnyResource, parameters: URLSearchParams): Filters {
  return Object.fromEntries([...parameters].filter(([name]) => Object.hasOwn(filters, name)));
}

export function AdminListPage({ name }: { readonly name: OperatorResource }) {
  const { t } = useTexts();
  const [parameters, setParameters] = useSearchParams();
  const resource = declaredResource(name);
  const { icon, title, about, empty, invitation, add } = resourcePages[name];
  const query = {
    search: parameters.get('search') ?? '',
    sort: parameters.get('sort') ?? resource.sort,
    ...(resource.filters === undefined ? {} : { filters: filtersIn(resource, parameters) }),
  };
  const hasWhole = resource.hasExport === true || resource.tasks !== undefined;
  return (
    <>
      <PageTitle
        title={t(title)}
        tabTitle={`${t(title)} · ${t('menu.admin')}`}
        aside={
          hasWhole ? (
            <WholeResource {...{ resource, query }} />
          ) : add === null ? null : (
            <div className="flex flex-wrap gap-2 max-sm:w-full">
              {name === 'slaves' && <AddSlaves />}
              <LinkButton
                look="primary"
                icon={Plus}
                href={`/admin/${name}/new`}
                className="max-sm:w-full"
              >
                {t(add)}
              </LinkButton>
            </div>
          )
        }
      >
        <p className="max-w-[70ch]">{t(about)}</p>
      </PageTitle>
      <RecordList
        resource={resource}
        label={t(title)}
        query={query}
        onQuery={({ search, sort, filters }) =>
          setParameters(
            {
              ...filters,
              ...(search === '' ? {} : { search }),
              ...(sort === resource.sort ? {} : { sort }),
            },
            // typing one search adds one step to the browser history
            { replace: query.search !== '' && search !== '', preventScrollReset: true },
          )
        }
        base={`/admin/${name}`}
        empty={{ icon, title: t(empty), about: t(invitation) }}
      />
      {name === 'backups' && <BackupNotes />}
      {name === 'messages' && <MessagesPreview />}
    </>
  );
}
