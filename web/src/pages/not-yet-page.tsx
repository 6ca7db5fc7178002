/** Stands where a part of the portal is still being built: says so calmly, and shows a way that exists. */
import Construction from 'lucide-react/icons/construction';
import { type TextKey, useTexts } from '../i18n/texts.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Panel } from '../ui/panel.tsx';

function NotYetPage({ title }: { readonly title: TextKey }) {
  const { t } = useTexts();
  return (
    <div className="flex flex-col gap-5">
      <PageTitle title={t(title)} />
      <Panel>
        <EmptyState icon={Construction} title={t('notYet.title')}>
          <p className="mb-4">{t('notYet.advice')}</p>
          <LinkButton href="/kessv2">{t('notYet.toKessv2')}</LinkButton>
        </EmptyState>
      </Panel>
    </div>
  );
}

export const NotificationsPage = () => <NotYetPage title="menu.notifications" />;
