/** The directory file: all organizations, users and devices at once. */
import { DirectoryPanels } from '../../features/admin/directory/directory-panels.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { PageTitle } from '../../ui/display/page-title.tsx';

export function AdminDirectoryPage() {
  const { t } = useTexts();
  return (
    <>
      <PageTitle
        title={t('admin.directory')}
        tabTitle={`${t('admin.directory')} · ${t('menu.admin')}`}
      >
        <p className="max-w-[70ch]">{t('admin.directoryAbout')}</p>
      </PageTitle>
      <DirectoryPanels />
    </>
  );
}
