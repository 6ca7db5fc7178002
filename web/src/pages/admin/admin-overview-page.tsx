/** The start of the administration: how the installation is, how many there are of everything, and where to go. */
import { numberText } from '../../i18n/formats.ts';
import { useRecordCount } from '../../features/admin/records.ts';
import {
  declaredResource,
  type OperatorResource,
  resourcePages,
  sections,
} from '../../features/admin/resource-pages.ts';
import { useTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { Link } from '../../ui/actions/link.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';

/** Only this page shows it. */
const Installation = onDemand(
  async () => (await import('../../features/admin/overview/installation.tsx')).Installation,
);

function Card({ name }: { readonly name: OperatorResource }) {
  const { t, language } = useTexts();
  const { icon, title, about } = resourcePages[name];
  const total = useRecordCount(declaredResource(name)).data;
  return (
    <li className="relative flex gap-4 rounded-l border border-line bg-surface p-4 transition-colors hover:bg-sunken sm:px-[22px] sm:py-[18px]">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-m bg-accent-soft text-accent">
        <Icon of={icon} size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="text-base">
          <Link
            href={`/admin/${name}`}
            className="text-ink no-underline after:absolute after:inset-0 hover:underline"
          >
            {t(title)}
          </Link>
        </h2>
        <p className="text-md text-pretty text-ink-2">{t(about)}</p>
      </div>
      <p className="text-xl font-semibold tabular-nums">
        {typeof total === 'number' ? numberText(total, language) : ''}
      </p>
    </li>
  );
}

export function AdminOverviewPage() {
  const { t } = useTexts();
  return (
    <>
      <PageTitle title={t('menu.admin')}>
        <p className="max-w-[70ch]">{t('admin.about')}</p>
      </PageTitle>
      <Installation />
      <ul className="grid gap-4 lg:grid-cols-2">
        {sections.map((name) => (
          <Card key={name} name={name} />
        ))}
      </ul>
    </>
  );
}
