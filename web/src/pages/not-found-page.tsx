/** Shown for an unknown address. */
import SearchX from 'lucide-react/icons/search-x';
import { useLocation } from 'react-router';
import { useTexts } from '../i18n/texts.ts';
import { Icon } from '../ui/display/icon.tsx';
import { LinkButton } from '../ui/actions/link-button.tsx';
import { PageTitle } from '../ui/display/page-title.tsx';

export function NotFoundPage() {
  const { t } = useTexts();
  const { pathname } = useLocation();
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start gap-4 py-10 sm:py-16">
      <span className="flex size-12 items-center justify-center rounded-m bg-sunken text-ink-2">
        <Icon of={SearchX} size={24} />
      </span>
      <PageTitle title={t('notFound.title')}>
        <span className="wrap-anywhere">{t('notFound.advice', { path: pathname })}</span>
      </PageTitle>
      <LinkButton look="primary" size="large" href="/">
        {t('notFound.home')}
      </LinkButton>
    </div>
  );
}
