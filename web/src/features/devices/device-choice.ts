/** Which master device the user works with, a family at a time: the choices, the first pick, and what is remembered. */
import { definitions, type Family } from '@recodery/contract/families/registry';
import type { GroupCodeInfo } from '@recodery/contract/session';

/** A master device under its group code. */
export interface Device {
  readonly groupCode: string;
  readonly serialNumber: string;
}

/** Every master device of the family, in the order in which the session names them. */
export function devicesOf(family: Family, groups: readonly GroupCodeInfo[]): Device[] {
  const { mastersField } = definitions[family];
  return groups.flatMap((group) =>
    group[mastersField].map((serialNumber) => ({ groupCode: group.groupCode, serialNumber })),
  );
}

/** The chooser appears only over several groups: a read opens under any master device of its group, whichever is chosen. */
export function needsChooser(devices: readonly Device[]): boolean {
  return new Set(devices.map(({ groupCode }) => groupCode)).size > 1;
}

/**
 * The device to begin with: the one whose serial is remembered, else the first under the current
 * customer code, else the first there is; null when the family has none.
 */
export function initialDevice(
  devices: readonly Device[],
  rememberedSerial: string | null,
  customerCode: string,
): Device | null {
  return (
    devices.find(({ serialNumber }) => serialNumber === rememberedSerial) ??
    devices.find(({ groupCode }) => groupCode === customerCode) ??
    devices[0] ??
    null
  );
}

const storageKey = (family: Family): string => `recodery.device.${family}`;

/** The serial number last chosen for the family in this browser, or null. */
export function rememberedSerial(family: Family): string | null {
  return localStorage.getItem(storageKey(family));
}

/** Remembers the serial number chosen for the family. */
export function rememberSerial(family: Family, serialNumber: string): void {
  localStorage.setItem(storageKey(family), serialNumber);
}
