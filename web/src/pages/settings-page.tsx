/** The organisation's settings: names of encoded files, and the defaults for sending. */
import { usePreferences } from '../features/preferences/preferences.ts';
import { PreferencesForm } from '../features/preferences/preferences-form.tsx';
import { useSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { LongText } from '../ui/long-text.tsx';
import { LoadedPage } from './loaded-page.tsx';

export function SettingsPage() {
  const { t } = useTexts();
  const { customerCode, customerCodeNames } = useSession();
  const organisation = [customerCode, customerCodeNames[customerCode]].filter(Boolean).join(' ');
  return (
    <LoadedPage
      query={usePreferences()}
      title={t('menu.settings')}
      about={<LongText>{t('settings.about', { organisation })}</LongText>}
    >
      {(preferences) => (
        <PreferencesForm key={customerCode} preferences={preferences} customerCode={customerCode} />
      )}
    </LoadedPage>
  );
}
