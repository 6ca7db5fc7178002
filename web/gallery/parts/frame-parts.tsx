/** The frame of every page: header, menu, footer, banners, and the screens shown before or instead of a page. */
import { Footer } from '../../src/app/footer.tsx';
import { AppHeader } from '../../src/app/header.tsx';
import { PageLoader } from '../../src/app/page-loader.tsx';
import { RouteError } from '../../src/app/route-error.tsx';
import { NoAccess } from '../../src/app/no-access.tsx';
import { SideMenu } from '../../src/app/side-menu.tsx';
import { UserMenu } from '../../src/app/user-menu.tsx';
import { MessageBanners } from '../../src/features/messages/message-banners.tsx';
import { Bell } from '../../src/features/notifications/bell.tsx';
import {
  DirectionMark,
  NewMark,
  OutcomeMark,
} from '../../src/features/notifications/notification-marks.tsx';
import { ConnectionLost } from '../../src/features/service-status/connection-banner.tsx';
import { EngineBanner } from '../../src/features/service-status/engine-banner.tsx';
import { CustomerCodeMenu } from '../../src/features/session/customer-code-menu.tsx';
import { TermsGate } from '../../src/features/session/terms-gate.tsx';
import { badgeCap } from '@recodery/contract/features/notifications';
import { languages } from '../../src/i18n/languages.ts';
import { PageTitle } from '../../src/ui/display/page-title.tsx';
import { PlainButton } from '../../src/ui/actions/plain-button.tsx';
import {
  type Answer,
  blockedSession,
  config,
  longSession,
  newBehind,
  notificationsAre,
  notified,
  outsideSession,
  session,
} from '../made/answers.ts';
import { Part, Row, report, State } from '../state.tsx';

const down: Answer = { key: ['service-status'], data: { statusCode: 503 } };
const long: Answer = { key: ['session'], data: longSession };
const outside: Answer = { key: ['session'], data: outsideSession };
const alone: Answer = { key: ['session'], data: { ...session, otherCustomerCodes: [] } };

const told = (texts: readonly string[]): Answer[] =>
  languages.map((language) => {
    const all = texts.map((text, at) => ({ guid: String(at), text }));
    return { key: ['messages', language], data: { all, unseen: all } };
  });

/** This many notifications that were not opened. */
const fresh = (count: number): readonly Answer[] => {
  const data = Array.from({ length: count }, () => notified({ senderInteractedOn: null }));
  return notificationsAre('latest', { data });
};

/** The latest notifications, all seen, and 7 new ones behind them. */
const newBehindSeen: readonly Answer[] = (() => {
  const latest = Array.from({ length: badgeCap }, () => notified());
  const older = Array.from({ length: 7 }, () => notified({ senderInteractedOn: null }));
  return [...notificationsAre('latest', { data: latest }), ...newBehind(latest, older)];
})();

function Broken(): never {
  throw new TypeError('a part that breaks down');
}

function Menus() {
  return (
    <>
      <Part file="app/header.tsx">
        {(
          [
            ['several customer codes', []],
            ['one customer code', [alone]],
            ['long names', [long, ...fresh(140)]],
          ] as const
        ).map(([name, given]) => (
          <State key={name} name={name} window={64} given={given}>
            <AppHeader menuId="menu" isMenuOpen={false} onToggleMenu={() => report('menu')} />
          </State>
        ))}
      </Part>
      <Part file="app/side-menu.tsx">
        <State name="open" window={520}>
          <SideMenu id="menu" isOpen onClose={() => report('close')} />
        </State>
        <State name="nothing may be entered" window={320} given={[outside]}>
          <SideMenu id="menu" isOpen onClose={() => report('close')} />
        </State>
      </Part>
      <Part file="app/user-menu.tsx">
        <State name="initials, logo, long names">
          <Row>
            <UserMenu />
          </Row>
        </State>
        <State
          name="with the organisation's logo"
          given={[{ key: ['session'], data: { ...session, userOrganizationLogoURL: '/mark.svg' } }]}
        >
          <UserMenu />
        </State>
        <State name="long names" given={[long]}>
          <UserMenu />
        </State>
      </Part>
      <Part file="features/session/customer-code-menu.tsx">
        <State name="three codes">
          <CustomerCodeMenu trigger={<PlainButton>Change customer code</PlainButton>} />
        </State>
      </Part>
      <Part file="app/footer.tsx">
        <State name="with company lines">
          <Footer />
        </State>
      </Part>
    </>
  );
}

function Notices() {
  return (
    <>
      <Part file="features/service-status/engine-banner.tsx">
        <State name="the engine is down" given={[down]}>
          <EngineBanner />
        </State>
      </Part>
      <Part file="features/service-status/connection-banner.tsx">
        <State name="offline">
          <ConnectionLost connection="offline" />
        </State>
        <State name="the portal does not respond">
          <ConnectionLost connection="unreachable" />
        </State>
      </Part>
      <Part file="features/messages/message-banners.tsx">
        <State
          name="two messages"
          given={told([
            'Back at 19:00.',
            'On Monday nothing is decoded.\nFrom 17:30 to 19:00 CET.',
          ])}
        >
          <MessageBanners />
        </State>
      </Part>
      <Part file="features/notifications/bell.tsx">
        {[0, 3, 140].map((count) => (
          <State key={count} name={`${count} new`} given={fresh(count)}>
            <Row>
              <Bell />
            </Row>
          </State>
        ))}
        <State name="7 new behind the latest" given={newBehindSeen}>
          <Row>
            <Bell />
          </Row>
        </State>
      </Part>
      <Part file="features/notifications/notification-marks.tsx">
        <State name="all">
          <Row>
            <OutcomeMark seen={notified({})} />
            <OutcomeMark seen={notified({ isSuccessful: false })} />
            <DirectionMark seen={notified({ isReceived: true })} />
            <DirectionMark seen={notified({ isPrivate: false, otherOrganizationName: 'Rossi' })} />
            <NewMark />
          </Row>
        </State>
      </Part>
    </>
  );
}

export function FrameParts() {
  return (
    <>
      <Menus />
      <Notices />
      <Part file="app/layout.tsx">
        <State name="with notices" window={560} isInLayout given={[down, ...told(['A message.'])]}>
          <PageTitle title="The page">Its contents.</PageTitle>
        </State>
        <State name="long names" window={560} isInLayout given={[long, ...fresh(140)]}>
          <PageTitle title="The page">Its contents.</PageTitle>
        </State>
      </Part>
      <Part file="app/no-access.tsx">
        <State name="no rights" window={560} isInLayout given={[outside]}>
          <NoAccess />
        </State>
      </Part>
      <Part file="features/session/terms-gate.tsx">
        <State name="not accepted" window={480} given={[{ key: ['terms'], data: false }]}>
          <TermsGate
            terms={{ ...config.terms, url: '#terms' }}
            onOutdated={async () => report('outdated')}
          />
        </State>
        {[outsideSession, blockedSession].map((data) => (
          <State
            key={String(data.hasPortalAccess)}
            name={data.hasPortalAccess ? 'nothing to open yet' : 'no access'}
            window={480}
            at="/"
            given={[
              { key: ['terms'], data: false },
              { key: ['session'], data },
            ]}
          >
            <TermsGate
              terms={{ ...config.terms, url: '#terms' }}
              onOutdated={async () => report('outdated')}
            />
          </State>
        ))}
      </Part>
      <Part file="app/page-loader.tsx">
        <State name="after a while" window={320}>
          <PageLoader />
        </State>
      </Part>
      <Part file="app/route-error.tsx">
        <State name="a page that crashed" instead={<RouteError />}>
          <Broken />
        </State>
      </Part>
    </>
  );
}
