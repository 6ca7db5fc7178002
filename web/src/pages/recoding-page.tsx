/** One page for KESSv2, K-TAG, KESS3 and the KESS3 utility: may the caller work here, with which device, and the two steps. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Device } from '../features/devices/device-choice.ts';
import { DeviceChooser, useDevice } from '../features/devices/device-chooser.tsx';
import { DecodeStep } from '../features/recoding/decode/decode-step.tsx';
import type { Entry } from '../features/recoding/decoded-read.ts';
import { EncodeWaiting } from '../features/recoding/encode/encode-waiting.tsx';
import { type Entrance, entranceQuery } from '../features/recoding/flow/entering.ts';
import type { DeviceQuery, FamilyPage } from '../features/recoding/families/family-page.ts';
import { familyPages } from '../features/recoding/families/family-pages.ts';
import type { PageId } from '../features/recoding/families/page-id.ts';
import {
  type LivePageKey,
  openLivePage,
  operationRemembered,
} from '../features/recoding/flow/live-pages.ts';
import {
  NotFound,
  useAskedReset,
  useKeptNotice,
} from '../features/recoding/notices/page-questions.tsx';
import { idle, isUploading } from '../features/recoding/flow/recoding-flow.ts';
import { operationAwaited, operationShown } from '../features/recoding/flow/taking-up.ts';
import { tripSteps } from '../features/recoding/flow/trip.ts';
import { type Recoding, useRecoding } from '../features/recoding/flow/use-recoding.ts';
import { useConfig, useEngineIsUp } from '../features/service-status/service-status.ts';
import { useSession } from '../features/session/session.ts';
import { thrownProblem } from '../i18n/problems.ts';
import { OwnWords, useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { ForbiddenScreen } from '../ui/forbidden-screen.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Panel } from '../ui/panel.tsx';
import { ProblemPanel } from '../ui/problem-panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { TripStrip } from '../ui/trip-strip.tsx';
import { whenOnline } from '../ui/when-online.ts';

/** Loaded while the first file is on its way: an empty page has no use for it. */
const loadEncodeStep = () => import('../features/recoding/encode/encode-step.tsx');
const EncodeStep = lazy(async () => ({
  default: (await whenOnline(loadEncodeStep)).EncodeStep,
}));

/** Only print shows it; the page goes on where it cannot be had. */
const JobSheet = lazy(() =>
  import('../features/recoding/encode/job-sheet.tsx').then(
    ({ JobSheet: sheet }) => ({ default: sheet }),
    () => ({ default: () => null }),
  ),
);

/** The operation that the page's address names. */
const named = 'operation';

/** What is allowed while the entry point only said that operations are pending. */
const leastEntry: Entry = {
  isAutoSendEnabled: false,
  autoSendDefaultAction: 'Encode',
  isPrivateByDefault: true,
  canUseUtility: false,
  maySkipChecksum: false,
  hasDebugFlag: false,
};

interface HeadProps {
  readonly page: FamilyPage;
  readonly devices: readonly Device[];
  readonly device: Device | null;
  readonly onChoose: (device: Device) => void;
  readonly isBusy?: boolean;
  readonly canUseUtility?: boolean;
}

function Head(props: HeadProps) {
  const { t } = useTexts();
  const { page, devices, device, onChoose, isBusy = false, canUseUtility = false } = props;
  const utility = canUseUtility ? page.utility : null;
  return (
    <PageTitle
      title={t(page.words.title)}
      aside={
        <DeviceChooser devices={devices} device={device} onChoose={onChoose} isDisabled={isBusy} />
      }
    >
      {t(page.words.lead)}{' '}
      {utility !== null && (
        <TextLink href={`/${utility}`}>{t(familyPages[utility].words.title)}</TextLink>
      )}
    </PageTitle>
  );
}

/** While the entry point is asked: the empty page's shape, and grey bars once it takes long. */
function Loading() {
  const { t, language } = useTexts();
  return (
    <>
      <TripStrip steps={tripSteps(t, idle, language)} />
      <Panel title={t('recoding.decodeStep')}>
        <Skeleton lines={6} className="min-h-48" />
      </Panel>
      <EncodeWaiting />
    </>
  );
}

/** Why the page may not be entered, and a way to look again; another master device may open it. */
function NotEntered({ thrown, onRefresh, ...head }: HeadProps & Refused) {
  const { t } = useTexts();
  const { headline, advice, code } = thrownProblem(t, thrown);
  const { page, devices, device, onChoose } = head;
  // A "no" has a screen of its own; a broken line or a server in trouble only needs another try.
  if (thrown instanceof Refusal && statusOf(thrown.code) < 500) {
    return (
      <>
        <div className="flex justify-end">
          <DeviceChooser devices={devices} device={device} onChoose={onChoose} />
        </div>
        <ForbiddenScreen
          pageTitle={t(page.words.title)}
          title={headline}
          message={advice}
          code={code}
          onRefresh={onRefresh}
        />
      </>
    );
  }
  return (
    <>
      <Head {...head} />
      <Panel>
        <ProblemPanel
          headline={headline}
          advice={advice}
          code={code}
          actions={
            <Button look="primary" onPress={onRefresh}>
              {t('ui.tryAgain')}
            </Button>
          }
        />
      </Panel>
    </>
  );
}

interface Refused {
  readonly thrown: unknown;
  readonly onRefresh: () => void;
}

/** Keeps the operation on show in the page's address, so that a reload finds it again. */
function useAddress({ flow }: Recoding): void {
  const [parameters, setParameters] = useSearchParams();
  const shown = operationShown(flow);
  const before = parameters.get(named);
  useEffect(() => {
    if (shown === before) return;
    setParameters(
      (present) => {
        const next = new URLSearchParams(present);
        if (shown === null) next.delete(named);
        else next.set(named, shown);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [shown, before, setParameters]);
}

/** Tells whether something is on its way, and that nothing is once the page is left. */
function useTold(isBusy: boolean, onBusy: (isBusy: boolean) => void): void {
  useEffect(() => {
    onBusy(isBusy);
    return () => onBusy(false);
  }, [isBusy, onBusy]);
}

interface DeskProps extends Omit<HeadProps, 'isBusy' | 'canUseUtility'> {
  readonly query: DeviceQuery;
  readonly liveKey: LivePageKey;
  /** The operation that the address names. */
  readonly named: string | null;
  readonly entrance: Entrance;
  readonly onEntryMissing: () => void;
  /** Told whether something is on its way that must not lose its device. */
  readonly onBusy: (isBusy: boolean) => void;
}

/** The page once it may be worked at. */
function Desk(props: DeskProps) {
  const { query, liveKey, named: wanted, entrance, onEntryMissing, onBusy, ...head } = props;
  const { t, language } = useTexts();
  const { page, device, devices, onChoose } = head;
  const { maxFileBytes } = useConfig();
  const isEngineUp = useEngineIsUp();
  const named = entrance.notFound ? null : wanted;
  const [live] = useState(() => openLivePage(liveKey, entrance.takenUp, named));
  const { recoding, question } = useAskedReset(
    useRecoding({ page, device: query, live, isEngineUp, maxFileBytes }),
    page,
  );
  useAddress(recoding);
  const { flow } = recoding;
  const [first] = useState(flow);
  const isWaiting = operationAwaited(flow) !== null;
  const isEntryMissing = entrance.entry === null && !isWaiting;
  const askAgain = useEffectEvent(onEntryMissing);
  useEffect(() => {
    if (isEntryMissing) askAgain();
  }, [isEntryMissing]);
  const entry = entrance.entry ?? leastEntry;
  const isBusy = isWaiting || isUploading(flow);
  useTold(isBusy, onBusy);
  return (
    <>
      {entrance.notFound && flow === first && <NotFound {...entrance.notFound} />}
      {question}
      <TripStrip steps={tripSteps(t, flow, language)} />
      {/* each step in a frame that stays: where a control of it vanishes the reading goes on at its heading */}
      <div>
        <DecodeStep
          page={page}
          entry={entry}
          recoding={recoding}
          isEngineUp={isEngineUp}
          maxFileBytes={maxFileBytes}
          otherDevices={devices.filter((other) => other !== device)}
          onChooseDevice={onChoose}
        />
      </div>
      <div>
        {flow.at === 'choosing' ? (
          <EncodeWaiting />
        ) : (
          <Suspense fallback={<EncodeWaiting />}>
            <EncodeStep page={page} entry={entry} recoding={recoding} isEngineUp={isEngineUp} />
          </Suspense>
        )}
      </div>
      {flow.at === 'decoded' && (
        <Suspense fallback={null}>
          <JobSheet page={page} read={flow.read} encode={flow.encode} />
        </Suspense>
      )}
    </>
  );
}

function RecodingPage({ id }: { readonly id: PageId }) {
  const tellKept = useKeptNotice();
  const page = familyPages[id];
  const session = useSession();
  const { device, devices, choose } = useDevice(page.family, session);
  // What the address names belongs to the device under which the page was opened.
  const [hasChosen, setHasChosen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const query: DeviceQuery = device
    ? { groupCode: device.groupCode, masterDeviceSerialNumber: device.serialNumber }
    : {};
  const address = new URLSearchParams(useLocation().search).get(named);
  const liveKey = {
    page,
    customerCode: session.customerCode,
    device: device ? `${device.groupCode}/${device.serialNumber}` : '',
  };
  const wanted = {
    named: hasChosen ? null : address,
    remembered: operationRemembered(liveKey),
  };
  const entrance = useQuery(entranceQuery(page, query, wanted));
  const onChoose = (chosen: Device): void => {
    setHasChosen(true);
    choose(chosen);
    tellKept(liveKey, device, choose);
  };
  const head = { page, devices, device, onChoose };
  const refresh = (): void => void entrance.refetch();
  if (entrance.isError) {
    return <NotEntered {...head} thrown={entrance.error} onRefresh={refresh} />;
  }
  return (
    <div className="flex flex-col gap-5">
      {/* stands through loading and another device: what is open in it stays open, and so does the focus */}
      <Head
        {...head}
        isBusy={isBusy}
        canUseUtility={entrance.data?.entry?.canUseUtility ?? false}
      />
      {entrance.isSuccess ? (
        <Desk
          // Another device or customer code is another desk.
          key={`${session.customerCode}/${device?.groupCode}/${device?.serialNumber}`}
          {...head}
          query={query}
          liveKey={liveKey}
          named={wanted.named}
          entrance={entrance.data}
          onEntryMissing={refresh}
          onBusy={setIsBusy}
        />
      ) : (
        <Loading />
      )}
    </div>
  );
}

export const Kessv2Page = () => <RecodingPage key="kessv2" id="kessv2" />;
export const KtagPage = () => <RecodingPage key="ktag" id="ktag" />;
export const Kess3Page = () => <RecodingPage key="kess3" id="kess3" />;
/** The same page in the words of unpacking and compacting. */
export const Kess3UtilityPage = () => (
  <OwnWords value="recoding.utility">
    <RecodingPage key="kess3-utility" id="kess3-utility" />
  </OwnWords>
);
