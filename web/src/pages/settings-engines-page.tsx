/** The master devices of the organisation with their engines. */
import { EngineList } from '../features/engines/engine-list.tsx';
import { useEngines } from '../features/engines/engines.ts';
import { useTexts } from '../i18n/texts.ts';
import { LoadedPage } from './loaded-page.tsx';
import { SettingsSections } from './settings-sections.tsx';

export function EnginesPage() {
  const { t } = useTexts();
  return (
    <LoadedPage
      query={useEngines()}
      title={t('menu.settings')}
      head={<SettingsSections path="/settings/engines" about="engines.about" />}
    >
      {(masters) => <EngineList masters={masters} />}
    </LoadedPage>
  );
}
