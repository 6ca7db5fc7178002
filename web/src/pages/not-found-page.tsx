/** Shown for an address that leads nowhere. */
import { useLocation } from 'react-router';
import { useTexts } from '../i18n/texts.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageTitle } from '../ui/page-title.tsx';

export function NotFoundPage() {
  const { t } = useTexts();
  const { pathname } = useLocation();
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6">
      <PageTitle title={t('notFound.title')}>
        <span className="break-words">{t('notFound.advice', { path: pathname })}</span>
      </PageTitle>
      <LinkButton look="primary" size="large" href="/">
        {t('notFound.home')}
      </LinkButton>
    </div>
  );
}
