/** The bar for choosing the master device, shown when the family has more than one. */
import type { Family } from '@recodery/contract/families/registry';
import type { Session } from '@recodery/contract/features/session';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Select } from '../../ui/fields/select.tsx';
import { useIsLong } from '../../ui/display/skeleton.tsx';
import {
  chosenDevice,
  type Device,
  devicesOf,
  initialDevice,
  needsChooser,
  rememberedSerial,
  rememberSerial,
} from './device-choice.ts';

/** The master devices of a family, and how one is chosen. */
export interface DeviceChoice {
  readonly devices: readonly Device[];
  /** The device that the user has chosen; null: none, and each file decides. */
  readonly device: Device | null;
  /** The device that is used where neither the user nor the file names one; null when the family has none. */
  readonly initial: Device | null;
  readonly onChoose: (device: Device | null) => void;
}

export function useDevice(family: Family, session: Session): DeviceChoice {
  const devices = devicesOf(family, session.groupCodesInfo);
  const [serial, setSerial] = useState(() => rememberedSerial(family));
  return {
    devices,
    device: chosenDevice(devices, serial),
    initial: initialDevice(devices, session.customerCode),
    onChoose: (chosen) => {
      const serialNumber = chosen?.serialNumber ?? null;
      rememberSerial(family, serialNumber);
      setSerial(serialNumber);
    },
  };
}

export interface DeviceChooserProps extends DeviceChoice {
  /** Whether an upload or operation is running that must keep its device. */
  readonly isBusy?: boolean;
}

const idOf = ({ groupCode, serialNumber }: Device): string => `${groupCode}/${serialNumber}`;
/** The option without a device: no group code contains a slash at its start. */
const automatic = '/';

/**
 * Why the device cannot be changed; visible only after a while, so that a fast upload does not move the page. Next to
 * the title it uses the space above the next panel, so that nothing moves.
 */
function BusyHint() {
  const { t } = useTexts();
  const visible = 'text-sm text-ink-3 sm:absolute sm:right-0 sm:w-max';
  return <p className={useIsLong() ? visible : 'sr-only'}>{t('devices.busy')}</p>;
}

function optionOf(device: Device) {
  const { groupCode, serialNumber } = device;
  return {
    id: idOf(device),
    text: `${serialNumber} ${groupCode}`,
    content: (
      <span className="flex items-baseline gap-2.5">
        <span className="font-mono text-sm">{serialNumber}</span>{' '}
        <span className="text-ink-3">{groupCode}</span>
      </span>
    ),
  };
}

export function DeviceChooser(props: DeviceChooserProps) {
  const { t } = useTexts();
  const { devices, device, initial, onChoose, isBusy = false } = props;
  if (!needsChooser(devices)) return null;
  const otherwise = t('devices.otherwise', { device: initial?.serialNumber ?? '' });
  return (
    <Select
      label={t('devices.choose')}
      className="relative w-full sm:w-72"
      isDisabled={isBusy}
      hint={isBusy ? <BusyHint /> : undefined}
      value={device === null ? automatic : idOf(device)}
      onChange={(id) => onChoose(devices.find((candidate) => idOf(candidate) === id) ?? null)}
      options={[
        {
          id: automatic,
          text: `${t('devices.automatic')}, ${otherwise}`,
          content: (
            <span className="flex items-baseline gap-2.5">
              {t('devices.automatic')} <span className="text-sm text-ink-3">{otherwise}</span>
            </span>
          ),
        },
        ...devices.map(optionOf),
      ]}
    />
  );
}
