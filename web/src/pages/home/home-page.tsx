/** The home page: the user and customer code, the available pages, and the latest operations or received files. */
import type { Family } from '@recodery/contract/families/registry';
import { useState } from 'react';
import ScrollText from 'lucide-react/icons/scroll-text';
import { iconOf, listedFamilies } from '../../features/recoding/families/registry.ts';
import { LastOperations } from '../../features/last-operations/last-operations.tsx';
import { useEngineIsUp } from '../../features/service-status/service-status.ts';
import { mayEnter, accessLevelOf } from '../../features/session/entries.ts';
import { useSession } from '../../features/session/session.ts';
import { type TextKey, useTexts, withTexts } from '../../i18n/texts.ts';
import { Icon, type IconPart } from '../../ui/display/icon.tsx';
import { Link } from '../../ui/actions/link.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';
import { PlainButton } from '../../ui/actions/plain-button.tsx';
import { greetingFor } from './greeting.ts';
import { HomeBlocked } from './home-blocked.tsx';
import { HomeDrop } from './home-drop.tsx';

/** Only for users who receive files and do nothing else here. */
const CustomerCodeMenu = onDemand(
  async () => (await import('../../features/session/customer-code-menu.tsx')).CustomerCodeMenu,
);

const ReceivedFiles = onDemand(
  async () =>
    (await withTexts(import('../../features/notifications/received-files.tsx'), 'notifications'))
      .ReceivedFiles,
);

/** Irrelevant for users without trays, so the page does not wait for it. */
const RecentTray = onDemand(
  async () => (await import('../../features/trays/recent-tray.tsx')).RecentTray,
);

interface Card {
  readonly path: string;
  readonly title: TextKey;
  readonly about: TextKey;
  readonly icon: IconPart;
}

const log: Card = {
  path: '/operations-log',
  title: 'menu.operationsLog',
  about: 'home.operationsLog.about',
  icon: ScrollText,
};

function cardOf(family: Family): Card {
  return {
    path: `/${family}`,
    title: `menu.${family}`,
    about: `home.${family}.about`,
    icon: iconOf(family),
  };
}

/** The available pages, without those that the user may not open. */
function Cards() {
  const { t } = useTexts();
  const session = useSession();
  const open = listedFamilies.filter((family) => mayEnter(session, family));
  return (
    <nav aria-label={t('home.workWith')}>
      <ul className="grid grid-cols-1 gap-3 xs:grid-cols-2 xs:gap-4 xl:grid-cols-4">
        {[...open.map(cardOf), log].map(({ path, title, about, icon }) => (
          <li key={path}>
            <Link
              href={path}
              className="flex h-full items-center gap-4 rounded-l border border-line bg-surface p-4 text-ink no-underline transition-colors hover:border-accent xs:flex-col xs:items-start xs:gap-7 xs:p-5"
            >
              <Icon of={icon} size={24} className="text-accent" />
              <span className="min-w-0">
                <span className="block text-lg font-semibold">{t(title)}</span>
                <span className="block text-md text-ink-2">{t(about)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** For users who may work with slaves. */
function Work() {
  const isEngineUp = useEngineIsUp();
  const session = useSession();
  return (
    <>
      <HomeDrop isDisabled={!isEngineUp} entries={session.entries} />
      <Cards />
      <LastOperations mayEnter={(page) => mayEnter(session, page)} actions={<RecentTray />} />
    </>
  );
}

export function HomePage() {
  const { t } = useTexts();
  const session = useSession();
  const { customerCode, customerCodeNames, otherCustomerCodes, userDisplayName } = session;
  const level = accessLevelOf(session);
  // the hour at which the page was opened: the greeting should not change while the user is looking at it
  const [greeting] = useState(() => greetingFor(new Date().getHours()));
  return (
    <div className="flex flex-col gap-6">
      <PageTitle title={t(greeting, { name: userDisplayName })} tabTitle={t('home.title')}>
        {t('home.workAs')}{' '}
        <strong className="font-semibold text-ink">
          <LongText>{`${customerCode} ${customerCodeNames[customerCode] ?? ''}`}</LongText>
        </strong>
        {otherCustomerCodes.length > 0 && (
          <>
            {' · '}
            <CustomerCodeMenu
              trigger={
                <PlainButton className="rounded-[3px] text-accent underline-offset-2 hover:underline">
                  {t('home.changeCode')}
                </PlainButton>
              }
            />
          </>
        )}
      </PageTitle>
      {level === 'works' && <Work />}
      {level === 'receives' && <ReceivedFiles organization={session.userOrganizationName} />}
      {level === 'blocked' && <HomeBlocked />}
    </div>
  );
}
