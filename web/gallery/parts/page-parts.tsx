/** Whole pages in the frame. */
import { Refusal } from '@recodery/contract/refusal';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { EntryRefused } from '../../src/features/recoding/page/entry-refused.tsx';
import { PageHead } from '../../src/features/recoding/page/page-head.tsx';
import { PageLoading } from '../../src/features/recoding/page/page-loading.tsx';
import { RecodingSteps } from '../../src/features/recoding/page/recoding-steps.tsx';
import { HomeBlocked } from '../../src/pages/home/home-blocked.tsx';
import { HomeDrop } from '../../src/pages/home/home-drop.tsx';
import { HomeFamily } from '../../src/pages/home/home-family.tsx';
import { HomePage } from '../../src/pages/home/home-page.tsx';
import { LoadedPage } from '../../src/pages/loaded-page.tsx';
import { NotFoundPage } from '../../src/pages/not-found-page.tsx';
import { NotificationsPage } from '../../src/pages/notifications-page.tsx';
import { OperationsLogPage } from '../../src/pages/operations-log-page.tsx';
import { RecodingPage } from '../../src/pages/recoding-page.tsx';
import { SettingsPage } from '../../src/pages/settings/settings-page.tsx';
import {
  type Answer,
  blockedSession,
  broken,
  entry,
  kess3Entrance,
  longSession,
  notificationsAre,
  receivingSession,
  session,
} from '../made/answers.ts';
import { Loaded } from '../../src/ui/loading/loaded.tsx';
import { Part, report, State } from '../state.tsx';

const long: Answer = { key: ['session'], data: longSession };
const receives: Answer = { key: ['session'], data: receivingSession };
const blocked: Answer = { key: ['session'], data: blockedSession };
const onlyKtag: Answer = {
  key: ['session'],
  data: { ...receivingSession, entries: { ...receivingSession.entries, ktag: null } },
};
const twoFamilies: Answer = {
  key: ['session'],
  data: { ...session, entries: { ...receivingSession.entries, kessv2: null, ktag: null } },
};
const settings = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'preferences'], ...answer },
];
const entrance = (answer: Omit<Answer, 'key'>): Answer[] => [{ key: kess3Entrance, ...answer }];

function Family() {
  return (
    <Part file="pages/home/home-family.tsx">
      <State name="two families">
        <HomeFamily
          fileName="bench_read_0416.bin"
          pages={(['kess3', 'ktag'] as const).map((page) => ({
            page,
            device: { groupCode: 'G-10', serialNumber: 'M-0001' },
          }))}
          onChoose={({ page }) => report(page)}
          onCancel={() => report('cancel')}
        />
      </State>
    </Part>
  );
}

function Work() {
  return (
    <>
      <Part file="pages/home/home-page.tsx">
        <State name="filled" window={900} at="/" isInLayout>
          <HomePage />
        </State>
        <State name="two families" window={900} at="/" isInLayout given={[twoFamilies]}>
          <HomePage />
        </State>
        <State name="long names" window={900} at="/" isInLayout given={[long]}>
          <HomePage />
        </State>
        <State name="only receives" window={900} at="/" isInLayout given={[receives]}>
          <HomePage />
        </State>
      </Part>
      <Part file="pages/home/home-blocked.tsx">
        <State name="no slave" given={[blocked]}>
          <HomeBlocked />
        </State>
      </Part>
      <Part file="pages/home/home-drop.tsx">
        <State name="ready">
          <HomeDrop isDisabled={false} entries={session.entries} />
        </State>
        <State name="closed">
          <HomeDrop isDisabled entries={session.entries} />
        </State>
      </Part>
      <Part file="pages/recoding-page.tsx">
        <State name="empty" window={860} isInLayout>
          <RecodingPage page={kess3} />
        </State>
        <State name="loading" window={860} isInLayout given={entrance({})}>
          <RecodingPage page={kess3} />
        </State>
        <State
          name="forbidden"
          window={640}
          isInLayout
          given={entrance({ thrown: new Refusal('USER_NOT_AUTHORIZED_KESS3') })}
        >
          <RecodingPage page={kess3} />
        </State>
        <State name="network error" window={640} isInLayout given={entrance({ thrown: broken })}>
          <RecodingPage page={kess3} />
        </State>
        <State
          name="open, the quota is full"
          window={860}
          isInLayout
          given={entrance({ data: { entry: null, resumed: null, notFound: null } })}
        >
          <RecodingPage page={kess3} />
        </State>
      </Part>
    </>
  );
}

const nothing = (): void => {};
const devices = [
  { groupCode: 'G-10', serialNumber: 'KS3-M-0001' },
  { groupCode: 'G-11', serialNumber: 'KS3-M-0002' },
];
const [initial = null] = devices;
const head = { page: kess3, devices, device: null, initial, onChoose: nothing };
const refresh = (): void => report('refresh');

function RecodingFrame() {
  return (
    <>
      <Part file="features/recoding/page/page-head.tsx">
        <State name="several groups, with the way to the utility">
          <PageHead {...head} canUseUtility />
        </State>
        <State name="busy">
          <PageHead {...head} isBusy />
        </State>
      </Part>
      <Part file="features/recoding/page/page-loading.tsx">
        <State name="loading">
          <PageLoading />
        </State>
      </Part>
      <Part file="features/recoding/page/entry-refused.tsx">
        <State name="forbidden" window={640}>
          <EntryRefused
            {...head}
            thrown={new Refusal('USER_NOT_AUTHORIZED_KESS3')}
            onRefresh={refresh}
          />
        </State>
        <State name="network error">
          <EntryRefused {...head} thrown={broken} onRefresh={refresh} />
        </State>
      </Part>
      <Part file="features/recoding/page/recoding-steps.tsx">
        {([null, { opensAt: 'ktag', isDeleted: false }] as const).map((notFound) => (
          <State key={notFound?.opensAt ?? 'empty'} name={notFound ? 'on another page' : 'empty'}>
            <RecodingSteps
              {...head}
              query={{}}
              liveKey={{ page: kess3, customerCode: 'CC-1001', device: notFound?.opensAt ?? '' }}
              named={null}
              entrance={{ entry, resumed: null, notFound }}
              onEntryMissing={nothing}
              onBusy={(isBusy) => isBusy && report('busy')}
            />
          </State>
        ))}
      </Part>
    </>
  );
}

const notificationsAt = { window: 560, isInLayout: true, at: '/notifications' } as const;
const settingsAt = { window: 560, isInLayout: true, at: '/settings' } as const;

function Around() {
  return (
    <>
      <Part file="pages/notifications-page.tsx">
        <State {...notificationsAt} name="filled" window={900}>
          <NotificationsPage />
        </State>
        <State
          {...notificationsAt}
          name="empty"
          given={notificationsAre('list', { data: { pages: [[]], pageParams: [null] } })}
        >
          <NotificationsPage />
        </State>
        <State {...notificationsAt} name="loading" given={notificationsAre('list', {})}>
          <NotificationsPage />
        </State>
      </Part>
      <Part file="pages/settings/settings-page.tsx">
        <State {...settingsAt} name="filled" window={860}>
          <SettingsPage />
        </State>
        <State {...settingsAt} name="only K-TAG" window={760} given={[onlyKtag]}>
          <SettingsPage />
        </State>
        <State {...settingsAt} name="only receives" given={[receives]}>
          <SettingsPage />
        </State>
        <State {...settingsAt} name="loading" given={settings({})}>
          <SettingsPage />
        </State>
        <State {...settingsAt} name="network error" given={settings({ thrown: broken })}>
          <SettingsPage />
        </State>
      </Part>
      <Part file="pages/operations-log-page.tsx">
        <State name="ready" window={560} isInLayout at="/operations-log">
          <OperationsLogPage />
        </State>
      </Part>
      <Part file="pages/not-found-page.tsx">
        <State name="an address" window={560} isInLayout at={`/${'nowhere/at/all/'.repeat(12)}`}>
          <NotFoundPage />
        </State>
      </Part>
    </>
  );
}

/** A page's query that has failed. */
const failed = (error: Error, isFetching: boolean) => ({
  data: undefined,
  error,
  isFetching,
  refetch: () => {
    report('again');
    return new Promise<never>(() => {});
  },
});

function Unopened() {
  const page = { title: 'Settings', about: 'What is kept for all.', children: () => 'content' };
  return (
    <>
      <Part file="ui/loading/loaded.tsx">
        <State name="failed">
          <Loaded {...page} query={failed(broken, false)} />
        </State>
      </Part>
      <Part file="pages/loaded-page.tsx">
        <State name="forbidden">
          <LoadedPage {...page} query={failed(new Refusal('USER_NO_RIGHTS'), false)} />
        </State>
        <State name="asking again">
          <LoadedPage {...page} query={failed(broken, true)} />
        </State>
      </Part>
    </>
  );
}

export function PageParts() {
  return (
    <>
      <Work />
      <Family />
      <RecodingFrame />
      <Around />
      <Unopened />
    </>
  );
}
