/** The storage of the organisation, the retention of its jobs, and their full export. */
import { StoragePanel } from '../features/jobs/storage-panel.tsx';
import { useStorageSettings } from '../features/jobs/storage.ts';
import { useTexts } from '../i18n/texts.ts';
import { LoadedPage } from './loaded-page.tsx';
import { SettingsSections } from './settings-sections.tsx';

export function StoragePage() {
  const { t } = useTexts();
  return (
    <LoadedPage
      query={useStorageSettings()}
      title={t('menu.settings')}
      head={<SettingsSections path="/settings/storage" about="storage.about" />}
    >
      {(settings) => <StoragePanel settings={settings} />}
    </LoadedPage>
  );
}
