/** The first half of a recoding page: takes a read file and shows its decoded files and ECU information. */
import FileDigit from 'lucide-react/icons/file-digit';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts, withTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DropArea } from '../../../ui/fields/drop-area.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProgressBar } from '../../../ui/display/progress-bar.tsx';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { useIsWaitingForEngine } from '../../operations/operation-stage.ts';
import { useConfig, useEngineIsUp } from '../../service-status/service-status.ts';
import { EngineDown } from './engine-down.tsx';
import type { DecodeStepProps } from './failed-decode.tsx';
import type { FileLabel } from '../decoded-read.ts';
import { useOpenPage } from '../flow/open-page.ts';

function DecodedWaiting() {
  const { t } = useTexts();
  return (
    <Panel title={t('recoding.decodedTitle')}>
      <Skeleton lines={6} />
    </Panel>
  );
}

/** Loaded while the first file uploads: an empty page does not need it. */
const DecodedPanel = onDemand(
  async () => (await withTexts(import('./decoded-panel.tsx'), 'encode')).DecodedPanel,
  <DecodedWaiting />,
);

const FailedDecode = onDemand(async () => (await import('./failed-decode.tsx')).FailedDecode);

/** The drop area keeps its height while a file is chosen, uploaded and decoded. */
const bay =
  'flex min-h-48 flex-col justify-center gap-4 rounded-m border border-line px-5 py-6 sm:px-8';

function FileLine({ file }: { readonly file: FileLabel | null }) {
  const { language } = useTexts();
  if (!file) return null;
  return (
    <div className="flex items-center gap-3">
      <Icon of={FileDigit} size={20} className="text-ink-2" />
      <p className="min-w-0 font-semibold">
        <LongText>{file.name}</LongText>
      </p>
      {file.size !== null && (
        <p className="font-mono text-sm whitespace-nowrap text-ink-3">
          {sizeText(file.size, language)}
        </p>
      )}
    </div>
  );
}

function Choosing() {
  const { t, language } = useTexts();
  const { page, entry, recoding } = useOpenPage();
  const { maxFileBytes } = useConfig();
  const isEngineUp = useEngineIsUp();
  const [skipsChecksum, setSkipsChecksum] = useState(false);
  const offersSkip = page.offersDecodeSkip(entry);
  const choose = (file: File): void =>
    recoding.chooseRead(file, {
      skipsChecksum: offersSkip && skipsChecksum,
      hasDebugFlag: offersSkip && entry.hasDebugFlag,
    });
  return (
    <div className="flex flex-col gap-3">
      <DropArea
        label={t(page.words.drop)}
        choose={t('recoding.choose')}
        hint={t('recoding.upTo', { size: sizeText(maxFileBytes, language) })}
        isDisabled={!isEngineUp}
        onFile={choose}
      />
      {offersSkip && (
        <Switch isSelected={skipsChecksum} onChange={setSkipsChecksum}>
          {t('recoding.skipReadChecksum')}
        </Switch>
      )}
      {!isEngineUp && <EngineDown />}
    </div>
  );
}

function Working() {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const { flow } = recoding;
  const isUploading = flow.at === 'uploading';
  const isWaiting = useIsWaitingForEngine(flow.at === 'decoding' ? flow.operationGUID : null);
  return (
    <div className={bay}>
      <FileLine file={flow.at === 'uploading' || flow.at === 'decoding' ? flow.file : null} />
      <ProgressBar
        label={t(
          isUploading
            ? 'recoding.uploading'
            : isWaiting
              ? 'recoding.waitingForEngine'
              : 'recoding.decoding',
        )}
        fraction={isUploading ? flow.fraction : null}
        action={
          isUploading ? (
            <Button look="quiet" icon={X} onPress={recoding.cancelRead}>
              {t('ui.cancel')}
            </Button>
          ) : undefined
        }
      />
      <p className="text-md text-ink-3">{t('recoding.pleaseWait')}</p>
    </div>
  );
}

export function DecodeStep(props: DecodeStepProps) {
  const { t } = useTexts();
  const { flow } = useOpenPage().recoding;
  const isEmpty = flow.at === 'choosing';
  // before a connection can fail
  useEffect(() => FailedDecode.preload(), []);
  useEffect(() => {
    if (!isEmpty) DecodedPanel.preload();
  }, [isEmpty]);
  if (flow.at === 'decoded') return <DecodedPanel read={flow.read} />;
  return (
    <Panel title={t('recoding.decodeStep')}>
      {isEmpty && <Choosing />}
      {(flow.at === 'uploading' || flow.at === 'decoding') && <Working />}
      {flow.at === 'failed' && <FailedDecode {...props} flow={flow} />}
      {flow.at === 'resumed' && <p className="text-ink-2">{t('recoding.readGone')}</p>}
    </Panel>
  );
}
