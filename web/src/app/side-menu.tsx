/**
 * The menu on the left: the pages that the user may open, and links to other sites. Under 960 px the header's button
 * opens it.
 */
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import BookOpen from 'lucide-react/icons/book-open';
import Folders from 'lucide-react/icons/folders';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import ScrollText from 'lucide-react/icons/scroll-text';
import Settings from 'lucide-react/icons/settings';
import Users from 'lucide-react/icons/users';
import { useEffect, useRef } from 'react';
import { useConfig } from '../features/service-status/service-status.ts';
import { iconOf, listedWorkflows } from '../features/recoding/families/registry.ts';
import { workflowName } from '../features/recoding/families/workflow-names.ts';
import { accessLevelOf, mayEnter } from '../features/session/entries.ts';
import { useSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconPart } from '../ui/display/icon.tsx';
import { PlaceLink } from '../ui/actions/link.tsx';
import { guideAddress } from './guide-address.ts';

interface Place {
  readonly path: string;
  readonly text: string;
  readonly icon: IconPart;
}

const heading = 'px-2.5 pb-1.5 text-sm font-medium text-ink-3';
const entry =
  'flex min-h-[38px] items-center gap-3 rounded-s px-2.5 text-base no-underline transition-colors';

/** A link to another site; not rendered if the operator has not set its address. */
function Outside({ href, text, icon }: { href: string; text: string; icon: IconPart }) {
  const { t } = useTexts();
  if (href === '') return null;
  return (
    <li>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className={classNames(entry, 'text-ink-2 hover:bg-sunken hover:text-ink')}
      >
        <Icon of={icon} />
        <span className="flex-1">{text}</span>
        <span className="sr-only">, {t('ui.opensNewWindow')}</span>
        <Icon of={ArrowUpRight} size={14} className="text-ink-3" />
      </a>
    </li>
  );
}

export interface SideMenuProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The pages that the user may open. */
function Pages({ onChoose }: { readonly onChoose: () => void }) {
  const { t } = useTexts();
  const session = useSession();
  const open = listedWorkflows
    .filter((id) => mayEnter(session, id))
    .map((id): Place => ({ path: `/${id}`, text: workflowName(t, id), icon: iconOf(id) }));
  const jobs: Place = { path: '/jobs', text: t('menu.jobs'), icon: Folders };
  const log: Place = { path: '/operations-log', text: t('menu.operationsLog'), icon: ScrollText };
  const admin: Place = { path: '/admin', text: t('menu.admin'), icon: Settings };
  // users who only receive files have no jobs
  const own = accessLevelOf(session) === 'works' ? [...open, jobs, log] : [...open, log];
  const places = session.isOperator ? [...own, admin] : own;
  if (!session.hasPortalAccess) return null;
  return (
    <>
      {open.length > 0 && <h2 className={heading}>{t('menu.slaves')}</h2>}
      <ul className="mb-5 flex flex-col gap-0.5">
        {places.map(({ path, text, icon }) => (
          <li key={path}>
            <PlaceLink
              href={path}
              hasPagesBelow
              onClick={onChoose}
              className={(isCurrent) =>
                classNames(
                  entry,
                  isCurrent
                    ? 'bg-accent-soft font-semibold text-accent forced-colors:border-s-4 forced-colors:border-[Highlight]'
                    : 'text-ink-2 hover:bg-sunken hover:text-ink',
                )
              }
            >
              <Icon of={icon} />
              {text}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** While the menu covers the page, Escape and tabbing past its end close it, and the page behind is dimmed. */
export function SideMenu({ id, isOpen, onClose }: SideMenuProps) {
  const { t, language } = useTexts();
  const { links } = useConfig();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    menu.current?.querySelector('a')?.focus();
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      onClose();
      if (opener instanceof HTMLElement) opener.focus();
    };
    const closeBehind = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest('header') !== null) return;
      if (menu.current?.contains(target) === false) onClose();
    };
    document.addEventListener('keydown', closeByKey);
    document.addEventListener('focusin', closeBehind);
    return () => {
      document.removeEventListener('keydown', closeByKey);
      document.removeEventListener('focusin', closeBehind);
    };
  }, [isOpen, onClose]);
  return (
    <>
      {isOpen && (
        <div
          aria-hidden="true"
          onPointerDown={onClose}
          className="fixed inset-0 top-14 z-35 bg-scrim lg:hidden"
        />
      )}
      <nav
        id={id}
        ref={menu}
        aria-label={t('layout.mainMenu')}
        className={classNames(
          'fixed top-14 bottom-0 left-0 z-35 w-[236px] shrink-0 overflow-y-auto border-r border-line bg-surface px-3 py-6 lg:sticky lg:block lg:h-[calc(100dvh-3.5rem)]',
          !isOpen && 'hidden',
        )}
      >
        <Pages onChoose={onClose} />
        <h2 className={heading}>{t('menu.more')}</h2>
        <ul className="flex flex-col gap-0.5">
          <Outside href={links.dealer} text={t('menu.mySlaves')} icon={Users} />
          <Outside
            href={guideAddress(links.userGuide, language)}
            text={t('menu.userGuide')}
            icon={BookOpen}
          />
          <Outside href={links.dashboard} text={t('layout.dashboard')} icon={LayoutDashboard} />
        </ul>
      </nav>
    </>
  );
}
