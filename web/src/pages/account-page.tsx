/** The user's own account: name, language, password, second factors and sessions. */
import type { OwnAccount } from '@recodery/contract/admin/account';
import { useQueryClient } from '@tanstack/react-query';
import { OwnSessions } from '../features/admin/account/own-sessions.tsx';
import { OwnFactorsPanel } from '../features/admin/account/factors/own-factors-panel.tsx';
import { useAccount } from '../features/admin/account/own-account.ts';
import { PasswordForm } from '../features/admin/account/password-form.tsx';
import { ProfileForm } from '../features/admin/account/profile-form.tsx';
import { sessionQuery } from '../features/session/session.ts';
import { languageOf } from '../i18n/languages.ts';
import { changeLanguage, useTexts } from '../i18n/texts.ts';
import { LoadedPage } from './loaded-page.tsx';

export function AccountPage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const query = useAccount();
  const follow = ({ culture }: OwnAccount, before: OwnAccount): void => {
    // the header shows the name
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const language = culture === before.culture ? null : languageOf(culture);
    if (language !== null) void changeLanguage(language);
  };
  return (
    <LoadedPage title={t('layout.account')} about={t('account.about')} query={query}>
      {(account) => (
        <div className="flex flex-col gap-5">
          <ProfileForm account={account} onSaved={(saved) => follow(saved, account)} />
          {account.hasPassword && <PasswordForm />}
          {account.hasPassword && <OwnFactorsPanel />}
          <OwnSessions />
        </div>
      )}
    </LoadedPage>
  );
}
