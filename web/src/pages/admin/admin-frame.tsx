/** What all pages for operators share: the sections, and what anyone else sees instead. */
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  isOperatorResource,
  resourcePages,
  sections,
} from '../../features/admin/resource-pages.ts';
import { useSession } from '../../features/session/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Select } from '../../ui/fields/select.tsx';
import { ForbiddenScreen } from '../../ui/loading/forbidden-screen.tsx';
import { SectionLinks } from '../settings/settings-sections.tsx';

/** The address of the section of the open page. */
function useSection(): string {
  const name = useLocation().pathname.split('/')[2];
  const section = isOperatorResource(name) ? (resourcePages[name].section ?? name) : name;
  return section ? `/admin/${section}` : '/admin';
}

/** The sections: links next to each other, or one list where these would take up to seven rows. */
function Sections() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const label = t('admin.sections');
  const links = [
    { to: '/admin', text: t('admin.overview') },
    ...sections.map((name) => ({
      to: `/admin/${name}`,
      text: t(resourcePages[name].title),
      isExact: false,
    })),
    { to: '/admin/directory', text: t('admin.directory') },
  ];
  return (
    <>
      <nav aria-label={label} className="lg:hidden">
        <Select
          label={label}
          isLabelHidden
          className="sm:max-w-80"
          options={links.map(({ to, text }) => ({ id: to, text }))}
          value={useSection()}
          onChange={(to) => void navigate(to)}
        />
      </nav>
      <div className="max-lg:hidden">
        <SectionLinks label={label} sections={links} />
      </div>
    </>
  );
}

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
      <Sections />
      {children}
    </div>
  );
}
