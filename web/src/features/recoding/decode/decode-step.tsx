/** The first half of a recoding page: takes a read file and shows its decoded files and ECU information. */
import type { Workflow } from '@recodery/contract/families/registry';
import ArrowRight from 'lucide-react/icons/arrow-right';
import FileDigit from 'lucide-react/icons/file-digit';
import Upload from 'lucide-react/icons/upload';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts, withTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DropArea } from '../../../ui/fields/drop-area.tsx';
import { Icon, type IconPart } from '../../../ui/display/icon.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProgressBar } from '../../../ui/display/progress-bar.tsx';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import type { Device } from '../../devices/device-choice.ts';
import { useIsWaitingForEngine } from '../../operations/operation-stage.ts';
import { useConfig, useEngineIsUp } from '../../service-status/service-status.ts';
import { isCodeChanged, UnderNewCode } from '../notices/code-changed.tsx';
import type { FileLabel } from '../decoded-read.ts';
import { codeOf, mayBeTemporary } from '../fault.ts';
import { FaultPanel } from '../notices/fault-panel.tsx';
import { passFile } from '../flow/pass-file.ts';
import type { Flow } from '../flow/recoding-flow.ts';
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

const SlaveChoice = onDemand(async () => (await import('./slave-choice.tsx')).SlaveChoice);

export interface DecodeStepProps {
  /** Other master devices of the family under the same customer code. */
  readonly otherDevices: readonly Device[];
  /** Lets the files decide again, instead of the chosen device. */
  readonly onLetFileDecide: () => void;
}

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

/** Why nothing can be uploaded. */
function EngineDown() {
  const { t } = useTexts();
  return (
    <p role="status" className="text-md text-modified">
      {t('recoding.engineDown')}
    </p>
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

/** The device whose group the refusal identifies as the slave's own, or null. */
function deviceNamed(flow: Flow, devices: readonly Device[]): Device | null {
  const group = flow.at === 'failed' && flow.fault.kind === 'failed' && flow.fault.error.detail;
  return devices.find(({ groupCode }) => groupCode === group) ?? null;
}

type FailedProps = DecodeStepProps & { readonly flow: Extract<Flow, { at: 'failed' }> };

/** The next action with the same file: on another page, with another device, or a retry. Null if there is none. */
function useNextAction(props: FailedProps): {
  readonly icon: IconPart;
  readonly text: string;
  readonly take: () => void;
} | null {
  const { t } = useTexts();
  const go = useNavigate();
  const { page, recoding } = useOpenPage();
  const { flow, otherDevices, onLetFileDecide } = props;
  const { fault, goesTo } = flow;
  const device = deviceNamed(flow, otherDevices);
  const held = recoding.heldFile();
  const leaveFor = (id: Workflow): void => {
    if (held) passFile(id, held);
  };
  if (goesTo !== null) {
    return {
      icon: ArrowRight,
      text: t('recoding.openOtherPage', { page: t(`menu.${goesTo}`) }),
      take: () => {
        leaveFor(goesTo);
        void go(`/${goesTo}`);
      },
    };
  }
  if (device !== null) {
    return {
      icon: ArrowRight,
      text: t('recoding.openWithDevice', { device: device.serialNumber, group: device.groupCode }),
      take: () => {
        leaveFor(page.id);
        onLetFileDecide();
      },
    };
  }
  const isRepeatable = held !== null && mayBeTemporary(fault) && fault.kind !== 'lost';
  return isRepeatable
    ? { icon: Upload, text: t('ui.tryAgain'), take: () => recoding.repeatRead() }
    : null;
}

function Failed(props: FailedProps) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const { fault } = props.flow;
  const isEngineUp = useEngineIsUp();
  const next = useNextAction(props);
  // each action uploads the file, and another page would ignore it during maintenance
  const isClosed = next !== null && !isEngineUp;
  const asksForSlave = fault.kind === 'refused' && codeOf(fault) === 'SLAVE_NEEDED';
  const hasBetter = next !== null || asksForSlave || fault.kind === 'lost' || isCodeChanged(fault);
  return (
    <FaultPanel
      fault={fault}
      actions={
        <>
          {next !== null && (
            <Button look="primary" icon={next.icon} isDisabled={isClosed} onPress={next.take}>
              {next.text}
            </Button>
          )}
          {asksForSlave && <SlaveChoice fault={fault} isDisabled={!isEngineUp} />}
          {isCodeChanged(fault) && <UnderNewCode />}
          {fault.kind === 'lost' && (
            <Button look="primary" onPress={() => recoding.dispatch({ type: 'followed-again' })}>
              {t('recoding.followAgain')}
            </Button>
          )}
          <Button
            look={hasBetter ? 'secondary' : 'primary'}
            onPress={() => recoding.dispatch({ type: 'retried' })}
          >
            {next === null ? t('ui.tryAgain') : t('recoding.chooseAnother')}
          </Button>
          {isClosed && <EngineDown />}
        </>
      }
    />
  );
}

export function DecodeStep(props: DecodeStepProps) {
  const { t } = useTexts();
  const { flow } = useOpenPage().recoding;
  const isEmpty = flow.at === 'choosing';
  useEffect(() => {
    if (!isEmpty) DecodedPanel.preload();
  }, [isEmpty]);
  if (flow.at === 'decoded') return <DecodedPanel read={flow.read} />;
  return (
    <Panel title={t('recoding.decodeStep')}>
      {isEmpty && <Choosing />}
      {(flow.at === 'uploading' || flow.at === 'decoding') && <Working />}
      {flow.at === 'failed' && <Failed {...props} flow={flow} />}
      {flow.at === 'resumed' && <p className="text-ink-2">{t('recoding.readGone')}</p>}
    </Panel>
  );
}
