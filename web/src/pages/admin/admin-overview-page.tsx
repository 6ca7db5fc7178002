/** The start of the administration: how the installation is, how many there are of everything, and where to go. */
import FileCode from 'lucide-react/icons/file-code';
import { numberText } from '../../i18n/formats.ts';
import { useRecordCount } from '../../features/admin/records/records.ts';
import {
  declaredResource,
  type OperatorResource,
  type ResourcePages,
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

interface CardProps extends Pick<ResourcePages, 'icon' | 'title' | 'about'> {
  readonly href: string;
  readonly total: number | null | undefined;
}

function Card({ icon, title, about, href, total }: CardProps) {
  const { t, language } = useTexts();
  return (
    <li className="relative flex gap-4 rounded-l border border-line bg-surface p-4 transition-colors hover:bg-sunken sm:px-[22px] sm:py-[18px]">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-m bg-accent-soft text-accent">
        <Icon of={icon} size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="text-base">
          <Link
            href={href}
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

function ResourceCard({ name }: { readonly name: OperatorResource }) {
  const total = useRecordCount(declaredResource(name)).data;
  return <Card {...resourcePages[name]} {...{ total }} href={`/admin/${name}`} />;
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
          <ResourceCard key={name} name={name} />
        ))}
        <Card
          icon={FileCode}
          title="admin.directory"
          about="admin.directoryAbout"
          href="/admin/directory"
          total={null}
        />
      </ul>
    </>
  );
}
