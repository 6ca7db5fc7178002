/** An opened recoding page: resumed or started, named in the address, with its commands. */
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useConfig, useEngineIsUp } from '../../service-status/service-status.ts';
import type { Entry } from '../decoded-read.ts';
import type { DeviceQuery, FamilyPage } from '../families/family-page.ts';
import type { Entrance } from '../flow/entrance.ts';
import { type LivePageKey, useLivePages } from '../flow/live-pages.ts';
import { useAddress } from '../flow/page-address.ts';
import { isUploading } from '../flow/state/recoding-flow.ts';
import { operationAwaited } from '../flow/state/resume-operation.ts';
import { useRecoding } from '../flow/use-recoding.ts';
import type { OpenPage } from '../flow/open-page.ts';
import { useAskedReset } from '../notices/page-questions.tsx';

/** What is allowed while the quota is full. */
const leastEntry: Entry = {
  isAutoSendEnabled: false,
  autoSendDefaultAction: 'Encode',
  isPrivateByDefault: true,
  canUseUtility: false,
  takesForeignFiles: false,
  isDouble: false,
  someDeviceTakesForeignFiles: false,
  maySkipChecksum: false,
  hasDebugFlag: false,
};

export interface OpenedPageGiven {
  readonly page: FamilyPage;
  readonly query: DeviceQuery;
  readonly liveKey: LivePageKey;
  /** The operation in the address. */
  readonly named: string | null;
  readonly entrance: Entrance;
  readonly onEntryMissing: () => void;
  /** Called with whether work is in progress that must keep its device. */
  readonly onBusy: (isBusy: boolean) => void;
}

export interface OpenedPage {
  readonly open: OpenPage;
  /** The question shown before files are discarded; null if there is none. */
  readonly question: ReactNode;
  /** The address names an operation that was not found, and nothing has happened since. */
  readonly notFound: Entrance['notFound'];
}

/** Whether a file of unknown kind is accepted: by the chosen device or, if none is chosen, by one of them. */
function takesForeignFiles(
  entry: Entry | null,
  { masterDeviceSerialNumber }: DeviceQuery,
): boolean {
  const isChosen = masterDeviceSerialNumber !== undefined;
  return entry?.[isChosen ? 'takesForeignFiles' : 'someDeviceTakesForeignFiles'] ?? false;
}

/** The operation for which the page is opened: not the one in its address if that cannot be shown. */
function operationOpened(named: string | null, { resumed, notFound }: Entrance): string | null {
  if (notFound === null) return named;
  // below the notice that a job was deleted, another read would look as if it belonged to that job
  return notFound.isDeleted ? (resumed?.operation.guid ?? named) : null;
}

export function useOpenedPage({
  page,
  query,
  liveKey,
  named,
  entrance,
  ...given
}: OpenedPageGiven): OpenedPage {
  const { maxFileBytes } = useConfig();
  const isEngineUp = useEngineIsUp();
  const pages = useLivePages();
  const [live] = useState(() =>
    pages.open(liveKey, entrance.resumed, operationOpened(named, entrance)),
  );
  const { recoding, question } = useAskedReset(
    useRecoding({
      page,
      device: query,
      live,
      isEngineUp,
      maxFileBytes,
      takesForeignFiles: takesForeignFiles(entrance.entry, query),
    }),
    page,
  );
  const { flow } = recoding;
  useAddress(flow);
  const [first] = useState(flow);
  const isWaiting = operationAwaited(flow) !== null;
  const isEntryMissing = entrance.entry === null && !isWaiting;
  const askAgain = useEffectEvent(given.onEntryMissing);
  useEffect(() => {
    if (isEntryMissing) askAgain();
  }, [isEntryMissing]);
  const { onBusy } = given;
  const isBusy = isWaiting || isUploading(flow);
  useEffect(() => {
    onBusy(isBusy);
    return () => onBusy(false);
  }, [isBusy, onBusy]);
  return {
    open: { page, entry: entrance.entry ?? leastEntry, recoding },
    question,
    notFound: flow === first ? entrance.notFound : null,
  };
}
