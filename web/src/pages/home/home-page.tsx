/** The home page: the user and customer code, the available pages, and the latest operations or received files. */
import { containerFamilies, definitionOf, type Family } from '@recodery/contract/families/registry';
import { useState } from 'react';
import ScrollText from 'lucide-react/icons/scroll-text';
import { iconOf, listedFamilies } from '../../features/recoding/families/registry.ts';
import { forgetSetUp, readSetUp } from '../../features/admin/setup/next-steps.ts';
import { LastOperations } from '../../features/last-operations/last-operations.tsx';
import { useEngineIsUp } from '../../features/service-status/service-status.ts';
import { mayEnter, accessLevelOf } from '../../features/session/entries.ts';
import { useSession } from '../../features/session/session.ts';
import { type TextOf, useTexts, withTexts } from '../../i18n/texts.ts';
import { Icon, type IconPart } from '../../ui/display/icon.tsx';
import { Link } from '../../ui/actions/link.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { classNames } from '../../ui/class-names.ts';
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

const NextSteps = onDemand(
  async () =>
    (await withTexts(import('../../features/admin/setup/next-steps-panel.tsx'), 'account'))
      .NextStepsPanel,
);

interface Card {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  readonly icon: IconPart;
}

function cardOf(t: TextOf, family: Family): Card {
  const { name } = definitionOf(family);
  const own = containerFamilies.find((one) => one === family);
  return {
    path: `/${family}`,
    title: name,
    about: own === undefined ? t('home.maker.about', { name }) : t(`home.${own}.about`),
    icon: iconOf(family),
  };
}

/** More families than this get small cards: the latest operations below should stay in view. */
const mostLargeCards = 4;

const large = {
  list: 'grid-cols-1 gap-3 xs:grid-cols-[repeat(auto-fit,minmax(200px,1fr))] xs:gap-4',
  card: 'gap-4 rounded-l p-4 xs:flex-col xs:items-start xs:gap-7 xs:p-5',
  title: 'text-lg',
} as const;
const small = {
  list: 'grid-cols-2 gap-2 xs:grid-cols-[repeat(auto-fill,minmax(170px,1fr))] xs:gap-3',
  card: 'gap-3 rounded-m px-3 py-2.5',
  title: 'text-md break-words',
} as const;

/** The available pages, without those that the user may not open. */
function Cards() {
  const { t } = useTexts();
  const session = useSession();
  const open = listedFamilies.filter((family) => mayEnter(session, family));
  const look = open.length > mostLargeCards ? small : large;
  const log: Card = {
    path: '/operations-log',
    title: t('menu.operationsLog'),
    about: t('home.operationsLog.about'),
    icon: ScrollText,
  };
  return (
    <nav aria-label={t('home.workWith')}>
      <ul className={classNames('grid', look.list)}>
        {[...open.map((family) => cardOf(t, family)), log].map(({ path, title, about, icon }) => (
          <li key={path}>
            <Link
              href={path}
              className={classNames(
                'flex h-full items-center border border-line bg-surface text-ink no-underline transition-colors hover:border-accent',
                look.card,
              )}
            >
              <Icon of={icon} size={24} className="text-accent" />
              <span className="min-w-0">
                <span className={classNames('block font-semibold', look.title)}>{title}</span>
                {look === large && <span className="block text-md text-ink-2">{about}</span>}
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
  const [added, setAdded] = useState(readSetUp);
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
      {added !== null && (
        <NextSteps
          hasDevices={added === 'devices'}
          onClose={() => {
            forgetSetUp();
            setAdded(null);
          }}
        />
      )}
      {level === 'works' && <Work />}
      {level === 'receives' && <ReceivedFiles organization={session.userOrganizationName} />}
      {level === 'blocked' && <HomeBlocked />}
    </div>
  );
}
