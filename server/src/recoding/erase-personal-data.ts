/** Removes data about the vehicle and the email recipient from the JSON in an operation's row. */
import type { JsonObject } from '../operations/operation-rules.ts';

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
