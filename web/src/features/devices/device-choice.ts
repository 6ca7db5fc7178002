/** Which master device the user works with, per family: the choices, the default, and the remembered choice. */
import { definitions, type Family } from '@recodery/contract/families/registry';
import type { GroupCodeInfo } from '@recodery/contract/features/session';

/** A master device under its group code. */
export interface Device {
  readonly groupCode: string;
  readonly serialNumber: string;
}

/** Every master device of the family, in the order of the session. */
export function devicesOf(family: Family, groups: readonly GroupCodeInfo[]): Device[] {
  const { mastersField } = definitions[family];
  return groups.flatMap((group) =>
    group[mastersField].map((serialNumber) => ({ groupCode: group.groupCode, serialNumber })),
  );
}

/** The chooser appears only for several groups: a read opens with any master device of its group. */
export function needsChooser(devices: readonly Device[]): boolean {
  return new Set(devices.map(({ groupCode }) => groupCode)).size > 1;
}

/** The device that the user has chosen, by its remembered serial number; null: none, and each file decides. */
export function chosenDevice(
  devices: readonly Device[],
  rememberedSerial: string | null,
): Device | null {
  return devices.find(({ serialNumber }) => serialNumber === rememberedSerial) ?? null;
}

/**
 * The device that is used where neither the user nor the file names one: the first under the current customer code,
 * else the first of all; null when the family has none.
 */
export function initialDevice(devices: readonly Device[], customerCode: string): Device | null {
  return devices.find(({ groupCode }) => groupCode === customerCode) ?? devices[0] ?? null;
}

const storageKey = (family: Family): string => `recodery.device.${family}`;

/** The serial number last chosen for the family in this browser, or null. */
export function rememberedSerial(family: Family): string | null {
  return localStorage.getItem(storageKey(family));
}

/** Stores the serial number chosen for the family; null: none. */
export function rememberSerial(family: Family, serialNumber: string | null): void {
  if (serialNumber === null) localStorage.removeItem(storageKey(family));
  else localStorage.setItem(storageKey(family), serialNumber);
}
