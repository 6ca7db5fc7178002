/** The bar at the top: home, customer code, settings, bell, language, account. */
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import Languages from 'lucide-react/icons/languages';
import MenuIcon from 'lucide-react/icons/menu';
import Settings from 'lucide-react/icons/settings';
import X from 'lucide-react/icons/x';
import { Bell } from '../features/notifications/bell.tsx';
import { useConfig } from '../features/service-status/service-status.ts';
import { useSession } from '../features/session/session.ts';
import { languageNames, languages } from '../i18n/languages.ts';
import { changeLanguage, useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/actions/button.tsx';
import { Icon } from '../ui/display/icon.tsx';
import { Link } from '../ui/actions/link.tsx';
import { LinkButton } from '../ui/actions/link-button.tsx';
import { Mark } from '../ui/display/mark.tsx';
import { Menu } from '../ui/actions/menu.tsx';
import { onDemand } from '../ui/loading/on-demand.tsx';
import { PlainButton } from '../ui/actions/plain-button.tsx';
import { UserMenu } from './user-menu.tsx';

function CodeWords() {
  const { t } = useTexts();
  const { customerCode, customerCodeNames } = useSession();
  return (
    <span className="flex min-w-0 items-center gap-2 px-2 text-md">
      <span className="sr-only">{t('layout.customerCode')}</span>
      <span className="truncate font-semibold">{customerCode}</span>
      <span className="hidden max-w-48 truncate text-ink-2 xl:inline">
        {customerCodeNames[customerCode]}
      </span>
    </span>
  );
}

/** Only users of several organisations need it. */
const CustomerCodeMenu = onDemand(
  async () => (await import('../features/session/customer-code-menu.tsx')).CustomerCodeMenu,
  <CodeWords />,
);

function CustomerCode() {
  const { otherCustomerCodes } = useSession();
  if (otherCustomerCodes.length === 0) return <CodeWords />;
  return (
    <CustomerCodeMenu
      trigger={
        <PlainButton className="flex min-h-9 min-w-0 items-center rounded-s transition-colors hover:bg-sunken">
          <CodeWords />
          <Icon of={ChevronsUpDown} size={16} className="hidden text-ink-2 min-[400px]:block" />
        </PlainButton>
      }
    />
  );
}

function LanguageMenu() {
  const { t, language } = useTexts();
  return (
    <Menu
      label={t('layout.languages')}
      trigger={
        <Button
          look="quiet"
          icon={Languages}
          label={t('layout.language', { language: languageNames[language] })}
        />
      }
      groups={[
        {
          chosen: language,
          items: languages.map((offered) => ({
            id: offered,
            text: languageNames[offered],
            content: <span lang={offered}>{languageNames[offered]}</span>,
            onAction: () => void changeLanguage(offered),
          })),
        },
      ]}
    />
  );
}

export interface AppHeaderProps {
  readonly menuId: string;
  readonly isMenuOpen: boolean;
  readonly onToggleMenu: () => void;
}

export function AppHeader({ menuId, isMenuOpen, onToggleMenu }: AppHeaderProps) {
  const { t } = useTexts();
  const { productName, logo } = useConfig();
  const { hasPortalAccess } = useSession();
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-surface px-2 sm:gap-2 sm:px-4 lg:px-[22px]">
      <Button
        look="quiet"
        icon={isMenuOpen ? X : MenuIcon}
        label={t(isMenuOpen ? 'layout.closeMenu' : 'layout.openMenu')}
        aria-expanded={isMenuOpen}
        aria-controls={menuId}
        onPress={onToggleMenu}
        className="lg:hidden"
      />
      <Link
        href="/"
        aria-label={t('layout.home')}
        className="mr-auto flex items-center gap-3 rounded-s text-base font-semibold text-ink no-underline"
      >
        {logo === undefined ? <Mark /> : <img src={logo} alt="" className="h-6 max-w-40" />}
        <span className="hidden xs:inline">{productName}</span>
      </Link>
      <CustomerCode />
      {hasPortalAccess && (
        <>
          <LinkButton look="quiet" href="/settings" icon={Settings} label={t('menu.settings')} />
          <Bell />
        </>
      )}
      <LanguageMenu />
      <UserMenu />
    </header>
  );
}
