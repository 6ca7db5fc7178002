/** The list of one resource that operators administer. */
import Plus from 'lucide-react/icons/plus';
import { useSearchParams } from 'react-router';
import { RecordList } from '../../features/admin/record-list.tsx';
import {
  declaredResource,
  type OperatorResource,
  resourcePages,
} from '../../features/admin/resource-pages.ts';
import { useTexts } from '../../i18n/texts.ts';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';

/** Only the list of messages shows it. */
const MessagesPreview = onDemand(
  async () => (await import('./messages-preview.tsx')).MessagesPreview,
);

export function AdminListPage({ name }: { readonly name: OperatorResource }) {
  const { t } = useTexts();
  const [parameters, setParameters] = useSearchParams();
  const resource = declaredResource(name);
  const { icon, title, about, empty, invitation, add } = resourcePages[name];
  const query = {
    search: parameters.get('search') ?? '',
    sort: parameters.get('sort') ?? resource.sort,
  };
  return (
    <>
      <PageTitle
        title={t(title)}
        tabTitle={`${t(title)} · ${t('menu.admin')}`}
        aside={
          add !== null && (
            <LinkButton
              look="primary"
              icon={Plus}
              href={`/admin/${name}/new`}
              className="max-sm:w-full"
            >
              {t(add)}
            </LinkButton>
          )
        }
      >
        <p className="max-w-[70ch]">{t(about)}</p>
      </PageTitle>
      <RecordList
        resource={resource}
        label={t(title)}
        query={query}
        onQuery={({ search, sort }) =>
          setParameters(
            {
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
      {name === 'messages' && <MessagesPreview />}
    </>
  );
}
