/** The restore kit: downloads the encoded original of a job, which is sealed again first if necessary. */
import type { Job } from '@recodery/contract/features/jobs/jobs';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type TextKey, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { useDownloadKit, usePrepareKit } from '../jobs.ts';

export interface RestoreKitPanelProps {
  readonly job: Pick<Job, 'slotGUID' | 'restoreKit' | 'slaveSerialNumber'>;
}

function wordOf({ state, reason }: Job['restoreKit']): TextKey {
  if (reason !== null) return `kit.${reason}`;
  return state === 'impossible' ? 'kit.NOT_READ' : `kit.${state}`;
}

export function RestoreKitPanel({ job }: RestoreKitPanelProps) {
  const { t } = useTexts();
  const { slotGUID, restoreKit, slaveSerialNumber } = job;
  const { state } = restoreKit;
  const {
    mutateAsync: prepare,
    isPending: isAsking,
    isSuccess: hasAsked,
  } = usePrepareKit(slotGUID);
  const { mutate: download, isPending: isDownloading } = useDownloadKit(slotGUID);
  /** True if the button was pressed while no kit was ready. */
  const isAwaited = useRef(false);
  const isPreparing = state === 'preparing' || isAsking;
  const request = (): void => {
    isAwaited.current = true;
    prepare().catch((thrown: unknown) => {
      isAwaited.current = false;
      showFailure(t, thrown);
    });
  };
  const take = (): void => {
    isAwaited.current = false;
    download(undefined, {
      onSuccess: (isDone) => {
        if (!isDone) request();
      },
      onError: (thrown) => showFailure(t, thrown),
    });
  };
  const arrived = useEffectEvent(() => {
    if (isAwaited.current) take();
  });
  useEffect(() => {
    if (isPreparing) return;
    if (state === 'ready') arrived();
    // preparing it has failed: a later kit is not downloaded without another press
    else isAwaited.current = false;
  }, [isPreparing, state]);
  // one that is prepared automatically waits until a worker is quiet: a press prepares it now
  const isWorking = isDownloading || isAsking || (hasAsked && isPreparing);
  return (
    <Panel title={t('kit.title')}>
      {slaveSerialNumber !== null && (
        <p className="text-md text-ink-2">
          <LongText>{t('kit.about', { slave: slaveSerialNumber })}</LongText>
        </p>
      )}
      <p role="status" className="mt-1.5 text-md text-ink-2">
        {t(wordOf(restoreKit))}
      </p>
      {state !== 'impossible' && (
        <Button
          icon={LifeBuoy}
          isPending={isWorking}
          onPress={state === 'ready' ? take : request}
          className="mt-4 max-sm:w-full"
        >
          {t('kit.download')}
        </Button>
      )}
    </Panel>
  );
}
