/** The organisation's settings for encoded files: their names, and the defaults for sending. */
import { familiesWithNameFormat } from '@recodery/contract/families/registry';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { usePreferences } from '../../features/preferences/preferences.ts';
import { PreferencesForm } from '../../features/preferences/preferences-form.tsx';
import { accessLevelOf, mayEnterFamily } from '../../features/session/entries.ts';
import { useSession } from '../../features/session/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { SettingsFrame } from './settings-sections.tsx';

export function SettingsPage() {
  const { t } = useTexts();
  const session = useSession();
  const { customerCode } = session;
  const query = usePreferences();
  const families = familiesWithNameFormat.filter(({ family }) => mayEnterFamily(session, family));
  // users who cannot encode have nothing to send either
  const sends = accessLevelOf(session) === 'works' && query.data?.canUserAutoSend !== false;
  const hasFields = families.length > 0 || sends;
  return (
    <SettingsFrame query={query} path="/settings" about={hasFields ? 'settings.about' : undefined}>
      {(preferences) =>
        hasFields ? (
          <PreferencesForm
            key={customerCode}
            families={families}
            preferences={preferences}
            customerCode={customerCode}
          />
        ) : (
          <Panel>
            <EmptyState icon={SlidersHorizontal} title={t('settings.none')}>
              {t('settings.noneAbout')}
            </EmptyState>
          </Panel>
        )
      }
    </SettingsFrame>
  );
}
