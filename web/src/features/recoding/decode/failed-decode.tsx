/** Shows why a read file was not decoded, and what the user can do with it next. */
import type { Workflow } from '@recodery/contract/families/registry';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Upload from 'lucide-react/icons/upload';
import { useNavigate } from 'react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import type { IconPart } from '../../../ui/display/icon.tsx';
import type { Device } from '../../devices/device-choice.ts';
import { useEngineIsUp } from '../../service-status/service-status.ts';
import { codeOf, mayBeTemporary } from '../fault.ts';
import { workflowName } from '../families/workflow-names.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { passFile } from '../flow/reads/pass-file.ts';
import type { Flow } from '../flow/state/recoding-flow.ts';
import { isCodeChanged, UnderNewCode } from '../notices/code-changed.tsx';
import { FaultPanel } from '../notices/fault-panel.tsx';
import { EngineDown } from './engine-down.tsx';
import { SlaveChoice } from './slave-choice.tsx';

export interface DecodeStepProps {
  /** Other master devices of the family under the same customer code. */
  readonly otherDevices: readonly Device[];
  /** Lets the files decide again, instead of the chosen device. */
  readonly onLetFileDecide: () => void;
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
      text: t('recoding.openOtherPage', { page: workflowName(t, goesTo) }),
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

export function FailedDecode(props: FailedProps) {
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
            {t(next === null && !asksForSlave ? 'ui.tryAgain' : 'recoding.chooseAnother')}
          </Button>
          {isClosed && <EngineDown />}
        </>
      }
    />
  );
}
