/** What all pages for operators share: the sections, and what anyone else sees instead. */
import type { ReactNode } from 'react';
import { resourcePages, sections } from '../../features/admin/resource-pages.ts';
import { useSession } from '../../features/session/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ForbiddenScreen } from '../../ui/loading/forbidden-screen.tsx';
import { SectionLinks } from '../settings/settings-sections.tsx';

export function AdminFrame({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const { isOperator } = useSession();
  if (!isOperator) {
    return (
      <ForbiddenScreen
        pageTitle={t('menu.admin')}
        headline={t('admin.forbidden')}
        advice={t('admin.forbiddenAbout')}
        code="USER_NO_RIGHTS"
      />
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <SectionLinks
        label={t('admin.sections')}
        sections={[
          { to: '/admin', text: t('admin.overview') },
          ...sections.map((name) => ({
            to: `/admin/${name}`,
            text: t(resourcePages[name].title),
            isExact: false,
          })),
          { to: '/admin/directory', text: t('admin.directory') },
        ]}
      />
      {children}
    </div>
  );
}
