/** The frame of every private page: header, menu, messages, footer. */
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { AdBlockWarning } from '../features/ad-block/ad-block-warning.tsx';
import { MessageBanners } from '../features/messages/message-banners.tsx';
import { forgetPassedFile } from '../features/recoding/flow/reads/pass-file.ts';
import { ConnectionBanner } from '../features/service-status/connection-banner.tsx';
import { EngineBanner } from '../features/service-status/engine-banner.tsx';
import { useConfig, useReloadConfig } from '../features/service-status/service-status.ts';
import { useSession } from '../features/session/session.ts';
import { useHasAcceptedTerms } from '../features/session/terms.ts';
import { TermsGate } from '../features/session/terms-gate.tsx';
import { useTexts } from '../i18n/texts.ts';
import { useIsLong } from '../ui/display/skeleton.tsx';
import { SupportAddress } from '../ui/actions/support-link.tsx';
import { Toasts } from '../ui/toasts/toast.tsx';
import { Footer } from './footer.tsx';
import { AppHeader } from './header.tsx';
import { useServerEvents } from './server-events.ts';
import { useRestoredFocus } from './restore-focus.ts';
import { SideMenu } from './side-menu.tsx';
import { useStrayDrops } from './stray-drops.ts';
import { onDemand } from '../ui/loading/on-demand.tsx';

/** Few users ever see it. */
const NoAccess = onDemand(async () => (await import('./no-access.tsx')).NoAccess);

/** A thin line under the header while the next page is loading. */
function PageChange() {
  const { t } = useTexts();
  const isLong = useIsLong(useNavigation().state !== 'idle');
  if (!isLong) return null;
  return (
    <div className="fixed inset-x-0 top-14 z-20 h-0.5 overflow-hidden" role="status">
      <span className="sr-only">{t('layout.loadingPage')}</span>
      <div className="h-full w-2/5 animate-sweep bg-accent" />
    </div>
  );
}

/** Messages for all users. The frame is rendered before its banners, so that screen readers announce them. */
function Notices() {
  return (
    <div aria-live="polite">
      <ConnectionBanner />
      <EngineBanner />
      <MessageBanners />
    </div>
  );
}

/** After a page change, the focus moves to the new page's title instead of staying on the link. */
function useTitleFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [main, pathname]);
}

export function Layout() {
  const { t } = useTexts();
  const menuId = useId();
  const { pathname } = useLocation();
  // The address at which the menu was opened: on any other page the menu is closed.
  const [menuOpenedAt, setMenuOpenedAt] = useState<string | null>(null);
  const isMenuOpen = menuOpenedAt === pathname;
  const main = useRef<HTMLElement>(null);
  const { links, terms } = useConfig();
  const reloadConfig = useReloadConfig();
  const { hasPortalAccess } = useSession();
  // one question at a time: the terms come before the ad blocker
  const hasAcceptedTerms = useHasAcceptedTerms();
  useServerEvents();
  useRestoredFocus();
  useTitleFocus(main);
  useStrayDrops();
  useEffect(() => forgetPassedFile(pathname), [pathname]);
  return (
    <SupportAddress value={links.support || null}>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-s bg-accent px-4 py-2 font-semibold text-on-accent focus:translate-y-0"
      >
        {t('layout.skip')}
      </a>
      <AppHeader
        menuId={menuId}
        isMenuOpen={isMenuOpen}
        onToggleMenu={() => setMenuOpenedAt(isMenuOpen ? null : pathname)}
      />
      <PageChange />
      <div className="flex min-h-[calc(100dvh-3.5rem)]">
        <SideMenu id={menuId} isOpen={isMenuOpen} onClose={() => setMenuOpenedAt(null)} />
        <div className="flex min-w-0 flex-1 flex-col">
          <Notices />
          <main
            ref={main}
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-[1064px] flex-1 px-3.5 pt-6 pb-12 sm:px-5 lg:px-6 lg:pt-8"
          >
            {hasPortalAccess ? <Outlet /> : <NoAccess />}
          </main>
          <Footer />
        </div>
      </div>
      <TermsGate terms={{ ...terms, url: links.terms }} onOutdated={reloadConfig} />
      <AdBlockWarning isReady={hasAcceptedTerms} />
      <Toasts />
      <ScrollRestoration />
    </SupportAddress>
  );
}
