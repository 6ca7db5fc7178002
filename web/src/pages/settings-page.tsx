/** The organisation's settings: names of encoded files, and the defaults for sending. */
import { usePreferences } from '../features/preferences/preferences.ts';
import { PreferencesForm } from '../features/preferences/preferences-form.tsx';
import { useSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { LoadedPage } from './loaded-page.tsx';
import { SettingsSections } from './settings-sections.tsx';

export function SettingsPage() {
  const { t } = useTexts();
  const { customerCode } = useSession();
  return (
    <LoadedPage
      query={usePreferences()}
      title={t('menu.settings')}
      head={<SettingsSections path="/settings" about="settings.about" />}
    >
      {(preferences) => (
        <PreferencesForm key={customerCode} preferences={preferences} customerCode={customerCode} />
      )}
    </LoadedPage>
  );
}
