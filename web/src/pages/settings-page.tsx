/** The organisation's settings: names of encoded files, and the defaults for sending. */
import { usePreferences } from '../features/preferences/preferences.ts';
import { PreferencesForm } from '../features/preferences/preferences-form.tsx';
import { useSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { LongText } from '../ui/long-text.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isForbidden, Unavailable } from './unavailable.tsx';

export function SettingsPage() {
  const { t } = useTexts();
  const { customerCode, customerCodeNames } = useSession();
  const { data, error, refetch, isFetching } = usePreferences();
  const organisation = [customerCode, customerCodeNames[customerCode]].filter(Boolean).join(' ');
  if (data === undefined && isForbidden(error)) {
    return (
      <Unavailable
        pageTitle={t('menu.settings')}
        thrown={error}
        onAgain={refetch}
        isAsking={isFetching}
      />
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <PageTitle title={t('menu.settings')}>
        <p className="max-w-[70ch]">
          <LongText>{t('settings.about', { organisation })}</LongText>
        </p>
      </PageTitle>
      {data !== undefined ? (
        <PreferencesForm key={customerCode} preferences={data} customerCode={customerCode} />
      ) : error !== null ? (
        <Unavailable
          pageTitle={t('menu.settings')}
          thrown={error}
          onAgain={refetch}
          isAsking={isFetching}
        />
      ) : (
        <Panel>
          <Skeleton lines={6} className="py-2" />
        </Panel>
      )}
    </div>
  );
}
