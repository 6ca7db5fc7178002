/** The bar for choosing the master device, shown when the family has more than one. */
import type { Family } from '@recodery/contract/families/registry';
import type { Session } from '@recodery/contract/features/session';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Select } from '../../ui/select.tsx';
import { useIsLong } from '../../ui/skeleton.tsx';
import {
  type Device,
  devicesOf,
  initialDevice,
  needsChooser,
  rememberedSerial,
  rememberSerial,
} from './device-choice.ts';

/** The current master device of a family, and a function to choose another; null when the family has none. */
export function useDevice(
  family: Family,
  session: Session,
): { device: Device | null; devices: readonly Device[]; choose: (device: Device) => void } {
  const devices = devicesOf(family, session.groupCodesInfo);
  const [serial, setSerial] = useState(() => rememberedSerial(family));
  const device = initialDevice(devices, serial, session.customerCode);
  const choose = (chosen: Device): void => {
    rememberSerial(family, chosen.serialNumber);
    setSerial(chosen.serialNumber);
  };
  return { device, devices, choose };
}

export interface DeviceChooserProps {
  readonly devices: readonly Device[];
  readonly device: Device | null;
  readonly onChoose: (device: Device) => void;
  /** Whether an upload or operation is running that must keep its device. */
  readonly isBusy?: boolean;
}

const idOf = ({ groupCode, serialNumber }: Device): string => `${groupCode}/${serialNumber}`;

/**
 * Why the device cannot be changed; visible only after a while, so that a fast upload does not move the page. Next to
 * the title it uses the space above the next panel, so that nothing moves.
 */
function BusyHint() {
  const { t } = useTexts();
  const visible = 'text-sm text-ink-3 sm:absolute sm:right-0 sm:w-max';
  return <p className={useIsLong() ? visible : 'sr-only'}>{t('devices.busy')}</p>;
}

export function DeviceChooser({ devices, device, onChoose, isBusy = false }: DeviceChooserProps) {
  const { t } = useTexts();
  if (!needsChooser(devices)) return null;
  return (
    <Select
      label={t('devices.choose')}
      className="relative w-full sm:w-64"
      isDisabled={isBusy}
      hint={isBusy ? <BusyHint /> : undefined}
      value={device === null ? null : idOf(device)}
      onChange={(id) => {
        const chosen = devices.find((candidate) => idOf(candidate) === id);
        if (chosen) onChoose(chosen);
      }}
      options={devices.map((candidate) => ({
        id: idOf(candidate),
        text: `${candidate.serialNumber} ${candidate.groupCode}`,
        content: (
          <span className="flex items-baseline gap-2.5">
            <span className="font-mono text-sm">{candidate.serialNumber}</span>{' '}
            <span className="text-ink-3">{candidate.groupCode}</span>
          </span>
        ),
      }))}
    />
  );
}
