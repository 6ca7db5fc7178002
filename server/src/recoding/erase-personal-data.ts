/** Removes data about the vehicle, its owner and the email recipient from names, and from the JSON in an operation's row. */
import { labelInNames } from '@recodery/contract/file-names';
import type { JsonObject } from '../operations/operation-rules.ts';
import type { Slot } from '../slots/slots.ts';
import { vinHider } from '../texts/vin-rules.ts';

/** A slot's VIN and customer labels, which names can contain. */
type NamedSlot = Pick<Slot, 'vin' | 'customerLabel' | 'pastLabels'>;

/** Creates the function that removes the VIN and the customer labels of a slot from names. */
export function nameHider({ vin, customerLabel, pastLabels }: NamedSlot): (name: string) => string {
  const hideVin = vinHider(vin);
  const labels = [customerLabel, ...pastLabels]
    .flatMap((label) => labelInNames(label) ?? [])
    .toSorted((one, other) => other.length - one.length);
  const hideAll = (name: string, which: readonly string[]) =>
    which.reduce((text, label) => text.replaceAll(label, '…'), name);
  // without its VIN, a label would not be found, and a VIN not without a short label
  const withVin = labels.filter((label) => hideVin(label) !== label);
  // some names were already without it
  const without = withVin.map(hideVin);
  return (name) => hideAll(hideVin(hideAll(name, withVin)), [...without, ...labels]);
}

/** Members whose values are emptied; the names stay, so that the shape is unchanged. */
const emptied: ReadonlySet<string> = new Set(['information']);
/** Members that contain a file name, which may include a VIN. Guids, codes and hashes stay unchanged. */
const named: ReadonlySet<string> = new Set(['name', 'readFileName']);
/** Members that become null. */
const dropped: ReadonlySet<string> = new Set(['identification', 'notificationInfo']);

/** The value without this data; `hide` changes the remaining names. */
export function forgetRead(json: JsonObject, hide: (text: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (dropped.has(name)) return [name, null];
      if (emptied.has(name)) return [name, empty(value)];
      if (named.has(name) && typeof value === 'string') return [name, hide(value)];
      return [name, forgetIn(value, hide)];
    }),
  );
}

function empty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.keys(value).map((name) => [name, null]));
}

function forgetIn(value: unknown, hide: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => forgetIn(one, hide));
  return typeof value === 'object' && value !== null
    ? forgetRead(value as JsonObject, hide)
    : value;
}
